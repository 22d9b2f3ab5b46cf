/**
 * The read of a thing: an order, a wallet order, a payout. Whatever it shows stays with the writes of this journal about the thing,
 * whichever command asks: a later read, from a copy that lags behind, must not deny it (money-safety.md#duplicates).
 */
import type { Members } from '../../contract/core/members.ts'
import { normalId } from '../../contract/core/uuid.ts'
import type { AnswerOf, ReadOperation, RequestOf, Subject } from '../../contract/operation.ts'
import { writeNamed } from '../../contract/operations.ts'
import { isSameService } from '../../contract/service.ts'
import type { Intent } from '../../journal/intent.ts'
import { isCreation, isExecutedIn, isTrace, wasShown } from '../../journal/payment-end.ts'
import { unmoved } from '../../journal/verdict.ts'
import { isRecord } from '../../json.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'
import { scopeOf } from '../draft.ts'
import { contradiction } from '../echo.ts'
import { writesTo } from '../recover/at-stake.ts'

/** An answer, and the writes about its thing as the journal has them from then on; none where it speaks of another thing. */
export interface ReadThing<Op extends ReadOperation> {
  readonly answer: AnswerOf<Op>
  readonly writes: readonly Intent[]
}

export interface ThingAsked {
  readonly deadline?: number | undefined
  /** The journal id of a write that has not left yet: nothing of it can be shown. */
  readonly unsent?: string
  /** The id that the thing must have, where the question names it in another way; null for whichever it is. */
  readonly expected?: string | null
}

/** Throws a Failure as `call`. */
export async function readThing<Op extends ReadOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  { deadline, unsent, expected = null }: ThingAsked = {},
): Promise<ReadThing<Op>> {
  const answer = await call(desk, operation, request, deadline)
  const shown = contradiction(operation, request, answer) === null ? shownIn(operation, request, answer) : null
  if (shown === null || (expected !== null && shown.id !== expected)) return { answer, writes: [] }
  const writes = await writesTo(desk, shown.about, shown.id)
  const known = writes.map((write) => (write.journalId === unsent ? write : remembered(desk, write, shown, writes)))
  return { answer, writes: await Promise.all(known) }
}

interface Shown {
  readonly status: string
  readonly description: string | null
}

/** The thing in an answer, and its status; null where there is none. An answer that was not read by its contract may have a `value`. */
function shownIn(
  { thing }: ReadOperation,
  request: Members,
  answer: unknown,
): (Shown & { about: Subject; id: string }) | null {
  const members = isRecord(answer) && isRecord(answer.value) ? answer.value : answer
  const told: Members = { ...request, ...(isRecord(members) ? members : {}) }
  const [id, { status, statusDescription }] = [thing === null ? null : told[thing.id], told]
  if (thing === null || typeof id !== 'string' || typeof status !== 'string') return null
  const description = typeof statusDescription === 'string' ? statusDescription : null
  return { about: thing.about, id: normalId(id.trim()), status, description }
}

/**
 * An open write learns whatever was shown, a creation and one that makes a payment how that stands. One that was not executed from
 * here, and is there all the same, is a conflict from then on, unless it ended unpaid: another request did it, or this very one,
 * sent twice.
 */
async function changedBy(
  { journal, profile }: Desk,
  write: Intent,
  { status, description }: Shown,
  writes: readonly Intent[],
): Promise<Intent> {
  if (!isSameService(write, scopeOf(profile))) return write
  const { payment, evidence } = writeNamed(write.operation) ?? {}
  if (write.state === 'unknown') {
    const learns = (payment || evidence) && !isOfAnother(write, status, writes)
    return learns ? await journal.noteStatus(write, status, description) : write
  }
  const isOfThing = payment || isCreation(write.operation)
  if (!unmoved.has(write.state)) return isOfThing ? await journal.noteStatus(write, status, description) : write
  const isThere = wasShown({ ...write, status }) && !isOfAnother(write, status, writes)
  if (!isThere) return write
  return await journal.noteSum(await journal.noteStatus(write, status, description), null)
}

/** True if the status looks like the work of a write, and another one of this journal explains it: a refund that was taken. */
function isOfAnother(write: Intent, status: string, writes: readonly Intent[]): boolean {
  if (isExecutedIn(write, status) || !isTrace(write.operation, status)) return false
  return writes.some(
    (other) => other.operation === write.operation && other.journalId !== write.journalId && isDone(other),
  )
}

const isDone = ({ state }: Intent) => state === 'accepted' || state === 'exists'

/** A read stands, whether or not it can be noted. */
async function remembered(desk: Desk, write: Intent, shown: Shown, writes: readonly Intent[]): Promise<Intent> {
  try {
    return await changedBy(desk, write, shown, writes)
  } catch {
    desk.tell.say('the journal could not note what was read')
    return write
  }
}

/** The same of a creation, by the status that an answer to a change of its thing has. */
export async function noted(desk: Desk, write: Intent, status: string): Promise<Intent> {
  return remembered(desk, write, { status, description: null }, [])
}
