/** Questions in the columns of a terminal: broken between words here, because what draws them would break inside one. */

import { visibleLines } from '../../visible.ts'
import { brokenBetweenWords, screenWidth } from '../drawing/words.ts'

/** Columns of the mark in front of a question, and of the sign in front of a complaint. */
const mark = 2

/** Columns that an answer should have on its line: an IBAN has 22 letters, as a rule. A short question keeps its line all the same. */
const answerRoom = 24
const shortQuestion = 24

/** Columns from which most questions leave that room by themselves. */
const wide = 90

/** The label of a line about a payment, such as "to  ". */
const label = /^(?: +|(?:to|on|as|for) +)/

/** The last line of a question, the answer behind it: what would leave no room for that goes on below. */
function asking(text: string, columns: number): readonly string[] {
  const room = columns > wide ? columns : Math.max(columns - answerRoom, shortQuestion)
  const lines = brokenBetweenWords(text, columns)
  const last = lines.at(-1) ?? ''
  return screenWidth(last) <= room ? lines : [...lines.slice(0, -1), ...brokenBetweenWords(last, room)]
}

/** A line about a payment, what goes on of it behind its label. */
function labelled(line: string, columns: number): string {
  const before = label.exec(line)?.[0] ?? ''
  const indent = 4
  return brokenBetweenWords(line.slice(before.length), columns - indent)
    .map((each, at) => (at === 0 ? before : ' '.repeat(indent)) + each)
    .join('\n')
}

/** `columns`: undefined where nobody knows them. */
export function fittingQuestion(message: string, columns: number | undefined): string {
  if (columns === undefined) return message
  const lines = message.split('\n')
  const room = columns - mark
  const told = lines.slice(0, -1).map((line) => labelled(line, room))
  return [...told, ...asking(lines.at(-1) ?? '', room)].join('\n')
}

export function fittingWords(text: string, columns: number | undefined): string {
  if (columns === undefined) return text
  return text
    .split('\n')
    .flatMap((line) => brokenBetweenWords(line, columns - mark))
    .join('\n')
}

/** `complaint`: true for none. */
export function fittingComplaint(complaint: string | true, columns: number | undefined): string | true {
  return complaint === true ? true : fittingWords(visibleLines(complaint), columns)
}
