/**
 * The read of a thing: an order, a wallet order, a payout. Whatever it shows stays with the writes of this journal about the thing,
 * whichever command asks: a later read, from a copy that lags behind, must not deny it (money-safety.md#duplicates).
 */
import type { Members } from '../../contract/core/members.ts'
import type { AnswerOf, ReadOperation, RequestOf } from '../../contract/operation.ts'
import { writeNamed, writesAbout } from '../../contract/operations.ts'
import { isSameService } from '../../contract/service.ts'
import type { Intent } from '../../journal/intent.ts'
import { isExecutedIn, paymentEnd } from '../../journal/payment-end.ts'
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
}

/** Throws a Failure as `call`. */
export async function readThing<Op extends ReadOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  { deadline, unsent }: ThingAsked = {},
): Promise<ReadThing<Op>> {
  const answer = await call(desk, operation, request, deadline)
  const { thing } = operation
  const told: Members = { ...request, ...(isRecord(answer) ? answer : {}) }
  const id = thing === null ? null : told[thing.id]
  const isOther = contradiction(operation, request, answer) !== null
  if (!thing || isOther || typeof id !== 'string' || typeof told.status !== 'string') return { answer, writes: [] }
  const description = typeof told.statusDescription === 'string' ? told.statusDescription : null
  const shown = { status: told.status, description }
  const writes = await writesTo(desk, thing.about, id.toLowerCase())
  const known = writes.map((write) => (write.journalId === unsent ? write : remembered(desk, write, shown)))
  return { answer, writes: await Promise.all(known) }
}

interface Shown {
  readonly status: string
  readonly description: string | null
}

/**
 * An open write learns whatever was shown, a creation and one that makes a payment how that stands. One that was not executed from here, and
 * is there all the same, is a conflict from then on, unless it ended unpaid: another request did it, or this very one, sent twice.
 */
async function changedBy({ journal, profile }: Desk, write: Intent, { status, description }: Shown): Promise<Intent> {
  const { payment, evidence } = writeNamed(write.operation) ?? {}
  if (write.state === 'unknown')
    return payment || evidence ? await journal.noteStatus(write, status, description) : write
  const isOfThing = payment || isCreation(write)
  if (!unmoved.has(write.state)) return isOfThing ? await journal.noteStatus(write, status, description) : write
  const isThere = isExecutedIn(write, status) && paymentEnd(write, status) !== 'not-paid'
  if (!isThere || !isSameService(write, scopeOf(profile))) return write
  return await journal.noteSum(await journal.noteStatus(write, status, description), null)
}

function isCreation({ operation }: Intent): boolean {
  const about = writeNamed(operation)?.about
  return about !== undefined && writesAbout(about)[0]?.name === operation
}

/** A read stands, whether or not it can be noted. */
async function remembered(desk: Desk, write: Intent, shown: Shown): Promise<Intent> {
  try {
    return await changedBy(desk, write, shown)
  } catch {
    desk.tell.say('the journal could not note what was read')
    return write
  }
}

/** The same of a creation, by the status that an answer to a change of its thing has. */
export async function noted(desk: Desk, write: Intent, status: string): Promise<Intent> {
  return remembered(desk, write, { status, description: null })
}
