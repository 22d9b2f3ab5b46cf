/**
 * Tokens of cards, hidden wherever a callback is shown: a token is enough to charge the card. The bytes themselves stay as
 * they came, in the store alone.
 */
import { isMembers, type Members } from '../contract/core/members.ts'
import { isSecretHeader, mapTexts, Secrets, shortestSecret } from '../redact.ts'

/** `cardToken`, `token`, `card_token`, in any case: names of other people are guessed widely. */
const tokenName = /^(card)?[_-]?token$/i
/** A card number that was never masked; a masked one has asterisks. */
const cardNumber = /^\d(?:[ .-]?\d){11,18}$/
const cardName = /^card|^pan$/i
export const hiddenMark = '[hidden]'

/** The member that holds the value of one that is named by another: `{ "name": "cardToken", "value": "…" }`. */
const valueName = 'val(?:ue)?|content'
const namedValue = new RegExp(`^(?:${valueName})$`, 'i')

export type Headers = readonly (readonly [name: string, value: string])[]

function isHidden(name: string, member: unknown, inCard: boolean): boolean {
  if (member === null || member === undefined) return false
  return tokenName.test(name) || ((inCard || cardName.test(name)) && cardNumber.test(String(member)))
}

/** Under which name a value is to be judged, for each of its members. */
function judged(members: Members): readonly (readonly [name: string, member: unknown, as: string])[] {
  const texts = Object.values(members).filter((each) => typeof each === 'string')
  const said = texts.find((each) => tokenName.test(each)) ?? texts.find((each) => cardName.test(each))
  return Object.entries(members).map(([name, member]) => [
    ...([name, member] as const),
    said !== undefined && namedValue.test(name) ? said : name,
  ])
}

function maskedMember(name: string, member: unknown, inCard: boolean): unknown {
  if (isHidden(name, member, inCard)) return hiddenMark
  return maskedValue(member, inCard || cardName.test(name))
}

function maskedValue(value: unknown, inCard: boolean): unknown {
  if (typeof value === 'string') return maskedText(value)
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, inCard))
  if (!isMembers(value)) return value
  return Object.fromEntries(judged(value).map(([name, member, as]) => [name, maskedMember(as, member, inCard)]))
}

type Hide = <Made>(made: Made) => Made

/** The members as they may be shown: what one of them hides is hidden where another one quotes it, too. */
export function maskedMembers(members: Members, hide = hidingSecretsOf(members)): Members {
  return hide(maskedValue(members, false) as Members)
}

/** Hides the secrets that the members hold in values made from them. */
export function hidingSecretsOf(members: Members): Hide {
  const found = callbackSecrets(members).filter((each) => each.length >= recognised && !cardNumber.test(each))
  if (found.length === 0) return (made) => made
  const secrets = new Secrets(found)
  return (made) => mapTexts(made, (text) => secrets.hide(text, hiddenMark, wholeOnly))
}

/** Words of the contract have less than most tokens: a callback that calls SUCCESS a token must not hide its own status. Nor is a number of a card looked for: elsewhere so many digits are an id. */
const recognised = 8

/** Of a member, which is whole: the beginning of a secret at its end is an accident. */
const wholeOnly = Number.POSITIVE_INFINITY

/** Headers as they may be shown; `secrets` are those of the body that came with them. */
export function maskedHeaders(headers: Headers, secrets?: Secrets): Headers {
  return headers.map(([name, value]) => [name, isSecretHeader(name) ? hiddenMark : maskedText(value, secrets)])
}

/** Yes, no and nothing are none: they would be hidden wherever they are said. */
function isSecret(value: unknown): boolean {
  return value !== null && typeof value !== 'boolean' && String(value).length >= shortestSecret
}

/**
 * The letters that `masked` hides of a value, each text once; a text too short to be a secret would hide half of the output.
 * It works through a list instead of recursing, because a foreign text can be nested deeper than a stack.
 */
export function callbackSecrets(value: unknown): readonly string[] {
  const found = new Set<string>()
  const all = [{ value, inCard: false, hidden: false }]
  // The list grows while it is walked through.
  for (const { value, inCard, hidden } of all) {
    if (Array.isArray(value)) {
      for (const each of value) all.push({ value: each, inCard, hidden })
      continue
    }
    if (!isMembers(value)) {
      if (hidden && isSecret(value)) found.add(String(value))
      continue
    }
    for (const [, member, as] of judged(value)) {
      const isOne = hidden || isHidden(as, member, inCard)
      all.push({ value: member, inCard: inCard || cardName.test(as), hidden: isOne })
    }
  }
  return [...found]
}

/*
 * Masking a text, whatever it is: JSON that is cut off, a query, a form, what a program says when it fails, or a page that quotes any
 * of them. Names are found bare or in quotes, percent-encoded or escaped; rather too much is hidden than too little. Texts are
 * foreign: nothing here may be slow, so whatever can be repeated is bounded, or ends where the next attempt begins.
 */

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

/** Quotes with the backslashes before them, backslashes alone, brackets. */
const mark = /\\+["']?|["'[\]{}]/g
const quotes = /["']$/

/** True if these quotes, with the backslashes before them, end the text that the opening ones began. */
function ends(opening: string, closing: string): boolean {
  if (closing.at(-1) !== opening.at(-1)) return false
  const backslashes = closing.length - 1
  return opening.length === 1 ? backslashes % 2 === 0 : closing.length <= opening.length
}

/**
 * The place behind the bracket that closes the one at `from`, in a text that may be JSON, nearly JSON, JSON as a text in JSON, or cut
 * off; the end of the text where none does.
 */
function endOfNested(text: string, from: number): number {
  let depth = 0
  let inside: string | null = null
  mark.lastIndex = from
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [piece] = found
    if (quotes.test(piece)) {
      if (inside === null) inside = piece
      else if (ends(inside, piece)) inside = null
    } else if (inside === null && !piece.startsWith('\\')) {
      depth += piece === '[' || piece === '{' ? 1 : -1
      if (depth === 0) return mark.lastIndex
    }
  }
  return text.length
}
