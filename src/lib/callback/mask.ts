/**
 * Tokens of cards, hidden wherever a callback is shown: whoever knows one can charge the card. The bytes themselves stay as
 * they came, in the store alone.
 */
import { isMembers, type Members } from '../contract/members.ts'
import { mask, maskedText } from './mask-text.ts'

/** `cardToken`, `token`, `card_token`, in any case: names of other people are guessed widely. */
const tokenName = /^(card)?[_-]?token$/i
/** A card number that was never masked; a masked one has asterisks. */
const cardNumber = /^\d(?:[ -]?\d){11,18}$/
const cardName = /^card|^pan$/i

const hiddenHeader = /^(authorization|proxy-authorization|cookie|x-api-key|(x-)?(card)?[_-]?token)$/i

export type Headers = readonly (readonly [name: string, value: string])[]

function isHidden(name: string, member: unknown, inCard: boolean): boolean {
  if (member === null || member === undefined) return false
  return tokenName.test(name) || ((inCard || cardName.test(name)) && cardNumber.test(String(member)))
}

function maskedMember(name: string, member: unknown, inCard: boolean): unknown {
  if (isHidden(name, member, inCard)) return mask
  return maskedValue(member, inCard || cardName.test(name))
}

function maskedValue(value: unknown, inCard: boolean): unknown {
  if (typeof value === 'string') return maskedText(value)
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, inCard))
  if (!isMembers(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskedMember(name, member, inCard)]))
}

/** The members as they may be shown. */
export function masked(members: Members): Members {
  return maskedValue(members, false) as Members
}

/** Headers as they may be shown. */
export function maskedHeaders(headers: Headers): Headers {
  return headers.map(([name, value]) => [name, hiddenHeader.test(name) ? mask : maskedText(value)])
}

function scalarsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(scalarsIn)
  return isMembers(value) ? Object.values(value).flatMap(scalarsIn) : [String(value)]
}

/** Whatever `masked` hides of a value, in its own letters; what is too short to be a secret would hide half a text. */
export function secretsIn(value: unknown, inCard = false): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => secretsIn(each, inCard))
  if (!isMembers(value)) return []
  const found = Object.entries(value).flatMap(([name, member]) =>
    isHidden(name, member, inCard) ? scalarsIn(member) : secretsIn(member, inCard || cardName.test(name)),
  )
  return found.filter((each) => each.length >= 4)
}
