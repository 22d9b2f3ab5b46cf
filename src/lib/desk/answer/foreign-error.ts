/** A refusal that names the id of another request is no answer to this one: it refused something else. */
import type { Members } from '../../contract/core/members.ts'
import { normalId } from '../../contract/core/uuid.ts'
import { identities } from '../../contract/proof.ts'
import type { Beneath, Reading } from '../../wire/answer.ts'
import { objectsBelow, toldPlacesIn, valuesOf } from '../../wire/told.ts'

const told = [...identities, 'transactionId'] as const

/** Members that name the same thing: an order has one of them in some operations, and another in others. */
const ofThings: ReadonlySet<string> = new Set(['uniqueId', 'integratorOrderId'])

/** The id of the request that a member of its answer would repeat; null where it has none. */
function askedFor(request: Members, name: (typeof told)[number]): unknown {
  if (name === 'transactionId') return request.transaction_id ?? null
  return request[name] ?? (ofThings.has(name) ? (request.uniqueId ?? request.integratorOrderId) : null) ?? null
}

/** The difference between an id of the request and one that an error tells; null where it tells no other. */
function otherIdIn(request: Members, beneath: Beneath): string | null {
  if (beneath === null) return null
  const bodies = ['value' in beneath ? beneath.value : null, beneath.clear ?? {}]
  const places = toldPlacesIn(bodies.flatMap((body) => objectsBelow(body)))
  for (const name of told) {
    const asked = askedFor(request, name)
    if (asked === null) continue
    const other = valuesOf(places, name).find((each) => normalId(String(each).trim()) !== normalId(String(asked)))
    if (other !== undefined) return `the refusal speaks of another ${name}, ${other}`
  }
  return null
}

/** A refusal as it was read, or as nothing definite where it speaks of another request. */
export function ofThisRequest<Answer>(request: Members, read: Reading<Answer>): Reading<Answer> {
  if (read.kind !== 'coded') return read
  const why = otherIdIn(request, read.beneath)
  return why === null ? read : { kind: 'nonsense', words: read.words, why }
}
