/**
 * The read of a thing: an order, a wallet order, a payout. Whatever it shows stays with the writes of this journal about the thing,
 * whichever command asks: a later read, from a copy that lags behind, must not deny it (money-safety.md#the-one-rule-for-answers).
 */
import { readOrderStatus } from '../../contract/answer.ts'
import type { Members } from '../../contract/core/members.ts'
import { normalId } from '../../contract/core/text.ts'
import type { AnswerOf, ReadOperation, RequestOf, Subject } from '../../contract/operation.ts'
import { writeNamed } from '../../contract/operations.ts'
import { endsRefund } from '../../contract/order/evidence.ts'
import { isSameService } from '../../contract/service.ts'
import type { Attempt, Intent } from '../../journal/intent.ts'
import { isAttemptUnderWay } from '../../journal/lease.ts'
import { isCreation, isExecutedIn, isTrace, wasShown } from '../../journal/payment-end.ts'
import type { ShownWrite } from '../../journal/row.ts'
import { mayHaveArrived, unmoved } from '../../journal/verdict.ts'
import { isRecord } from '../../json.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'
import { scopeOf } from '../draft.ts'
import { contradiction } from '../echo.ts'
import { writesTo } from '../recover/at-stake.ts'

const unnoted = 'the journal could not note what was read'

/** An answer, and the writes about its thing as the journal has them from then on; none where it speaks of another thing. */
export interface ReadThing<Op extends ReadOperation> {
  readonly answer: AnswerOf<Op>
  readonly writes: readonly Intent[]
  /** The journal could not note it: the writes are as they were before, or none where it cannot be read either. */
  readonly isUnnoted?: true
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
  const shown = contradiction(operation, request, answer) === null ? thingIn(operation, request, answer) : null
  if (shown === null || (expected !== null && shown.id !== expected)) return { answer, writes: [] }
  return { answer, ...(await learnt(desk, shown, unsent)) }
}

/** The writes about a thing, as the journal has them behind what was shown; none where nothing was. */
async function learnt(desk: Desk, shown: Thing | null, unsent: string | undefined): Promise<Learnt> {
  if (shown === null) return { writes: [] }
  const writes = await writesTo(desk, shown.about, shown.id).catch(() => desk.tell.say(unnoted))
  if (!writes) return { writes: [], isUnnoted: true }
  const learning = writes.filter(({ journalId }) => journalId !== unsent)
  const noted = await remembered(desk, learning, shown, writes)
  if (noted === null) return { writes, isUnnoted: true }
  const known = new Map(noted.map((write) => [write.journalId, write]))
  return { writes: writes.map((write) => known.get(write.journalId) ?? write) }
}

type Learnt = Omit<ReadThing<ReadOperation>, 'answer'>

interface Shown {
  readonly status: string
  readonly description: string | null
  /** The number of its transaction; null where none is told. */
  readonly transactionId: string | null
}

interface Thing extends Shown {
  readonly about: Subject
  readonly id: string
}

/** The thing in an answer, and its status; null where there is none. */
function thingIn({ thing }: ReadOperation, request: Members, answer: unknown): Thing | null {
  const told: Members = { ...request, ...(isRecord(answer) ? answer : {}) }
  const [id, { status, statusDescription }] = [thing === null ? null : told[thing.id], told]
  if (thing === null || typeof id !== 'string' || typeof status !== 'string') return null
  const description = typeof statusDescription === 'string' ? statusDescription : null
  const number = String(told.transactionId ?? '').trim()
  const transactionId = /^\d+$/.test(number) ? number : null
  return {
    about: thing.about,
    id: normalId(id.trim()),
    status: readOrderStatus(status.trim()),
    description,
    transactionId,
  }
}

/**
 * The part of what was shown that a write takes; null where it learns nothing of it. An open write learns whatever was shown, but for
 * what others explain while its own answer is to come, a creation and one that makes a payment how that stands. One that was not
 * executed from here, and is there all the same, is a conflict from then on, unless it ended unpaid: another request did it, or this
 * very one, sent twice.
 */
