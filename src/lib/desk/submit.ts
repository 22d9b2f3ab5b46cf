/**
 * A write, submitted through the journal (money-safety.md#states-of-an-intent): token first, where the area has one;
 * then intent and attempt in one durable commit; only then the socket. `run.ts` makes the attempts.
 */
import { countWaiting, encode, makeDeadline } from '../client/exchange.ts'
import { requestSecrets } from '../client/mask.ts'
import type { Members } from '../contract/core/members.ts'
import type { RequestOf, WriteOperation } from '../contract/operation.ts'
import { writeNamed } from '../contract/operations.ts'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import {
  conflict,
  duplicateWarning,
  type Guard,
  otherBody,
  otherSum,
  takenOverFailure,
  untouched,
} from '../journal/duplicates.ts'
import { heldFailure } from '../journal/hold.ts'
import { factsOf, type Intent, intentFailure, type NewIntent } from '../journal/intent.ts'
import { timeLeft } from '../journal/moment.ts'
import { requestIn } from '../journal/payment-end.ts'
import {
  type AttemptLimits,
  AttemptLoop,
  conflictMeanwhile,
  leaseTime,
  signIn,
  waitUntilEnding,
} from './attempt-loop.ts'
import type { Desk } from './desk.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import {
  findUnderId,
  makeOwnId,
  mustBeAsHeld,
  mustBeWhole,
  mustHaveAll,
  newIntentOf,
  sameButForSecrets,
} from './new-intent.ts'
import { type AskedBefore, guardOf, guardOfRepeat, requireWithinLimits, type SubmitOptions } from './preflight.ts'
import { resolveOpen } from './resolve.ts'
import { isUnrecognised } from './retry.ts'
import { refuseIfEnded } from './unpaid-end.ts'
import { resolveIt, toFailure, withIntent } from './writes.ts'

/** The state of a write at the end of its command. */
export interface Submitted {
  readonly intent: Intent
  /** An earlier run ended it; nothing was sent now. */
  readonly replayed: boolean
  readonly warnings: readonly string[]
}

/** Sends a write, once. Throws a Failure, whose kind is the exit code (src/lib/failure.ts). */
export async function submit<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  options: SubmitOptions = {},
): Promise<Submitted> {
  const idempotencyKey = options.idempotencyKey ?? null
  const ownId = await makeOwnId(desk, operation, idempotencyKey)
  const newIntent = newIntentOf(desk.profile, operation, request, { idempotencyKey, ownId })
  for (const secret of requestSecrets(operation, request)) desk.tell.hide(secret)
  const guard = guardOf(desk.profile, operation, request, options)
  return refuseIfEnded(desk, operation, await send(desk, operation, request, newIntent, guard, options))
}

/** Resolves an intent of the journal: by what a read shows of it, or by sending it once more under the same id. */
export async function resubmit(
  desk: Desk,
  operation: WriteOperation,
  intent: Intent,
  looked: AskedBefore & Pick<SubmitOptions, 'calledOff'> = {},
): Promise<Submitted> {
  const request = requestIn(intent.body)
  mustHaveAll(intent)
  mustBeAsHeld(operation, request, intent)
  const guard = guardOfRepeat(desk.profile, operation, request, intent, looked)
  return refuseIfEnded(desk, operation, await send(desk, operation, request, intent, guard, looked))
}

/** Times that the journal is asked anew because another run's attempt came between. */
const mostRounds = 5

async function send<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  newIntent: NewIntent,
  guard: Guard,
  options: SubmitOptions = {},
): Promise<Submitted> {
  const { deadline = desk.clock.now() + desk.settings.timeout, isNew = false } = options
  const until = limitsOf(desk, deadline, options)
  for (let round = 1; ; round += 1) {
    const seen = isNew && round === 1 ? untouched : await desk.journal.look(newIntent, guard)
    if (seen.kind === 'done') return asReplayed(seen.intent)
    // Nothing recognises it when it comes again.
    if (seen.conflict && isUnrecognised(seen.conflict, operation.retryPolicy(request))) throw conflict(seen.conflict)
    const trying = () => sendOnce(desk, operation, request, newIntent, guard, { ...seen, ...until })
    const atStake = seen.unresolved ?? seen.conflict
    const tried = atStake ? await withIntent(desk, atStake, trying) : await trying()
    if (tried.kind === 'done') return tried.submitted
    if (round === mostRounds) throw overtakenFailure(tried.intent)
  }
}

