/**
 * Answers whose code refuses, and that tell of a success all the same: a transaction, or a status in which money moves. The
 * service has no such answer, and one of the two is wrong: it proves nothing.
 */

import { isEmpty } from '../../client/complaints.ts'
import { saysItWentWell } from '../../client/error-members.ts'
import { memberKind } from '../../client/member-kind.ts'
import type { Beneath } from '../../client/reading.ts'
import { objectsBelow } from '../../client/told.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { readOrderStatus } from '../../contract/order/status.ts'

/** True for a status of the operation or of its thing in which it was, or may be, executed; however it is spelled. */
function isStatusOfSuccess({ statuses, proof, evidence }: WriteOperation, told: unknown): boolean {
  if (typeof told !== 'string') return false
  const status = readOrderStatus(told.trim().toUpperCase())
  if (proof.doneBefore.includes(status)) return true
  if (Object.hasOwn(proof.refused, status)) return false
  const namesItsStatuses = !proof.isDone('a status that nobody knows')
  if (!namesItsStatuses) {
    const facts = statuses?.(status) ?? null
    return facts !== null && facts.end !== 'not-paid'
  }
  if (proof.isDone(status)) return true
  // A status of the thing that shows what the write is for.
  const thing = evidence?.by.statuses?.(status) ?? null
  return thing !== null && thing.end !== 'not-paid' && (evidence?.refusals?.shows(status) ?? false)
}

/** True for the number of a transaction, however it is written; 0 and nothing are none. */
function isTransaction(member: unknown): boolean {
  return !isEmpty(member) && !/^0*$/.test(String(member).trim())
}

const affirming: ReadonlySet<string> = new Set(saysItWentWell)

/** True for a member that says in so many words that it went well. */
function affirms(kind: string, member: unknown): boolean {
  return affirming.has(kind) && /^(?:true|yes|1|ok)$/i.test(String(member).trim())
}

function isOfSuccess(operation: WriteOperation, name: string, member: unknown): boolean {
  const kind = memberKind(name)
  if (affirms(kind, member)) return true
  return kind === 'transactionid' ? isTransaction(member) : kind === 'status' && isStatusOfSuccess(operation, member)
}

/** The member that only an answer to what was executed has, wherever it stands; null where there is none. */
export function successIn(operation: WriteOperation, beneath: Beneath): string | null {
  if (beneath === null || 'why' in beneath) return null
  return successAmong(operation, [beneath.value, beneath.clear])
}

/** The same in the values of an answer. */
export function successAmong(operation: WriteOperation, values: readonly unknown[]): string | null {
  const members = values.flatMap((value) => objectsBelow(value)).flatMap(Object.entries)
  const [name = null] = members.find(([each, member]) => isOfSuccess(operation, each, member)) ?? []
  return name
}
