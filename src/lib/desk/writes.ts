/**
 * The writes of this journal about one thing, and how its money stands. Whatever ends a command, a failed read, ^C or a
 * defect, says so: an order whose money a refund has moved is not "not moved" because its creation is unknown here.
 */
import { isUnknownObject } from '../client/refusal.ts'
import type { Subject } from '../contract/operation.ts'
import { writeNamed, writesAbout } from '../contract/operations.ts'
import { Failure, FailureBeforeSending, type FailureFacts, type MoneyMoved } from '../failure.ts'
import { type Hint, hint, paste } from '../hint.ts'
import { factsOf, type Intent, idAtService, intentFailure, moneyMovedBy } from '../journal/intent.ts'
import { isPaidHere } from '../journal/payment-end.ts'
import { unmoved } from '../journal/verdict.ts'
import { BareStop, endedAtOnce, nothingSentNow } from '../signals.ts'
import type { Desk } from './desk.ts'
import { scopeOf } from './new-intent.ts'

/** The end of a command by ^C or SIGTERM. */
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
  const hints = state === 'unknown' ? [hint`${paste('resume', journalId)}`] : []
  return intentFailure('interrupted', how, intent, { retry: 'same-id', hints })
}

function defect(intent: Intent, error: unknown): Failure {
  const { journalId } = intent
  const why = error instanceof Error ? error.message : String(error)
  return intentFailure(
    'unknown',
    `a defect of paydesk ended this run while ${journalId} was in progress: ${why}`,
    intent,
    {
      hints: [hint`Do not send it again. \`${paste('resume', journalId)}\` checks what happened.`],
    },
  )
}

/** An error as a failure about the intent. One that names an intent stays as it is. */
export function toFailure(error: unknown, intent: Intent, signal: AbortSignal): Failure {
  const isPrompt = error instanceof Error && error.name === 'ExitPromptError'
  if (!(error instanceof Failure)) return signal.aborted || isPrompt ? interruption(intent) : defect(intent, error)
  if (error.facts.journalId) return error
  const { kind, facts } = error
  const about = { ...facts, ...factsOf(intent) }
  return error.as(kind, facts.operation ? { ...about, operation: facts.operation } : about)
}

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

function counts({ operation, state, amountMinor }: Intent): boolean {
  return state === 'unknown' || amountMinor !== null || Boolean(writeNamed(operation)?.payment)
}

/** The movement of a thing's money; null where no write of this journal could have moved it. */
export function moneyMovedOf(writes: readonly Intent[]): MoneyMoved | null {
  const counting = writes.filter(counts)
  if (counting.length === 0) return null
  if (findOpen(counting)) return 'unknown'
  const moved = counting.map(moneyMovedBy)
  return (['yes', 'unknown'] as const).find((each) => moved.includes(each)) ?? 'no'
}

/**
 * The payment of a thing that is to be cancelled or deleted, in words: it contradicts a read that shows the thing as
 * over. Null for none, and for other writes.
 */
export async function describePayment(desk: Pick<Desk, 'journal' | 'profile'>, intent: Intent): Promise<string | null> {
  const operation = writeNamed(intent.operation)
  if (operation?.evidence?.refusals?.means !== 'done') return null
  const [creation] = writesAbout(operation.about)
  const mayHavePaid = (write: Intent) => {
    const isChange = write.operation !== creation?.name && write.amountMinor !== null
    const wasReadAsPaid = operation.evidence?.by.statuses?.(write.status ?? '')?.end === 'paid'
    return isPaidHere(write) || (isChange && moneyMovedBy(write) !== 'no') || wasReadAsPaid
  }
  const writes = await writesTo(desk, operation.about, idAtService(intent))
  // As it was before it was read now.
  const paid = writes.map((write) => (write.journalId === intent.journalId ? intent : write)).find(mayHavePaid)
  return paid ? `its ${paid.operation} (${paid.journalId}) was executed, or may have been` : null
}

/** Another write about the same thing that moved money, or may have. */
export function findOtherMove(writes: readonly Intent[], { journalId }: Pick<Intent, 'journalId'>): Intent | null {
  const others = writes.filter((write) => write.journalId !== journalId && counts(write))
  return others.find((write) => moneyMovedBy(write) !== 'no') ?? null
}

export function findOpen(writes: readonly Intent[]): Intent | null {
  return writes.find(({ state }) => state === 'unknown') ?? null
}

/** The write that the end of a command speaks of. */
function foremost(writes: readonly Intent[]): Intent | null {
  return findOpen(writes) ?? findOtherMove(writes, { journalId: '' }) ?? writes[0] ?? null
}

/** An answer that speaks of another thing than was asked for: unknown (9). */
export class AnotherObject extends Failure {
  constructor(message: string, facts: FailureFacts) {
    super('unknown', message, facts)
  }
}

/** Reads something of a thing. Whatever is thrown says how its money stands. */
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
  if (error instanceof AnotherObject) {
    const moneyMoved = error.moneyMoved === 'no' ? (moneyMovedOf(writes) ?? 'no') : 'unknown'
    return error.as('unknown', { ...error.facts, ...facts, moneyMoved })
  }
  const open = findOpen(writes)
  if (open && isAboutPart(error, open) && !writes.some((write) => write.state === 'unknown' && takesMoney(write))) {
    const hints = [...(error.facts.hints ?? []), resolveIt(open)]
    return error.as('not-found', { ...error.facts, ...facts, moneyMoved: 'unknown', hints })
  }
  if (open) {
    // No failure to read proves anything of an open write: its request may still arrive.
    const isThing = error.kind === 'not-found' && !isAboutPart(error, open)
    const told = isThing ? 'the service does not know the order' : error.message
    const { journalId } = open
    const about = { ...error.facts, ...facts, journalId, moneyMoved: 'unknown', hints: [resolveIt(open)] } as const
    if (error.kind === 'credentials') return error.as('credentials', { ...about, retry: 'after-fix' })
    const message = `${told}; whether its ${open.operation} was executed is unknown`
    return new Failure('unknown', message, { ...about, retry: 'same-id' })
  }
  // Of a thing that this journal knows no write of, a refused question says nothing; what the service does not have was not paid.
  const unasked = error.kind === 'not-found' ? error.moneyMoved : 'unknown'
  const moneyMoved = moneyMovedOf(writes) ?? unasked
  return error.as(error.kind, { ...error.facts, ...facts, moneyMoved })
}

function ended(error: unknown, writes: readonly Intent[], signal: AbortSignal): unknown {
  const intent = foremost(writes)
  // Another machine may have paid what this journal does not know.
  if (!intent) return signal.aborted ? endedAtOnce(signal.reason, nothingSentNow) : error
  const failure = toFailure(error, intent, signal)
  return failure.as(failure.kind, { ...failure.facts, moneyMoved: moneyMovedOf(writes) ?? 'unknown' })
}

/** A failure before a command came to its thing, with how that stands. */
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

/** True if the service speaks of a part of the thing, such as its card. */
function isAboutPart({ kind, facts: { service } }: Failure, { operation }: Intent): boolean {
  const { evidence } = writeNamed(operation) ?? {}
  return kind === 'not-found' && Boolean(service && evidence && !isUnknownObject(evidence.by, service))
}

/** True for a write that takes money in: what comes with the payment, such as a card, may still come. */
const takesMoney = ({ operation }: Intent) => writeNamed(operation)?.evidence?.refusals?.means === 'conflict'

export function resolveIt({ journalId }: Intent): Hint {
  return hint`Do not send it again. \`${paste('resume', journalId)}\` checks what happened.`
}