function limitsOf(desk: Desk, deadline: number, options: SubmitOptions): AttemptLimits {
  const { sendUntil = deadline, calledOff = () => false, allowDuplicate: allowed = null } = options
  const left = timeLeft(desk.clock, Math.min(deadline, sendUntil))
  const waited = countWaiting(desk)
  const timeToSend = (isUnderWay: boolean) => (!isUnderWay && calledOff() ? 0 : left() + waited())
  return { deadline: makeDeadline(desk, deadline), timeToSend, calledOff, allowed }
}

interface Seen extends AttemptLimits {
  /** It is over a limit, or held. */
  readonly isHeldBack: boolean
  /** The intent, if earlier attempts may have executed it. */
  readonly unresolved: Intent | null
  readonly attempts: number
}

type Tried =
  | { readonly kind: 'done'; readonly submitted: Submitted }
  /** Another run's attempt came between. */
  | { readonly kind: 'overtaken'; readonly intent: Intent }

/** Takes one way to an outcome. The journal's view is a hint: `journal.begin` decides. */
async function sendOnce<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  newIntent: NewIntent,
  guard: Guard,
  { unresolved: open, attempts, isHeldBack, ...limits }: Seen,
): Promise<Tried> {
  const { journal } = desk
  const known = open && (await resolveOpen(desk, operation, open, limits.deadline()))
  if (known) return { kind: 'done', submitted: { intent: known, replayed: false, warnings: [] } }
  mustBeWhole(operation, request, newIntent)
  // Sealed once for nothing: what is too long for its envelope (2) must not stand in the journal as an attempt.
  if (operation.wire !== 'bearer') encode(desk.profile, operation, request, null)
  if (isHeldBack) await requireWithinLimits(desk, newIntent, guard)
  let token: string | null
  try {
    token = await signIn(desk, operation, open, (tokens) => waitUntilEnding(desk, tokens.get(limits.deadline())))
  } catch (error) {
    // Another process may have sent the same payment in the meantime: then "nothing was sent" would be wrong.
    const now = await journal.look(newIntent, guard)
    if (now.kind === 'done') return { kind: 'done', submitted: asReplayed(now.intent) }
    if (now.unresolved && !open) throw overtakenFailure(now.unresolved)
    throw now.conflict ? toFailure(error, now.conflict, desk.signal) : error
  }
  const clearance = operation.retryPolicy(request).unanswered === 'repeat' ? 'recognised' : attempts
  const begun = await journal.begin(newIntent, guard, leaseTime(desk), clearance)
  if (begun.kind === 'done') return { kind: 'done', submitted: asReplayed(begun.intent) }
  if (begun.kind === 'unresolved') return { kind: 'overtaken', intent: begun.intent }
  if (begun.kind === 'held') throw heldFailure(begun)
  const warnings = begun.suspected ? [duplicateWarning(begun.suspected)] : []
  if (isUnrecognised(begun.intent, operation.retryPolicy(request)))
    throw conflict(await journal.finish(begun.intent, begun.attempt, conflictMeanwhile))
  const run = new AttemptLoop(desk, operation, request, begun, token, limits)
  const free = () => journal.release(begun.intent).catch(() => true)
  try {
    const intent = await withIntent(desk, begun.intent, () => run.drive(begun.attempt))
    if (intent.leaseUntil !== null) await free()
    return { kind: 'done', submitted: { intent, replayed: false, warnings } }
  } catch (error) {
    // A run that slept past its hold knows nothing of what another one has made of the payment since.
    const end = (await free()) ? error : takenOverFailure(begun.intent)
    throw end instanceof Failure ? end.with({ warnings }) : end
  }
}

function asReplayed(intent: Intent): Submitted {
  if (intent.otherSum !== null) throw otherSum(intent, intent.otherSum)
  return { intent, replayed: true, warnings: [] }
}

function overtakenFailure(intent: Intent): Failure {
  const message = 'another run has sent this payment meanwhile, and its outcome is unknown'
  return intentFailure('unknown', message, intent, { hints: [resolveIt(intent)] })
}

