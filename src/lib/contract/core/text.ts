/**
 * Texts: unseen characters, damaged letters, keys, ids, counts. The alphabet is that of bank statements (specification A1:
 * description, debtorName). Complaints name the first offending character, because nobody finds a Cyrillic "а" by eye.
 */
import { codePoint } from '../../text.ts'

/** Nothing is drawn for them, though Unicode calls some of them letters, marks and symbols. */
export const unseenCharacter = /[\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u

const allowed = /[A-Za-z0-9\u10D0-\u10FF /\\\-?:().,'+]/u

export const alphabetInWords = "letters A–Z a–z, digits, Georgian letters, blank and / \\ - ? : ( ) . , ' +"

const unseenNames: Readonly<Record<string, string>> = {
  '\t': 'tab',
  '\n': 'line break',
  '\r': 'carriage return',
  '\u00A0': 'no-break space',
  '\u00AD': 'soft hyphen',
  '\u200B': 'zero width space',
  '\u200C': 'zero width non-joiner',
  '\u200D': 'zero width joiner',
  '\u200E': 'left-to-right mark',
  '\u200F': 'right-to-left mark',
  '\u202A': 'left-to-right embedding',
  '\u202B': 'right-to-left embedding',
  '\u202C': 'pop directional formatting',
  '\u202D': 'left-to-right override',
  '\u202E': 'right-to-left override',
  '\u202F': 'narrow no-break space',
  '\u2060': 'word joiner',
  '\uFEFF': 'byte order mark',
}

/** Its code point, and itself where it can be seen. */
function name(character: string): string {
  const point = codePoint(character)
  return /[\p{C}\p{Z}\p{M}]/u.test(character) || unseenCharacter.test(character) ? point : `"${character}" (${point})`
}

function fullName(character: string): string {
  if (character === ' ') return 'a blank (U+0020)'
  const unseen = unseenNames[character]
  return unseen === undefined ? name(character) : `${name(character)} (${unseen})`
}

/** Null where there is none; positions count from 1. */
export function alphabetComplaint(text: string): string | null {
  const characters = Array.from(text)
  const at = characters.findIndex((character) => !allowed.test(character))
  const offender = characters[at]
  if (offender === undefined) return null
  return `${name(offender)} at position ${at + 1} is not allowed; allowed are ${alphabetInWords}`
}

const control = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u

/** A name may hold these joiners. */
const joiners = '\u200C\u200D'

/** About U+FFFD, controls, what nobody sees; null where there is none. */
export function textDamage(text: string): string | null {
  const characters = Array.from(text)
  const isDamage = (each: string) =>
    each === '\uFFFD' || (!joiners.includes(each) && (control.test(each) || unseenCharacter.test(each)))
  const at = characters.findIndex(isDamage)
  const found = characters[at]
  if (found === undefined) return null
  const place = `at position ${at + 1}`
  if (found === '\uFFFD')
    return `has U+FFFD ${place}: a letter was lost when the text was decoded before; write it anew`
  return `has ${fullName(found)} ${place}, ${/\p{Cc}/u.test(found) ? 'a control character' : 'which is invisible'}: delete it`
}

/** Follows a complaint about a value of plain ASCII: its first other character. '' for none. */
export function strangeCharacter(value: unknown, areBlanksFine = false): string {
  if (typeof value !== 'string') return ''
  const characters = Array.from(value)
  const at = characters.findIndex((each) => !/[!-~]/.test(each) && !(areBlanksFine && /\s/.test(each)))
  const found = characters[at]
  return found === undefined ? '' : `; it has ${fullName(found)} at position ${at + 1}`
}

/** The idempotency key: `--key`, a column of a file, an EndToEndId. */
export const businessKeyInWords =
  '1 to 200 characters, without blanks at its ends, blanks of another kind than the space, line breaks and characters that nobody sees (Unicode NFC)'

/** False for a key that reads like another one: a stray or wide blank, a soft hyphen, an é in two characters. */
export function isIdempotencyKey(key: string): boolean {
  const isPlain = /^[^\s\p{C}\p{Z}](?: *[^\s\p{C}\p{Z}])*$/u.test(key) && !unseenCharacter.test(key)
  return isPlain && [...key].length <= 200 && key === key.normalize('NFC')
}

/** Of any version and variant. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/** A UUID in small letters, any other text as it is. */
export function normalId(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id
}

/** "1 row", "60 rows". */
export function howMany(count: number | bigint, one: string, many = `${one}s`): string {
  return `${count} ${Number(count) === 1 ? one : many}`
}
