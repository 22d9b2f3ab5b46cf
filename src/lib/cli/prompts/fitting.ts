/** Questions in the columns of a terminal: broken between words here, because what draws them would break inside one. */
import { brokenBetweenWords, hanging, screenWidth } from '../drawing/words.ts'

/** Columns of the mark in front of a question, and of the sign in front of a complaint. */
const mark = 2

/** Columns that an answer should have on its line: an IBAN has 22 letters, as a rule. */
const answerRoom = 24

/** The last line of a question, the answer behind it: what would leave no room for that goes on below. */
function asking(text: string, columns: number): readonly string[] {
  const room = columns - Math.min(answerRoom, Math.floor(columns / 2))
  const lines = brokenBetweenWords(text, columns)
  const last = lines.at(-1) ?? ''
  return screenWidth(last) <= room ? lines : [...lines.slice(0, -1), ...brokenBetweenWords(last, room)]
}

/** `columns`: undefined where nobody knows them. */
export function fittingQuestion(message: string, columns: number | undefined): string {
  if (columns === undefined) return message
  const lines = message.split('\n')
  const room = columns - mark
  const told = lines.slice(0, -1).map((line) => hanging(line, room, 4))
  return [...told, ...asking(lines.at(-1) ?? '', room)].join('\n')
}

export function fittingWords(text: string, columns: number | undefined): string {
  if (columns === undefined) return text
  return text
    .split('\n')
    .flatMap((line) => brokenBetweenWords(line, columns - mark))
    .join('\n')
}
