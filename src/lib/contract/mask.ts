/** The text in the place of a secret, and the members of requests and answers that hold one. */
import { JsonNumber } from './core/decimal.ts'
import { isMembers } from './core/members.ts'

export const mask = '[hidden]'

const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')

/** Names of a card token in answers (service.md#callbacks), and those it could have. */
const namesCardToken = (name: string) => /tokens?(?:value|id)?$/.test(plain(name))
const namesSecret = (name: string) => /(?:tokens?(?:value|id)?|clientsecret)$/.test(plain(name))

const isScalar = (value: unknown) => typeof value === 'string' || value instanceof JsonNumber

/** `hidden`: inside a member of such a name. */
function without(names: (name: string) => boolean, value: unknown, hidden = false): unknown {
  if (Array.isArray(value)) return value.map((each) => without(names, each, hidden))
  if (hidden && isScalar(value)) return mask
  if (!isMembers(value)) return value
  const members = Object.entries(value).map(([name, member]) => [name, without(names, member, hidden || names(name))])
  return Object.fromEntries(members)
}

export function withoutCardTokens(value: unknown): unknown {
  return without(namesCardToken, value)
}

/** Hiding a shorter text wherever it stands would take a status or a sum with it. */
const shortestToken = 8

/** The tokens of cards in an answer, however deep. */
export function cardTokensIn(value: unknown): readonly string[] {
  const found: string[] = []
  const all = [{ value, hidden: false }]
  // The list grows while it is walked through.
  for (const { value, hidden } of all) {
    if (Array.isArray(value)) for (const each of value) all.push({ value: each, hidden })
    else if (isMembers(value)) {
      for (const [name, member] of Object.entries(value))
        all.push({ value: member, hidden: hidden || namesCardToken(name) })
    } else if (hidden && isScalar(value) && String(value).length >= shortestToken) found.push(String(value))
  }
  return found
}

export function withoutSecrets(value: unknown): unknown {
  return without(namesSecret, value)
}

const masked = /^\d{0,6}[*xX•·#]+\d{0,4}$/

function isCardMask(text: string): boolean {
  return masked.test(text.replaceAll(/[ -]/g, ''))
}

export function shownCardMask(text: string | null): string | null {
  return text === null || isCardMask(text) ? text : mask
}
