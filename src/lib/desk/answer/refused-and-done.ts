/**
 * Answers whose code refuses, and that tell of a success all the same: a transaction, or a status in which money moves. The
 * service has no such answer, and one of the two is wrong: it proves nothing.
 */
import type { WriteOperation } from '../../contract/operation.ts'
import type { Beneath } from '../../wire/answer.ts'
import { isEmpty } from '../../wire/complaints.ts'
import { memberKind } from '../../wire/member-kind.ts'
import { objectsBelow } from '../../wire/told.ts'

/** True for a status of the operation or of its thing in which it was, or may be, executed. */
function isStatusOfSuccess({ statuses, proof }: WriteOperation, status: unknown): boolean {
  if (typeof status !== 'string') return false
  const namesItsStatuses = !proof.isDone('a status that nobody knows')
  if (namesItsStatuses) return proof.isDone(status)
  const facts = statuses?.(status) ?? null
  return facts !== null && facts.end !== 'not-paid'
}

/** True for the number of a transaction, however it is written; 0 and nothing are none. */
function isTransaction(member: unknown): boolean {
  return !isEmpty(member) && !/^0*$/.test(String(member).trim())
}

function isOfSuccess(operation: WriteOperation, name: string, member: unknown): boolean {
  const kind = memberKind(name)
  return kind === 'transactionid' ? isTransaction(member) : kind === 'status' && isStatusOfSuccess(operation, member)
}

/** The member that only an answer to what was executed has, wherever it stands; null where there is none. */
export function successIn(operation: WriteOperation, beneath: Beneath): string | null {
  if (beneath === null || 'why' in beneath) return null
  const members = [beneath.value, beneath.clear].flatMap((value) => objectsBelow(value)).flatMap(Object.entries)
  const [name = null] = members.find(([each, member]) => isOfSuccess(operation, each, member)) ?? []
  return name
}