// --- A write that this journal knows, before what it still lacks is read for it

/**
 * A write that was sent before, told or resolved without its secret; null if it has to be sent. Throws as
 * `resolveOpen`, and duplicate (7) for another body.
 */
export async function findWithoutSecret<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  idempotencyKey: string | null,
): Promise<Submitted | null> {
  const { newIntent, intent } = await sentUnder(desk, operation, request, idempotencyKey)
  if (!intent || !['accepted', 'exists', 'unknown'].includes(intent.state)) return null
  if (!sameButForSecrets(operation, requestIn(intent.body), request)) throw otherBody(intent, newIntent)
  if (intent.state !== 'unknown') return refuseIfEnded(desk, operation, asReplayed(intent))
  const deadline = desk.clock.now() + desk.settings.timeout
  const ran = await withIntent(desk, intent, () => resolveOpen(desk, operation, intent, deadline))
  return ran && refuseIfEnded(desk, operation, { intent: ran, replayed: false, warnings: [] })
}

async function sentUnder(desk: Desk, operation: WriteOperation, request: Members, idempotencyKey: string | null) {
  const newIntent = newIntentOf(desk.profile, operation, request, { idempotencyKey, ownId: '' })
  return { newIntent, intent: await findUnderId(desk, operation, newIntent) }
}

/** A failure on the way to sending. Of a conflict it must not say that no money moved. */
export async function addConflict<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  idempotencyKey: string | null,
  failure: Failure,
): Promise<Failure> {
  const { intent } = await sentUnder(desk, operation, request, idempotencyKey)
  return intent?.isTaken ? failure.as(failure.kind, { ...failure.facts, ...factsOf(intent) }) : failure
}

// --- A change that the journal holds as done and that is asked for again: nothing is sent

const unshown = 'this is the receipt of an earlier run; the service cannot be asked whether it is still true'

/** The receipt, if a read shows that it still holds. Throws as `contradiction`. */
export async function askedAgain(desk: Desk, submitted: Submitted): Promise<Submitted> {
  const { intent } = submitted
  const how = writeNamed(intent.operation)?.proof.askedAgain
  if (!submitted.replayed || intent.state === 'refused' || how === undefined || how === 'receipt') return submitted
  const evidence = await evidenceOf(desk, intent, desk.clock.now() + desk.settings.timeout)
  if (evidence.kind === 'executed') return submitted
  if (evidence.kind === 'none') return { ...submitted, warnings: [...submitted.warnings, unshown] }
  throw contradiction(intent, evidence)
}

/**
 * Refused (5) where the thing has ended otherwise, not-found (6) where the service does not know it, unsent (11) and
 * credentials (4) where it could not be asked, else unknown (9).
 */
function contradiction(intent: Intent, evidence: Exclude<Evidence, { kind: 'executed' | 'none' }>): Failure {
  const { kind, because } = evidence
  const status = 'status' in evidence ? (evidence.status ?? null) : null
  const show = hint`See \`${paste('journal show', intent.journalId)}\`.`
  const facts = { ...factsOf(intent), status, moneyMoved: 'unknown', retry: 'never', hints: [show] } as const
  const told = `the service had said that it did this (${intent.journalId}), but now ${because}`
  if (kind === 'over') {
    // An order that was paid in spite of its end has moved money.
    const { money } = writeNamed(intent.operation)?.evidence?.by.statuses?.(evidence.status) ?? {}
    return new Failure('refused', told, { ...facts, moneyMoved: money === 'no' ? 'no' : 'yes' })
  }
  if (kind === 'absent') return new Failure('not-found', told, facts)
  if (kind === 'unreadable') {
    const { failure } = evidence
    const how = failure?.kind === 'unsent' || failure?.kind === 'credentials' ? failure.kind : 'unknown'
    const done = `the journal holds it as done (${intent.journalId})`
    const message = `${done}, and whether it still is could not be read: ${because}`
    return new Failure(how, message, { ...failure?.facts, ...facts, retry: 'same-id' })
  }
  const hints = [hint`Ask the service which is true.`, show]
  return new Failure('unknown', `${told}; nothing was sent now`, { ...facts, hints })
}
