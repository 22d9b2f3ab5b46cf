/**
 * Statuses that an answer without a definite meaning tells all the same: under an error, beside a code, without an id. They prove
 * nothing, and they are traces: no later read denies them (money-safety.md#duplicates).
 */

import { memberKind } from '../../client/member-kind.ts'
import { objectsBelow } from '../../client/told.ts'
import type { Members } from '../../contract/core/members.ts'
import { normalId } from '../../contract/core/uuid.ts'
import type { Operation, WriteOperation } from '../../contract/operation.ts'
import { readOrderStatus } from '../../contract/order/status.ts'
import { identities } from '../../contract/proof.ts'
import type { StatusReader } from '../../contract/status.ts'
import { isTrace } from '../../journal/payment-end.ts'
import type { Exchanged } from '../line/exchange.ts'
import { otherIdIn } from './foreign-error.ts'

/** Statuses that its thing may have and in which it has not ended unpaid, one of each meaning; none of an answer about another thing. */
export function statusesTold(operation: Operation, request: Members, read: Exchanged<unknown>): readonly string[] {
  const beneath = read.kind === 'answer' ? { value: read.answer } : 'beneath' in read ? (read.beneath ?? null) : null
  if (beneath === null || otherIdIn(request, beneath) !== null) return []
  const objects = ['value' in beneath ? beneath.value : null, beneath.clear].flatMap((each) => objectsBelow(each))
  // Something on the way has words such as PENDING of its own: the service seals, succeeds, or repeats the id.
  const http = 'words' in read ? (read.words.http ?? 0) : 200
  const isItsOwn = beneath.clear !== undefined || (http >= 200 && http < 300)
  if (!isItsOwn && !tellsId(request, objects)) return []
  const evidence = operation.effect === 'write' ? operation.evidence?.by.statuses : null
  const readers = [evidence, operation.statuses].filter((reader): reader is StatusReader => reader != null)
  const texts = objects
    .flatMap(Object.entries)
    .flatMap(([name, value]) => (memberKind(name) === 'status' && typeof value === 'string' ? [value] : []))
  // An answer may be made of names of which each is a status, such as REFUNDED_BY_1 and so on.
  const told = new Map<string, string>()
  for (const text of texts) {
    const status = readOrderStatus(text.trim().toUpperCase())
    const facts = readers.map((reader) => reader(status)).find((each) => each !== null)
    // That it ended unpaid is for a definite answer alone to tell.
    if (facts && facts.end !== 'not-paid' && !told.has(facts.means)) told.set(facts.means, status)
  }
  return [...told.values()]
}

/** True if an id of the request stands in the answer. */
function tellsId(request: Members, objects: readonly Members[]): boolean {
  const asked = [...identities, 'transaction_id'].flatMap((name) =>
    request[name] == null ? [] : [normalId(String(request[name]))],
  )
  const told = objects.flatMap((object) => Object.values(object)).filter((value) => typeof value !== 'object')
  return told.some((value) => asked.includes(normalId(String(value).trim())))
}

/** The one by which the write may have been done, or tried; null where it is told none, or a refusal in so many words. */
export function statusAllTheSame(operation: WriteOperation, request: Members, read: Exchanged<unknown>): string | null {
  const { name, proof, evidence } = operation
  const isTold = (status: string) => isTrace(name, status) || (evidence?.tried.includes(status) ?? false)
  const told = statusesTold(operation, request, read)
  const own = told.filter((status) => isTold(status) && !Object.hasOwn(proof.refused, status))
  // Paid, where one of them says so: the others may be from before.
  return own.find((status) => evidence?.by.statuses?.(status)?.end === 'paid') ?? own[0] ?? null
}
