/**
 * Tokens of cards, hidden wherever a callback is shown: whoever knows one can charge the card. The bytes themselves stay as
 * they came, in the store alone.
 */
import { isMembers, type Members } from '../contract/members.ts'

export const mask = '[hidden]'

/** `cardToken`, `token`, `card_token`, in any case: names of other people are guessed widely. */
const tokenName = /^(card)?[_-]?token$/i
/** The same in a text that is no JSON, or not yet. */
const tokenInText = /("(?:card)?[_-]?token"\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s,}"]+)/gi
/** A card number that was never masked; a masked one has asterisks. */
const cardNumber = /^\d{12,19}$/

const hiddenHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key'])

export type Headers = readonly (readonly [name: string, value: string])[]

function maskedMember(name: string, member: unknown, inCard: boolean): unknown {
  if (member === null || member === undefined) return member
  if (tokenName.test(name)) return mask
  if (inCard && cardNumber.test(String(member))) return mask
  return maskedValue(member, inCard || /^card/i.test(name))
}

function maskedValue(value: unknown, inCard: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, inCard))
  if (!isMembers(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskedMember(name, member, inCard)]))
}

/** The members as they may be shown. */
export function masked(members: Members): Members {
  return maskedValue(members, false) as Members
}

/** A text as it may be shown, whatever it is. */
export function maskedText(text: string): string {
  return text.replace(tokenInText, `$1"${mask}"`)
}

/** Headers as they may be shown. */
export function maskedHeaders(headers: Headers): Headers {
  return headers.map(([name, value]) => [name, hiddenHeaders.has(name.toLowerCase()) ? mask : value])
}

/** The tokens themselves, for the redactor. */
export function tokensIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(tokensIn)
  if (!isMembers(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    tokenName.test(name) && typeof member === 'string' ? [member] : tokensIn(member),
  )
}
