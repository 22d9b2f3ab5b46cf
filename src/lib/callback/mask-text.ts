/**
 * Tokens and numbers of cards in a text, whatever it is: JSON that is cut off, a query, a form, what a program says when it
 * fails. Names are found bare or in quotes, percent-encoded or escaped; rather too much is hidden than too little.
 */

export const mask = '[hidden]'

/** A letter in either case, as it stands, percent-encoded, or escaped as JSON has it. */
function letter(char: string): string {
  const codes = [char.toLowerCase(), char.toUpperCase()].map((each) => each.charCodeAt(0).toString(16))
  return `(?:${char}|(?:%(?:25)*|\\\\u00)(?:${codes.join('|')}))`
}

const word = (letters: string) => [...letters].map(letter).join('')
const encoded = (...codes: string[]) => `%(?:25)*(?:${codes.join('|')})`

/** Where a name begins: not in the middle of another one. What is percent-encoded before it ends with two digits. */
const start = '(?:(?<![\\w-])|(?<=%[\\da-f]{2})|(?<=\\\\u00[\\da-f]{2})|(?<=\\\\[nrt]))'
const token = `(?:${word('card')})?(?:[_-]|${encoded('5f', '2d')})?${word('token')}`
const number = `(?:${word('card')}[\\w.-]{0,40}|${word('pan')})`
/** A quote or bracket that ends the name, and what stands between name and value. */
const between = `(?:\\\\*["']|\\]|\\\\u00(?:22|27)|${encoded('22', '27', '5d')}){0,4}(?:\\s|\\+|${encoded('20')})*(?:=>|[=:>]|${encoded('3d', '3a')})\\s*`

const quoted = '"(?:[^"\\\\]|\\\\.)*"?|\'(?:[^\'\\\\]|\\\\.)*\'?'
const escaped = '\\\\+(["\'])[^"\']*["\']?'
const nested = '[[{][^\\]}]*[\\]}]?'
const bare = '(?:\\\\(?!["\'])|[^\\s,&}"\'<\\\\])+'

const tokenInText = new RegExp(`(${start}${token}${between})(${quoted}|${escaped}|${nested}|${bare})`, 'gis')
/** A whole number of a card after a name of one: elsewhere so many digits are an id. */
const numberInText = new RegExp(
  `(${start}${number}${between}(?:\\\\*["']|${encoded('22', '27')})?)\\d(?:(?:[ +-]|${encoded('20')})?\\d){11,18}(?!\\d)`,
  'gis',
)

/** The mask in the quotes of what it stands for; in JSON a value without quotes gets some. */
function instead(name: string, value: string): string {
  const quote = /^(?:\\+)?["']/.exec(value)?.[0] ?? (/"\s*:\s*$/.test(name) ? '"' : '')
  return `${name}${quote}${mask}${quote}`
}

/** A text as it may be shown; `secrets` are to be hidden wherever they stand in it. */
export function maskedText(text: string, secrets: readonly string[] = []): string {
  const without = secrets.reduce((rest, secret) => rest.replaceAll(secret, mask), text)
  return without
    .replace(tokenInText, (_, name: string, value: string) => instead(name, value))
    .replace(numberInText, (_, name: string) => instead(name, ''))
}
