/** The writes of this journal about one thing, and how its money stands. A read of it that fails must deny none of them: an order whose money a refund, a completion or a finalize has moved is not "not moved" because its creation is unknown here, or was refused. Whatever ends a command meanwhile, ^C and defects among it, says so. */

import { isUnknownObject } from '../client/refusal.ts'
import type { Subject } from '../contract/operation.ts'
import { writeNamed, writesAbout } from '../contract/operations.ts'
import { Failure, type FailureFacts, type MoneyMoved } from '../failure.ts'
import { FailureBeforeSending } from '../failure-before-sending.ts'
import { type Hint, hint, paste } from '../hint.ts'
import { factsOf, type Intent, idAtService, moneyMovedBy } from '../journal/intent.ts'
import { isPaidHere } from '../journal/payment-end.ts'
import { unmoved } from '../journal/verdict.ts'
import { BareStop, endedAtOnce, nothingSentNow } from '../signals.ts'
import type { Desk } from './desk.ts'
import { scopeOf } from './draft.ts'

/** The end of a command by ^C or SIGTERM while this intent was in play. */
export function interruption(intent: Intent): Failure {
  const { state, journalId } = intent
  const said = {
    unknown: 'stopped; the outcome of the payment is unknown',
    accepted: 'stopped; the service has accepted the payment',
    exists: 'stopped; the service has the payment',
  }
  const isOver = unmoved.has(state) && !intent.isTaken
  const taken = 'stopped; the service has the id, from this request or from another'
  const how = isOver ? 'stopped; nothing was executed' : (said[state as keyof typeof said] ?? taken)
  return new Failure('interrupted', how, {
    ...factsOf(intent),
    retry: 'same-id',
    hints: state === 'unknown' ? [hint`${paste('resume', journalId)}`] : [],
  })
}

function defect(intent: Intent, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error)
  return new Failure(
    'unknown',
    `a defect of paydesk ended this run while ${intent.journalId} was in progress: ${why}`,
    {
      ...factsOf(intent),
      hints: [hint`Do not send it again. \`${paste('resume', intent.journalId)}\` checks what happened.`],
    },
  )
}

/** An error as a failure that tells the state of the intent. A failure that names an intent already stays as it is. */
export function toFailure(error: unknown, intent: Intent, signal: AbortSignal): Failure {
  const isPrompt = error instanceof Error && error.name === 'ExitPromptError'
  if (!(error instanceof Failure)) return signal.aborted || isPrompt ? interruption(intent) : defect(intent, error)
  if (error.facts.journalId) return error
  const { kind, facts } = error
  const about = { ...facts, ...factsOf(intent) }
  return error.as(kind, facts.operation ? { ...about, operation: facts.operation } : about)
}

/** Does the work; whatever it throws says how the intent stands. */
export async function withIntent<Result>(
  { signal }: Pick<Desk, 'signal'>,
  intent: Intent,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw toFailure(error, intent, signal)
  }
}

/** A failure in words that are true also after something was sent. */
export function reasonOf(error: unknown): string {
  if (error instanceof FailureBeforeSending) return error.why
  return error instanceof Error ? error.message : String(error)
}

// --- Its writes

/** Every write about a thing, the creation before the changes, of two alike the newest first. */
export async function writesTo(
  { journal, profile }: Pick<Desk, 'journal' | 'profile'>,
  subject: Subject,
  id: string,
): Promise<readonly Intent[]> {
  const operations = writesAbout(subject)
  // A write of this profile to another address may be about the same thing; the sandbox begins anew with every world.
  const across = profile.environment === 'sandbox' ? {} : { orOfProfile: profile.name }
  // Only the writes about an order name it in their bodies.
  const named = operations.length === 1 ? { uniqueIds: [id] } : { mayName: id }
  const found = await journal.list({ scope: scopeOf(profile), ...across, ...named, operations })
  const place = ({ operation }: Intent) => operations.findIndex(({ name }) => name === operation)
  const own = found.filter((intent) => intent.uniqueId === id || idAtService(intent) === id)
  return own.toSorted((one, other) => place(one) - place(other))
}

/** A write about a thing as the journal has it now. */
export async function findNow(
  desk: Pick<Desk, 'journal' | 'profile'>,
  about: Subject,
  intent: Intent,
): Promise<Intent> {
  const writes = await writesTo(desk, about, idAtService(intent))
  return writes.find(({ journalId }) => journalId === intent.journalId) ?? intent
}

/** True if a write counts for the money of its thing: a cancellation that was resolved has moved none. */
function counts({ operation, state, amountMinor }: Intent): boolean {
  return state === 'unknown' || amountMinor !== null || Boolean(writeNamed(operation)?.payment)
}

/** The movement of a thing's money; null where this journal knows of no write that could have moved it. */
export function moneyMovedOf(writes: readonly Intent[]): MoneyMoved | null {
  const counting = writes.filter(counts)
  if (counting.length === 0) return null
  if (findOpen(counting)) return 'unknown'
  const moved = counting.map(moneyMovedBy)
  return (['yes', 'unknown'] as const).find((each) => moved.includes(each)) ?? 'no'
}

/**
 * The payment that this journal has of a thing whose cancellation or deletion is asked for, in words: a read that shows the thing as
 * over contradicts it. Null where there is none, and for any other write.
 */
