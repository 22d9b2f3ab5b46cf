/**
 * Answers whose code refuses, and that tell of a success all the same: a transaction, or a status in which money moves. The
 * service has no such answer, and one of the two is wrong: it proves nothing.
 */
import type { WriteOperation } from '../../contract/operation.ts'
import { isRecord } from '../../json.ts'
import type { Beneath } from '../../wire/answer.ts'
import { memberKind } from '../../wire/told.ts'

/** No answer has more objects in each other. */
const deepest = 4

/** True for a status of the operation or of its thing in which it was, or may be, executed. */
function isStatusOfSuccess({ statuses, proof }: WriteOperation, status: unknown): boolean {
  if (typeof status !== 'string') return false
  const namesItsStatuses = !proof.isDone('a status that nobody knows')
  if (namesItsStatuses) return proof.isDone(status)
  const facts = statuses?.(status) ?? null
  return facts !== null && facts.end !== 'not-paid'
}

function isOfSuccess(operation: WriteOperation, name: string, member: unknown): boolean {
  const kind = memberKind(name)
  if (kind === 'transactionid') return /^[1-9]\d*$/.test(String(member))
  return kind === 'status' && isStatusOfSuccess(operation, member)
}

function found(operation: WriteOperation, value: unknown, depth: number): string | null {
  if (depth === 0) return null
  if (Array.isArray(value)) return value.map((each) => found(operation, each, depth - 1)).find(Boolean) ?? null
  if (!isRecord(value)) return null
  const members = Object.entries(value)
  const [name = null] = members.find(([each, member]) => isOfSuccess(operation, each, member)) ?? []
  return name ?? members.map(([, member]) => found(operation, member, depth - 1)).find(Boolean) ?? null
}

/** The member that only an answer to what was executed has; null where there is none. */
export function successIn(operation: WriteOperation, beneath: Beneath): string | null {
  if (beneath === null || 'why' in beneath) return null
  return found(operation, beneath.value, deepest) ?? found(operation, beneath.clear, deepest)
}