async function learntBy(
  { journal, profile }: Desk,
  write: Intent,
  { status, transactionId }: Shown,
  writes: readonly Intent[],
): Promise<ShownWrite | null> {
  if (!isSameService(write, scopeOf(profile)) || isOfOtherTransaction(write, transactionId)) return null
  const { payment, evidence } = writeNamed(write.operation) ?? {}
  const isOwn =
    isExecutedIn(write, status) ||
    !isTrace(write.operation, status) ||
    !isExplained(await journal.attempts(write), write, status, writes)
  const isThere = isOwn && wasShown({ ...write, status })
  const isOpen = write.state === 'unknown' && (payment || evidence)
  const isOfThing = !unmoved.has(write.state) && (payment || isCreation(write.operation))
  // In a status that a person knew who called it refused, another request may have led to it.
  const isDecided = write.operatorWord !== null && write.status === status
  const isDenied =
    unmoved.has(write.state) &&
    isThere &&
    (isExecutedIn(write, status) || (!isDecided && (await hasLeft(journal, write))))
  const learns = isOfThing || isDenied || (isOpen && (isOwn || !(await isAttemptUnderWay(journal, write))))
  return learns ? { intent: write, isThere } : null
}

/** True if both numbers are known and differ: what is shown is another payment, whatever id it bears. */
export function isOfOtherTransaction({ transactionId: own }: Intent, shown: string | null): boolean {
  return own !== null && shown !== null && /^\d+$/.test(own) && BigInt(own) !== BigInt(shown)
}

/**
 * True if the status looks like the work of a write, and was known before that left, or comes of another refund. What its own read
 * before it has shown counts for more than what the journal knew, but for refunds that were taken since.
 */
function isExplained(past: readonly Attempt[], write: Intent, status: string, writes: readonly Intent[]): boolean {
  const others = writes.filter(
    ({ operation, journalId }) => operation === write.operation && journalId !== write.journalId,
  )
  const done = others.filter(({ state }) => state === 'accepted' || state === 'exists')
  const creation = writes.find(({ operation }) => isCreation(operation))
  // Of an order that was made elsewhere the journal knows what the newest refund was told.
  const [told] = done.toSorted((a, b) => Date.parse(b.changedAt) - Date.parse(a.changedAt))
  const read = past.findLast(({ known }) => known !== null)
  if (read?.known === status) return true
  const isOver = read && !done.some(({ changedAt }) => Date.parse(changedAt) >= Date.parse(read.startedAt))
  const known = (isOver ? read.known : (creation ?? told)?.status) ?? null
  return known === status || (done.length > 0 && endsRefund(known, status))
}

/** True if some attempt may have reached the service. */
async function hasLeft(journal: Desk['journal'], write: Intent): Promise<boolean> {
  return (await journal.attempts(write)).some(mayHaveArrived)
}

/**
 * The writes as they are known behind the read: all of them learn of it, or none does. One that learns alone would explain to the
 * others, at the next read, what they have not learnt. Null where the journal could not note it: the read stands all the same.
 */
async function remembered(
  desk: Desk,
  learning: readonly Intent[],
  shown: Shown,
  writes: readonly Intent[],
): Promise<readonly Intent[] | null> {
  try {
    const learnt = await Promise.all(learning.map((write) => learntBy(desk, write, shown, writes)))
    return await desk.journal.noteStatus(
      learnt.filter((each) => each !== null),
      shown.status,
      shown.description,
    )
  } catch {
    desk.tell.say(unnoted)
    return null
  }
}

/** The same of a creation, by the status that an answer to a change of its thing has. */
export async function noted(desk: Desk, write: Intent, status: string): Promise<Intent> {
  const known = await remembered(desk, [write], { status, description: null, transactionId: null }, [])
  return known?.[0] ?? write
}