export async function describePayment(desk: Pick<Desk, 'journal' | 'profile'>, intent: Intent): Promise<string | null> {
  const operation = writeNamed(intent.operation)
  if (operation?.evidence?.refusals?.means !== 'done') return null
  const [creation] = writesAbout(operation.about)
  // A completion or a finalization that may have been executed is not undone, either.
  const mayHavePaid = (write: Intent) =>
    write.operation !== creation?.name && write.amountMinor !== null && moneyMovedBy(write) !== 'no'
  // A read has shown it as paid, whatever was answered.
  const wasReadAsPaid = ({ status }: Intent) =>
    status !== null && operation.evidence?.by.statuses?.(status)?.end === 'paid'
  const writes = await writesTo(desk, operation.about, idAtService(intent))
  // As it was before it was read now.
  const before = writes.map((write) => (write.journalId === intent.journalId ? intent : write))
  const paid = before.find((write) => isPaidHere(write) || mayHavePaid(write) || wasReadAsPaid(write))
  return paid ? `its ${paid.operation} (${paid.journalId}) was executed, or may have been` : null
}

/** Another write about the same thing that moved money, or may have: the end of this one does not deny it. */
export function findOtherMove(writes: readonly Intent[], { journalId }: Pick<Intent, 'journalId'>): Intent | null {
  const others = writes.filter((write) => write.journalId !== journalId && counts(write))
  return others.find((write) => moneyMovedBy(write) !== 'no') ?? null
}

export function findOpen(writes: readonly Intent[]): Intent | null {
  return writes.find(({ state }) => state === 'unknown') ?? null
}

/** The write that the end of a command speaks of: an open one, else one that may have moved money. */
function foremost(writes: readonly Intent[]): Intent | null {
  const moved = writes.filter(counts).find((intent) => moneyMovedBy(intent) !== 'no')
  return findOpen(writes) ?? moved ?? writes[0] ?? null
}

/** An answer that speaks of another thing than was asked for: unknown (9), whatever this journal has of the one or the other. */
export class AnotherThing extends Failure {
  constructor(message: string, facts: FailureFacts) {
    super('unknown', message, facts)
  }
}

/** Reads something of a thing; whatever is thrown says how its money stands. `facts` name the thing. */
export async function readAbout<Result>(
  { signal }: Pick<Desk, 'signal'>,
  writes: readonly Intent[],
  facts: FailureFacts,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof Failure ? unread(error, writes, facts) : ended(error, writes, signal)
  }
}

function unread(error: Failure, writes: readonly Intent[], facts: FailureFacts): Failure {
  if (error instanceof AnotherThing) {
    const moneyMoved = error.moneyMoved === 'no' ? (moneyMovedOf(writes) ?? 'no') : 'unknown'
    return error.as('unknown', { ...error.facts, ...facts, moneyMoved })
  }
  const open = findOpen(writes)
  if (open && isAboutPart(error, open) && !writes.some((write) => write.state === 'unknown' && takesMoney(write))) {
    const hints = [...(error.facts.hints ?? []), resolveIt(open)]
    return error.as('not-found', { ...error.facts, ...facts, moneyMoved: 'unknown', hints })
  }
  if (open) return unreadWhileOpen(error, open, { ...facts, journalId: open.journalId })
  // Of a thing that this journal knows no write of, a refused question says nothing; what the service does not have was not paid.
  const unasked = error.kind === 'not-found' ? error.moneyMoved : 'unknown'
  const moneyMoved = moneyMovedOf(writes) ?? unasked
  return error.as(error.kind, { ...error.facts, ...facts, moneyMoved })
}

/** ^C, SIGTERM or a defect. */
function ended(error: unknown, writes: readonly Intent[], signal: AbortSignal): unknown {
  const intent = foremost(writes)
  // Another machine may have paid what this journal does not know.
  if (!intent) return signal.aborted ? endedAtOnce(signal.reason, nothingSentNow) : error
  const failure = toFailure(error, intent, signal)
  return failure.as(failure.kind, { ...failure.facts, moneyMoved: moneyMovedOf(writes) ?? 'unknown' })
}

/** A failure of a command that had not come to its thing yet, with how that stands. */
export function addStanding(failure: Failure, writes: readonly Intent[], signal: AbortSignal): Failure {
  const intent = foremost(writes)
  if (!intent) return failure
  const ended = failure instanceof BareStop ? interruption(intent) : toFailure(failure, intent, signal)
  return ended.as(failure.kind, {
    ...failure.facts,
    ...ended.facts,
    moneyMoved: moneyMovedOf(writes) ?? failure.moneyMoved,
  })
}

/** True if the service speaks of something else than the thing, such as a card that it has none of. */
function isAboutPart({ kind, facts: { service } }: Failure, { operation }: Intent): boolean {
  const { evidence } = writeNamed(operation) ?? {}
  return kind === 'not-found' && Boolean(service && evidence && !isUnknownObject(evidence.by, service))
}

/** True for a write that takes money in: as long as it is open, what comes with the payment may still come, such as a card. */
const takesMoney = ({ operation }: Intent) => writeNamed(operation)?.evidence?.refusals?.means === 'conflict'

/**
 * While a write is open, no failure to read proves anything of it: that the service does not know what it is about may change
 * as soon as the request arrives.
 */
function unreadWhileOpen(error: Failure, open: Intent, facts: FailureFacts): Failure {
  const isThing = error.kind === 'not-found' && !isAboutPart(error, open)
  const isAbout = isThing ? 'the service does not know the order' : error.message
  const about = { ...error.facts, ...facts, moneyMoved: 'unknown', hints: [resolveIt(open)] } as const
  if (error.kind === 'credentials') return error.as('credentials', { ...about, retry: 'after-fix' })
  return new Failure('unknown', `${isAbout}; whether its ${open.operation} was executed is unknown`, {
    ...about,
    retry: 'same-id',
  })
}

export function resolveIt({ journalId }: Intent): Hint {
  return hint`Do not send it again. \`${paste('resume', journalId)}\` checks what happened.`
}
