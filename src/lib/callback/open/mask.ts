/**
 * Tokens of cards, hidden wherever a callback is shown: a token is enough to charge the card. The bytes themselves stay as
 * they came, in the store alone.
 */
import { isMembers, type Members } from '../../contract/core/members.ts'
import { isSecretHeader, mapTexts, Secrets, shortestSecret } from '../../redact.ts'
import { hiddenMark, maskedText, valueName } from './mask-text.ts'

/** `cardToken`, `token`, `card_token`, in any case: names of other people are guessed widely. */
const tokenName = /^(card)?[_-]?token$/i
/** A card number that was never masked; a masked one has asterisks. */
const cardNumber = /^\d(?:[ .-]?\d){11,18}$/
const cardName = /^card|^pan$/i
/** The member that holds the value of one that is named by another: `{ "name": "cardToken", "value": "…" }`. */
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
