/**
 * The body beneath an HTTP status that turns away (401, 429, 307, 308). The status is believed over nothing, a page, and a
 * plain error: one that has members of errors only, and no code but one that refuses. Anything else may be the answer of the
 * service to what it has executed.
 */

import { isEmpty } from '../../client/complaints.ts'
import { codesOfErrors, ofPlainErrors } from '../../client/error-members.ts'
import { memberKind } from '../../client/member-kind.ts'
import type { Beneath } from '../../client/reading.ts'
import { objectsBelow, type ToldPlaces, toldPlacesIn, valuesOf } from '../../client/told.ts'
import { ranNothing } from '../../contract/codes/code-book.ts'
import { refusingGroups } from '../../contract/codes/order.ts'
import type { Members } from '../../contract/core/members.ts'
import type { Operation, WriteOperation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import type { ServiceWords } from '../../failure.ts'
import type { Verdict } from '../../journal/verdict.ts'
import { isRecord } from '../../json.ts'

/** Members in which an error says what it is. */
const complaining: ReadonlySet<string> = new Set([
  ...['message', 'error', 'errors', 'errormessage', 'errordescription', 'title', 'detail'],
])

/** Words that affirm, though the contract has no such status. */
const affirming: ReadonlySet<string> = new Set([
  ...['OK', 'ACCEPTED', 'APPROVED', 'CREATED', 'DONE', 'EXECUTED', 'PAID', 'PROCESSED', 'QUEUED', 'SUCCEEDED'],
])

/** No error has more objects in each other. */
const deepest = 4

function numberIn(value: unknown): number | null {
  const text = String(value).trim()
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

/** True for a status that an operation knows, of its thing or as an answer. In the capitals that the contract has. */
function knows(operation: Operation, status: string): boolean {
  if ((operation.statuses?.(status) ?? null) !== null) return true
  if (operation.effect === 'read') return false
  const { proof, payment } = operation
  if (Object.hasOwn(proof.refused, status) || proof.doneBefore.includes(status)) return true
  return payment ? payment(status) !== null : proof.isDone(status)
}

/** True for a status that errors have: a number of HTTP that is none of success, or a word that is no status of a payment. */
function isStatusOfError(status: unknown): boolean {
  const number = numberIn(status)
  if (number !== null) return number >= 300 && number < 600
  const word = String(status).trim().toUpperCase()
  return typeof status === 'string' && !affirming.has(word) && !operations.some((each) => knows(each, word))
}

/** True for a code that says that it went well, or that cannot be read. */
function isCodeOfNoError(code: unknown): boolean {
  const number = numberIn(code)
  return number === null ? typeof code !== 'string' : number === 0 || (number >= 200 && number < 300)
}

/** True for a member that no plain error has. */
function isForeign(kind: string, member: unknown): boolean {
  if (!ofPlainErrors.has(kind)) return true
  if (kind === 'value') return !isRecord(member)
  if (kind === 'status') return !isStatusOfError(member)
  return codesOfErrors.some((name) => memberKind(name) === kind) && isCodeOfNoError(member)
}

/** The first member that no plain error has; null where there is none. */
function foreignIn(value: unknown, depth: number): string | null {
  if (Array.isArray(value)) return value.map((each) => foreignIn(each, depth)).find((name) => name !== null) ?? null
  if (!isRecord(value)) return null
  const foreign = Object.entries(value).map(([name, member]) => {
    if (isEmpty(member)) return null
    return depth === 0 || isForeign(memberKind(name), member) ? name : foreignIn(member, depth - 1)
  })
  return foreign.find((name) => name !== null) ?? null
}

function complains(place: Members): boolean {
  return Object.entries(place).some(([name, member]) => complaining.has(memberKind(name)) && (member ?? null) !== null)
}

/** Codes of the service; a repetition of the HTTP status, as gateways write it, is none. */
function codesIn(places: ToldPlaces, http: number | null): readonly number[] {
  const told = codesOfErrors.flatMap((name) => valuesOf(places, name)).map(numberIn)
  return [...new Set(told)].filter((code) => code !== null && code !== http).map(Number)
}

/** The objection to a code beneath; null where it says that nothing was executed, or where there is none. */
function objectionToCode({ area }: WriteOperation, places: ToldPlaces, codes: readonly number[]): string | null {
  const groups = [...new Set(valuesOf(places, 'exceptionGroup').map(numberIn))]
  const [[code = null], [group = null]] = [codes, groups]
  if (codes.length > 1 || groups.length > 1) return 'its body has two codes'
  const isSilent = code === null && (group === null || area === 'A' || refusingGroups.has(group))
  if (isSilent || (area === 'A' && code === 5021) || ranNothing(area, code, group).ran === 'no') return null
  return `its ${code === null ? `group ${group}` : `code ${code}`} does not say that nothing was done`
}

/** The verdict that the body beneath a status that turns away has in its place; null where the status is believed. */
export function contradictedBy(
  operation: WriteOperation,
  { words, beneath }: { readonly words: ServiceWords; readonly beneath: Beneath },
): Verdict | null {
  if (beneath === null) return null
  const doubt = (how: string): Verdict => ({
    ...{ kind: 'unknown', words },
    why: `the service turns it away (HTTP ${words.http}), but ${how}`,
  })
  if ('why' in beneath) return doubt(beneath.why)
  if (!isRecord(beneath.value)) return doubt('its body is no error')
  const bodies = [beneath.value, beneath.clear ?? {}]
  const places = toldPlacesIn(bodies.flatMap((body) => objectsBelow(body)))
  const codes = codesIn(places, words.http)
  const [code = null] = codes
  const isTaken = codes.length === 1 && code === operation.duplicateCode
  if (isTaken) return { kind: 'duplicate', words: { ...words, statusCode: code } }
  const foreign = bodies.map((body) => foreignIn(body, deepest)).find((name) => name !== null) ?? null
  if (foreign !== null) return doubt(`its body is no plain error: it has ${foreign}`)
  const objection = objectionToCode(operation, places, codes)
  if (objection !== null) return doubt(objection)
  return code !== null || places.objects.some(complains) ? null : doubt('its body is no error')
}
