/**
 * All that an answer tells of the same facts, wherever it tells them: at the top, in a `value`, and in the clear beside an
 * envelope, in any capitals. Two ids, statuses, sums or codes that differ are none.
 */
import { JsonNumber, plainDecimal } from '../contract/core/decimal.ts'
import type { Members } from '../contract/core/members.ts'
import { normalId } from '../contract/core/uuid.ts'
import type { Operation } from '../contract/operation.ts'
import { readOrderStatus } from '../contract/order/status.ts'
import { identities } from '../contract/proof.ts'
import { isRecord, writeJson } from '../json.ts'
import { errorIn, isHarmless } from './complaints.ts'
import { memberKind } from './member-kind.ts'

/** Members of the envelope itself. */
const ofEnvelope: ReadonlySet<string> = new Set(['encrypteddata', 'encryptedkeys', 'aes', 'identifier'])

export function isEnvelope(body: unknown): boolean {
  return isRecord(body) && Object.hasOwn(body, 'encryptedData')
}

/** The members in the clear beside an envelope. */
export function inTheClear(body: unknown): Members {
  const members = isRecord(body) ? Object.entries(body) : []
  return Object.fromEntries(members.filter(([name]) => !ofEnvelope.has(memberKind(name))))
}

/** No answer of the service has more objects in each other. */
const deepest = 4

/** The object itself, and those that stand in its `value`. */
export function objectsIn(value: unknown, depth = deepest): readonly Members[] {
  if (!isRecord(value) || depth === 0) return []
  const inside = Object.entries(value).filter(([name]) => memberKind(name) === 'value')
  return [value, ...inside.flatMap(([, member]) => objectsIn(member, depth - 1))]
}

/** All objects of an answer, wherever and however deep they stand in it, in lists too. */
export function objectsBelow(value: unknown): readonly Members[] {
  const objects: Members[] = []
  const left = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next !== 'object' || next === null) continue
    if (isRecord(next)) objects.push(next)
    for (const member of Object.values(next)) left.push(member)
  }
  return objects
}

/** The facts of which an answer may tell one only. */
const subjects = [...identities, 'transactionId'] as const
const sums = ['amount', 'currency', 'initialCurrency'] as const
const payees = ['toIban', 'receiverId', 'beneficiaryName'] as const
const ofRegistrations = ['userId', 'receiverName', 'minAmountAllowed', 'maxAmountAllowed'] as const
const facts = [...subjects, ...sums, ...payees, ...ofRegistrations, 'status', 'statusCode', 'exceptionGroup'] as const

/** True for a value that tells nothing of its fact. */
function saysNothing(fact: string, value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (fact === 'statusCode') return isHarmless(value)
  return fact === 'status' && (isHarmless(value) || value === true || formOf(fact, value) === 'ok')
}

/** One form for all spellings of the same value. */
export function formOf(fact: string, value: unknown): string {
  const text = typeof value === 'object' && !(value instanceof JsonNumber) ? writeJson(value) : String(value).trim()
  if (/amount/i.test(fact)) return plainDecimal(text) ?? text
  if (fact === 'status') return readOrderStatus(text.toUpperCase()).toLowerCase()
  if (fact === 'currency' || fact === 'initialCurrency') return text.toUpperCase()
  if (fact === 'toIban') return text.replace(/\s/g, '').toUpperCase()
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : normalId(text)
}

/** All the places where an answer may tell something, and what they tell: it is asked for a dozen facts. */
export interface ToldPlaces {
  readonly objects: readonly Members[]
  /** By the kinds of the members. */
  readonly values: ReadonlyMap<string, readonly unknown[]>
}

export function toldPlacesIn(objects: readonly Members[]): ToldPlaces {
  const values = new Map<string, unknown[]>()
  for (const object of objects) {
    for (const name of Object.keys(object)) {
      const kind = memberKind(name)
      const same = values.get(kind)
      if (same) same.push(object[name])
      else values.set(kind, [object[name]])
    }
  }
  return { objects, values }
}

/** The values that an answer tells of a fact. */
export function valuesOf(places: ToldPlaces, fact: string): readonly unknown[] {
  const told = places.values.get(memberKind(fact)) ?? nothingTold
  return told.length === 0 ? told : told.filter((value) => !saysNothing(fact, value))
}

const nothingTold: readonly unknown[] = []

/** The fact of which an answer tells two that differ; null where there is none. */
export function contradictionIn(places: ToldPlaces): string | null {
  const isTwo = (fact: string, values: readonly unknown[]) =>
    values.length > 1 && new Set(values.map((value) => formOf(fact, value))).size > 1
  return facts.find((fact) => isTwo(fact, valuesOf(places, fact))) ?? null
}

/** The reason why a success cannot be believed that holds `read`, the object with the members of the contract. */
export function objectionTo(places: ToldPlaces, read: unknown, operation: Operation): string | null {
  if (valuesOf(places, 'statusCode').length > 0) return 'the answer has a statusCode that is not written as one'
  // An error among the members of an answer to a write is judged with its status.
  const outside = places.objects.filter((place) => place !== read).map((place) => errorIn(place))
  const beside = outside.find((error) => error !== null) ?? null
  if (beside !== null) return `the answer speaks of an error beside its value: ${beside}`
  const inside = operation.effect === 'read' && isRecord(read) ? errorIn(read, tellsOfUnpaid(places, operation)) : null
  return inside === null ? null : `the answer speaks of an error, too: ${inside}`
}

/** True for a read that shows a thing that has ended unpaid. */
function tellsOfUnpaid(places: ToldPlaces, { statuses }: Operation): boolean {
  const [status] = valuesOf(places, 'status')
  return statuses?.(String(status).trim())?.end === 'not-paid'
}

/** The reason why the success of a write cannot be believed: a refusal stands deeper in it than one is read. `read` as above. */
export function refusalBelow(values: readonly unknown[], read: unknown): string | null {
  const objects = values.flatMap((value) => objectsBelow(value)).filter((object) => object !== read)
  const isCoded = (object: Members) =>
    Object.entries(object).some(([name, member]) => memberKind(name) === 'statuscode' && !isHarmless(member))
  if (objects.some(isCoded)) return 'the answer has a statusCode where none belongs'
  const error = objects.map((object) => errorIn(object)).find((told) => told !== null) ?? null
  return error === null ? null : `the answer speaks of an error where none belongs: ${error}`
}

/**
 * Adds the ids, the sum and the payee that an answer tells in another place, or in other capitals than the contract has, so that they are
 * compared with the request as all others are.
 */
export function withAllTold<Answer>(answer: Answer, places: ToldPlaces): Answer {
  if (!isRecord(answer)) return answer
  const missing = [...subjects, ...sums, ...payees].filter(
    (name) => (Object.hasOwn(answer, name) ? answer[name] : null) == null,
  )
  const elsewhere = missing.flatMap((name) =>
    valuesOf(places, name)
      .slice(0, 1)
      .map((value) => [name, value] as const),
  )
  return elsewhere.length === 0 ? answer : { ...answer, ...Object.fromEntries(elsewhere) }
}

/** True if an answer tells a status, and not where its reader looks for it. */
export function hidesStatus(answer: unknown, places: ToldPlaces): boolean {
  const read = isRecord(answer) && Object.hasOwn(answer, 'status') ? answer.status : null
  return (read ?? null) === null && valuesOf(places, 'status').length > 0
}
