/** Texts of others, handled with care: characters that hide, ends, lengths, words of a shell, names of people. */

// Characters that move a terminal, reorder a line or show nothing, made visible: a name must not repaint the sum or the account
// beside it. Every screen, page and JSON text that leaves the program passes through here.

const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu
/** The same without the tabs and line ends of a layout. */
const hiddenInLayout = /(?![\t\n\r])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** The name of the first character: "U+202E". */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** The text on one line, every such character shown as its code point: "a\rb" → "a<U+000D>b". */
export function visible(text: string): string {
  return text.replace(hidden, (character) => `<${codePoint(character)}>`)
}

/** The same of a text of several lines. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}

/** The same of a whole HTML page; no page holds such a character of its own. */
export function visiblePage(page: string): string {
  return page.replace(hiddenInLayout, (character) => `&lt;${codePoint(character)}&gt;`)
}

/** A JSON text with them escaped: the same data. */
export function escapedJson(json: string): string {
  return json.replace(hiddenInLayout, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
    }).join(''),
  )
}

/**
 * Cells of paydesk's own papers: one that a spreadsheet would take for a formula has an apostrophe before it, and so has one
 * that begins with an apostrophe and such a cell. So each cell can be given back as it was, which no library's rule allows.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

export function escapeFormula(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell
}

/** The cell that was escapeFormula. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
}

// Letters taken off the ends of a text, in one pass: an expression like `=+$` looks at every run of the letter once from each of its
// places, and a long run in the middle of a foreign text would stop the program.

/** The text without the letters that it ends with, as far as they are among these. */
export function withoutEnd(text: string, letters: string): string {
  let end = text.length
  while (end > 0 && letters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** The text without the letters that it begins and ends with, as far as they are among these. */
export function withoutEnds(text: string, letters: string): string {
  let start = 0
  while (start < text.length && letters.includes(text.charAt(start))) start += 1
  return withoutEnd(text.slice(start), letters)
}

/** Bytes of a body, of a request or of an answer. The specification shows no limit; nothing of it needs a thousandth. */
export const largestBody = 8 * 1024 * 1024

/** The same for people. */
export const largestBodyInWords = '8 MiB'

/** Bytes of a message in words, in UTF-8. */
export const longestMessage = 4096

/** Room for the words about the rest, so that a text that was cut once is not cut again. */
const roomForRest = 64

/** The message itself, or its beginning and how much more there was. No character is cut in two. */
export function shortened(message: string): string {
  // A character has one byte at least, and a unit of UTF-16 three at most.
  if (message.length <= longestMessage / 3 || Buffer.byteLength(message) <= longestMessage) return message
  const { read } = new TextEncoder().encodeInto(message, new Uint8Array(longestMessage - roomForRest))
  return `${message.slice(0, read)}… ${message.length - read} more characters`
}

/** The word in single quotes, in which a shell changes nothing. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The text as it is where every shell takes it for one plain word; else in single quotes. */
export function shellWord(text: string): string {
  return /^[\w%+:,./@-][\w%+:,./@=-]*$/.test(text) ? text : singleQuoted(text)
}

/** True if two names read alike: capitals, blanks, dots, commas, letters that nobody sees and those that look alike make no other name. */
export function sameName(one: string, other: string): boolean {
  return plainName(one) === plainName(other)
}

/** Characters that take no room, or show nothing where they stand: zero-width ones, soft hyphens, fillers, marks of direction. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu

/** Small letters of other alphabets, each before the Latin letter that it passes for; `i`, `l` and `1` pass for each other, as do `o` and `0`. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  [
    ...['аa', 'вb', 'еe', 'ѕs', 'іi', 'їi', 'јj', 'кk', 'мm', 'нh', 'һh', 'оo', 'рp', 'сc', 'тt', 'уy', 'үy', 'хx'],
    ...['ԁd', 'ԛq', 'ԝw', 'ӏi', 'αa', 'βb', 'εe', 'ιi', 'κk', 'νv', 'οo', 'ρp', 'τt', 'υu', 'χx'],
    ...['ყy', 'ჿo', 'ıi', 'ɩi', 'ɑa', 'ɡg', 'li', '1i', '0o'],
  ].map((pair) => [pair.slice(0, -1), pair.slice(-1)]),
)

/** The old Georgian alphabet, whose letters are those of the one that is written today. */
const [oldGeorgian, georgian] = [0x2d00, 0x10d0]

function asRead(letter: string): string {
  const point = letter.codePointAt(0) ?? 0
  const today = point >= oldGeorgian && point <= oldGeorgian + 0x25 ? point - oldGeorgian + georgian : point
  const read = String.fromCodePoint(today)
  return lookalikes.get(read) ?? read
}

export function plainName(name: string): string {
  const letters = name.normalize('NFKC').replace(unseen, '').toLowerCase()
  const words = Array.from(letters, asRead)
    .join('')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
  // A name of symbols alone is no other one's.
  return words.filter(Boolean).join(' ') || name.trim()
}
