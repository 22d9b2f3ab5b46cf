/** A refusal that names the id of another request is no answer to this one, and neither is a charge of another card. */

import { memberKind } from '../../client/member-kind.ts'
import type { Beneath, Reading } from '../../client/reading.ts'
import { objectsBelow, toldPlacesIn, valuesOf } from '../../client/told.ts'
import type { Members } from '../../contract/core/members.ts'
import { normalId } from '../../contract/core/uuid.ts'
import { identities } from '../../contract/proof.ts'
import { isRecord } from '../../json.ts'

const told = [...identities, 'transactionId'] as const

/** Members that name the same thing: an order has one of them in some operations, and another in others. */
const ofThings: ReadonlySet<string> = new Set(['uniqueId', 'integratorOrderId'])

/** The id of the request that a member of its answer would repeat; null where it has none. */
function askedFor(request: Members, name: (typeof told)[number]): unknown {
  if (name === 'transactionId') return request.transaction_id ?? null
  return request[name] ?? (ofThings.has(name) ? (request.uniqueId ?? request.integratorOrderId) : null) ?? null
}

/** The difference between an id of the request and one that an answer tells, however deep; null where it tells no other. */
export function otherIdIn(request: Members, beneath: Beneath): string | null {
  if (beneath === null) return null
  const bodies = ['value' in beneath ? beneath.value : null, beneath.clear ?? {}]
  const places = toldPlacesIn(bodies.flatMap((body) => objectsBelow(body)))
  for (const name of told) {
    const asked = askedFor(request, name)
    if (asked === null) continue
    const other = valuesOf(places, name).find((each) => normalId(String(each).trim()) !== normalId(String(asked)))
    if (other !== undefined) return `the answer speaks of another ${name}, ${other}`
  }
  return null
}

/** The tokens of cards in an answer, however deep: members of that name, and tokens in what is called a card. */
function cardsToldIn(answer: unknown): readonly unknown[] {
  const found: unknown[] = []
  const left = [{ value: answer, name: '', isCard: false }]
  for (let at = left.pop(); at; at = left.pop()) {
    const kind = memberKind(at.name)
    const isCard = at.isCard || kind.includes('card')
    const isToken = /^tokens?(?:value|id)?$/.test(kind) || (isCard && /tokens?(?:value|id)?$/.test(kind))
    if (Array.isArray(at.value)) for (const value of at.value) left.push({ ...at, value })
    else if (isRecord(at.value))
      for (const [name, value] of Object.entries(at.value)) left.push({ value, name, isCard })
    else if (isToken && cardIn(at.value) !== null) found.push(at.value)
  }
  return found
}

/** The digits of a token, however it is written; null for what is none, such as a flag, a number or a mask. */
function cardIn(value: unknown): string | null {
  const digits = typeof value === 'string' ? value.replace(/[\s{}()-]/g, '').toLowerCase() : ''
  return /^[0-9a-f]{32}$/.test(digits) ? digits : null
}

/** True for the success of a charge that tells another card: asked before the token is hidden in it. */
function isOfAnotherCard({ cardToken }: Members, answer: unknown): boolean {
  return cardToken !== undefined && cardsToldIn(answer).some((told) => cardIn(told) !== cardIn(cardToken))
}

/** An answer as it was read, or as nothing definite where it refuses another request, or charged another card. */
export function ofThisRequest<Answer>(request: Members, read: Reading<Answer>): Reading<Answer> {
  if (read.kind === 'answer' && isOfAnotherCard(request, read.answer)) {
    const words = { http: 200, statusCode: null, exceptionGroup: null, message: null }
    // As another sum would be: no read shows which card was charged.
    const otherSum = 'the answer speaks of another card'
    return { kind: 'nonsense', words, why: otherSum, otherSum }
  }
  if (read.kind !== 'coded') return read
  const why = otherIdIn(request, read.beneath)
  return why === null ? read : { kind: 'nonsense', words: read.words, why }
}
