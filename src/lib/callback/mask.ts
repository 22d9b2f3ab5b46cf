/**
 * Tokens of cards, hidden wherever a callback is shown: a token is enough to charge the card. The bytes themselves stay as
 * they came, in the store alone.
 */
import { isMembers, type Members } from '../contract/core/members.ts'
import { hideFound, isSecretHeader, mapTexts, type Report, Secrets, shortestSecret } from '../redact.ts'

/** `cardToken`, `token`, `card_token`, in any case: names of other people are guessed widely. */
const tokenName = /^(card)?[_-]?token$/i
/** A card number that was never masked; a masked one has asterisks. */
const cardNumber = /^\d(?:[ .-]?\d){11,18}$/
const cardName = /^card|^pan$/i
export const hiddenMark = '[hidden]'

export type Headers = readonly (readonly [name: string, value: string])[]

function isHidden(name: string, member: unknown, inCard: boolean): boolean {
  if (member === null || member === undefined) return false
  return tokenName.test(name) || ((inCard || cardName.test(name)) && cardNumber.test(String(member)))
}

function maskedMember(name: string, member: unknown, inCard: boolean): unknown {
  if (isHidden(name, member, inCard)) return hiddenMark
  return maskedValue(member, inCard || cardName.test(name))
}

function maskedValue(value: unknown, inCard: boolean): unknown {
  if (typeof value === 'string') return maskedText(value)
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, inCard))
  if (!isMembers(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskedMember(name, member, inCard)]))
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
    for (const [name, member] of Object.entries(value)) {
      const isOne = hidden || isHidden(name, member, inCard)
      all.push({ value: member, inCard: inCard || cardName.test(name), hidden: isOne })
    }
  }
  return [...found]
}

/*
 * Masking a text, whatever it is: JSON that is cut off, a query, a form, what a program says when it fails, or a page that quotes any
 * of them. hideFound takes its escapes off; rather too much is hidden than too little. Texts are foreign: nothing here may be
 * slow, so whatever can be repeated is bounded, or ends where the next attempt begins.
 */

/** The beginning of a name: not in the middle of another one. */
const start = '(?<![\\w-])'
const token = '(?:card)?[_-]?token'
/** Quotes and brackets that end the name. */
const closed = '(?:["\'\\]]|\\[[\\w-]{0,20}){0,6}'
/** The text between name and value. */
const between = `${closed}\\s*[=:>]{1,3}\\s*`
const beforeToken = new RegExp(`${start}${token}${between}`, 'gi')
const bareValue = /(?:(?:Bearer|Basic)[ \t]{1,8})?[^\s,&}"'<]+/iy
/** A whole number of a card after a name of one: elsewhere so many digits are an id. */
const cardInText = new RegExp(
  `${start}(?:card[\\w.-]{0,40}|pan)${between}["']?(?<digits>\\d(?:[ .+-]?\\d){11,18}(?!\\d))`,
  'dgi',
)

/** Escaped letters, quotes, brackets. */
const mark = /\\.|["'[\]{}]/gs

/** The end of the quoted text or the brackets that begin there, in a text that may be cut off. */
function endOf(text: string, from: number): number {
  let [depth, quote] = [0, '']
  mark.lastIndex = from
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [piece] = found
    if (piece.startsWith('\\') || (quote !== '' && piece !== quote)) continue
    if (quote !== '') quote = ''
    else if (piece === '"' || piece === "'") quote = piece
    else depth += piece === '[' || piece === '{' ? 1 : -1
    if (quote === '' && depth <= 0) return mark.lastIndex
  }
  return text.length
}

/** Reports the value that begins there. Returns its end. */
function reportValue(text: string, from: number, report: Report): number {
  const first = text.charAt(from)
  if (first === '"' || first === "'") {
    const end = endOf(text, from)
    const isClosed = end > from + 1 && text.charAt(end - 1) === first
    report(from + 1, isClosed ? end - 1 : end)
    return end
  }
  bareValue.lastIndex = from
  const end = first === '[' || first === '{' ? endOf(text, from) : bareValue.test(text) ? bareValue.lastIndex : from
  if (end > from) report(from, end)
  return end
}

function findTokens(text: string, report: Report): void {
  beforeToken.lastIndex = 0
  while (beforeToken.test(text)) beforeToken.lastIndex = reportValue(text, beforeToken.lastIndex, report)
  for (const { indices } of text.matchAll(cardInText)) report(...(indices?.groups?.digits ?? ([0, 0] as const)))
}

const noSecrets = new Secrets([])

/** A text as it may be shown; `secrets` are to be hidden wherever they stand in it, however they are written. */
export function maskedText(text: string, secrets: Secrets = noSecrets): string {
  return hideFound(secrets.hide(text, hiddenMark, shortestSecret), hiddenMark, findTokens)
}
