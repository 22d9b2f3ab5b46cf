/**
 * Tokens and numbers of cards in a text, whatever it is: JSON that is cut off, a query, a form, what a program says when it
 * fails, or a page that quotes any of them. Names are found bare or in quotes, percent-encoded or escaped; rather too much is
 * hidden than too little. Texts are foreign: nothing here may be slow, so whatever can be repeated is bounded, or ends where
 * the next attempt begins.
 */

import { Secrets, shortestSecret } from '../../redact.ts'
import { endOfNested } from './nested.ts'

export const hiddenMark = '[hidden]'
/** The member that holds the value where another one holds the name: `{"name":"cardToken","value":"…"}`. */
export const valueName = 'val(?:ue)?|content'

/** A letter in either case, as it stands, percent-encoded, or escaped as JSON has it. */
function letter(char: string): string {
  const codes = [char.toLowerCase(), char.toUpperCase()].map((each) => each.charCodeAt(0).toString(16))
  return `(?:${char}|(?:%(?:25)*|\\\\u00)(?:${codes.join('|')}))`
}

const word = (letters: string) => [...letters].map(letter).join('')
const encoded = (...codes: string[]) => `%(?:25)*(?:${codes.join('|')})`
const inJson = (...codes: string[]) => `\\\\u00(?:${codes.join('|')})`
/** As HTML has it: by name, decimal, hexadecimal. */
const entity = (...names: string[]) => `&(?:amp;){0,3}(?:${names.join('|')});`

const quoteEntity = entity('quot', 'apos', '#0{0,4}3[49]', '#x0{0,4}2[27]')

/** The beginning of a name: not in the middle of another one. A percent-encoded character before it ends with two digits. */
const start = '(?:(?<![\\w-])|(?<=%[\\da-f]{2})|(?<=\\\\u00[\\da-f]{2})|(?<=\\\\[nrt]))'
const token = `(?:${word('card')})?(?:[_-]|${encoded('5f', '2d')})?${word('token')}`
const number = `(?:${word('card')}[\\w.-]{0,40}|${word('pan')})`
const index = `(?:\\[|${encoded('5b')})[\\w-]{0,20}`
/** Quotes and brackets that end the name. */
const closed = `(?:\\\\*["']|${index}|\\]|${inJson('22', '27')}|${encoded('22', '27', '5d')}|${quoteEntity}){0,6}`
const separator = `(?:[=:>]|${encoded('3d', '3a')}|${inJson('3d', '3a')}|${entity('equals', 'colon', 'gt', '#0{0,4}(?:58|6[12])', '#x0{0,4}3[ade]')}){1,3}`
/** The text between name and value. */
const between = `${closed}(?:\\s|\\+|${encoded('20')})*${separator}\\s*`
/** … where the value is a member of its own, soon after the name. */
const soon = `${closed}(?:[\\s,;&<]|${encoded('20', '26', '2c')})[^{}[\\]]{0,80}?${start}(?:${valueName})${between}`

const quoted = '"(?:[^"\\\\]|\\\\.)*"?|\'(?:[^\'\\\\]|\\\\.)*\'?'
const escaped = '\\\\+(["\'])[^"\']*["\']?'
const percent = `(?<percent>${encoded('22', '27')})(?:(?!\\k<percent>)[^\\r\\n])*(?:\\k<percent>)?`
const inEntities = `(?<entity>${quoteEntity})(?:(?!\\k<entity>).)*(?:\\k<entity>)?`
const plain = '(?:\\\\(?!["\'])|[^\\s,&}"\'<\\\\])+'
const bare = `(?:(?:Bearer|Basic)[ \\t]{1,8})?${plain}`
const value = new RegExp(`${quoted}|${escaped}|${percent}|${inEntities}|(?<nested>[[{])|${bare}`, 'isy')

const tokenInText = new RegExp(`${start}${token}${between}`, 'gi')
const valueAfterToken = new RegExp(`${start}${token}${soon}`, 'gi')
/** A value that comes before its name. */
const valueBeforeToken = new RegExp(
  `(${start}(?:${valueName})${between})("(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|[^\\s,;&}"'<\\\\]{1,200})` +
    `(?=[\\s,;&][^{}[\\]]{0,80}?(?<=["'=;>]|%[\\da-f]{2})${token}${closed}(?:[\\s,;&}/>]|$))`,
  'gi',
)

const digits = `\\d(?:(?:[ .+-]|${encoded('20')})?\\d){11,18}(?!\\d)`
const opened = `(?:\\\\*["']|${encoded('22', '27')}|${quoteEntity})?`
/** A whole number of a card after a name of one: elsewhere so many digits are an id. */
const numberInText = new RegExp(`(${start}${number}(?:${between}|${soon})${opened})${digits}`, 'gi')

const openingQuote = new RegExp(`^(?:\\\\*["']|${encoded('22', '27')}|${quoteEntity})`, 'i')

/** The mask in the quotes of what it stands for; in JSON a value without quotes gets some. */
function instead(name: string, hidden: string): string {
  const quote = openingQuote.exec(hidden)?.[0] ?? /(\\{0,8}")\s*:\s*$/.exec(name)?.[1] ?? ''
  return `${quote}${hiddenMark}${quote}`
}

/** The end of the value that begins there; `from` itself where none does. */
function endOfValue(text: string, from: number): number {
  value.lastIndex = from
  const found = value.exec(text)
  if (!found) return from
  return found.groups?.nested ? endOfNested(text, from) : from + found[0].length
}

/** Hides the value behind whatever the pattern finds. */
function hiddenBehind(pattern: RegExp, text: string): string {
  const pieces: string[] = []
  let done = 0
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const from = pattern.lastIndex
    const end = endOfValue(text, from)
    if (end === from) continue
    pieces.push(text.slice(done, from), instead(found[0], text.slice(from, end)))
    done = end
    pattern.lastIndex = end
  }
  return [...pieces, text.slice(done)].join('')
}

const noSecrets = new Secrets([])

/** A text as it may be shown; `secrets` are to be hidden wherever they stand in it, however they are written. */
export function maskedText(text: string, secrets: Secrets = noSecrets): string {
  const named = hiddenBehind(tokenInText, secrets.hide(text, hiddenMark, shortestSecret))
  return hiddenBehind(valueAfterToken, named)
    .replace(valueBeforeToken, (_, name: string, hidden: string) => `${name}${instead(name, hidden)}`)
    .replace(numberInText, (_, name: string) => `${name}${instead(name, '')}`)
}
