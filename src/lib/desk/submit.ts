/**
 * A write: submitted through the journal, step by step (money-safety.md#states-of-an-intent). Token first, where the area has
 * one; then intent and attempt in one durable commit; only then the socket. The attempts are made in `run.ts`.
 */

import type { RequestOf, WriteOperation } from '../contract/operation.ts'
import { Failure } from '../failure.ts'
import { duplicateWarning, type Guard, heldOver, otherSum, takenOver, untouched } from '../journal/duplicates.ts'
import { type Draft, factsOf, type Intent } from '../journal/intent.ts'
import { timeLeft } from '../journal/moment.ts'
import { isRecord, readJson } from '../json.ts'
import type { Desk } from './desk.ts'
import { draftOf, mustBeAsHeld } from './draft.ts'
import { type AskedBefore, guardOf, guardOfRepeat, mustFit } from './guard.ts'
import { idForKey } from './key-id.ts'
import { encode } from './line/exchange.ts'
import { heldFor } from './line/leaving.ts'
import type { RunLimits, SubmitOptions } from './line/terms.ts'
import { moving, waitedSince } from './line/time.ts'
import { notEndedUnpaid } from './receipt/ended.ts'
import { requestSecrets } from './receipt/mask.ts'
import { beginsRecognised, mustBeRecognised } from './recognised.ts'
import { resolveIt } from './recover/at-stake.ts'
import { inPlay, told } from './recover/in-play.ts'
import { resolveOpen } from './recover/resolve.ts'
import { Run } from './run.ts'
import { beforeEnding, signedIn } from './signed-in.ts'
import { mustBeWhole, mustHaveAll } from './whole-body.ts'

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
  const businessKey = options.businessKey ?? null
  const made = () => (businessKey === null ? desk.random.uuid() : idForKey(desk, operation, businessKey))
  const ownId = operation.idField === null ? await made() : ''
  const draft = draftOf(desk.profile, operation, request, { businessKey, ownId })
  for (const secret of requestSecrets(operation, request)) desk.tell.hide(secret)
  const guard = guardOf(desk.profile, operation, request, options)
  return notEndedUnpaid(desk, operation, await send(desk, operation, request, draft, guard, options))
}

/** Resolves an intent of the journal: by what a read shows of it, or by sending it once more under the same id. */
export async function resubmit(
  desk: Desk,
  operation: WriteOperation,
  intent: Intent,
  looked: AskedBefore & Pick<SubmitOptions, 'calledOff'> = {},
): Promise<Submitted> {
  const request = readJson(intent.body)
  if (!isRecord(request)) throw new Failure('bug', `the journal holds no request for ${intent.journalId}`)
  mustHaveAll(intent)
  mustBeAsHeld(operation, request, intent)
  const guard = guardOfRepeat(desk.profile, operation, request, intent, looked)
  return notEndedUnpaid(desk, operation, await send(desk, operation, request, intent, guard, looked))
}

/** Times that the journal is asked anew because another run's attempt came between a look and the sending. */
const mostRounds = 5

async function send<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  draft: Draft,
  guard: Guard,
  options: SubmitOptions = {},
): Promise<Submitted> {
  const { deadline = desk.clock.now() + desk.settings.timeout, isNew = false } = options
  const until = limitsOf(desk, deadline, options)
  for (let round = 1; ; round += 1) {
    const seen = isNew && round === 1 ? untouched : await desk.journal.look(draft, guard)
    if (seen.kind === 'done') return asReplayed(seen.intent)
    if (seen.conflict) mustBeRecognised(operation, request, seen.conflict)
    const trying = () => sendOnce(desk, operation, request, draft, guard, { ...seen, ...until })
    const atStake = seen.unresolved ?? seen.conflict
    const tried = atStake ? await inPlay(desk, atStake, trying) : await trying()
    if (tried.kind === 'done') return tried.submitted
    if (round === mostRounds) throw overtaken(tried.intent)
  }
}

/** Nothing is left where it was called off before it left. */
function limitsOf(desk: Desk, deadline: number, options: SubmitOptions): RunLimits {
  const { sendUntil = deadline, calledOff = () => false, allowDuplicate: allowed = null } = options
  const left = timeLeft(desk.clock, Math.min(deadline, sendUntil))
  const waited = waitedSince(desk)
  const timeToSend = (isUnderWay: boolean) => (!isUnderWay && calledOff() ? 0 : left() + waited())
  return { deadline: moving(desk, deadline), timeToSend, calledOff, allowed }
}

interface Seen extends RunLimits {
  /** It is over a limit, as it seems, or held. */
  readonly isHeldBack: boolean
  /** The intent, if earlier attempts may have executed it. */
  readonly unresolved: Intent | null
  readonly attempts: number
}

type Tried =
  | { readonly kind: 'done'; readonly submitted: Submitted }
  /** Another run's attempt came between: what came of it has to be asked first. */
  | { readonly kind: 'overtaken'; readonly intent: Intent }

/** Takes one way from the journal's view to an outcome. That view is a hint: `journal.begin` decides. */
async function sendOnce<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  draft: Draft,
  guard: Guard,
  { unresolved: open, attempts, isHeldBack, ...limits }: Seen,
): Promise<Tried> {
  const { journal } = desk
  const known = open && (await resolveOpen(desk, operation, open, limits.deadline()))
  if (known) return { kind: 'done', submitted: { intent: known, replayed: false, warnings: [] } }
  mustBeWhole(operation, request, draft)
  // Sealed once for nothing: what is too long for its envelope (2) must not stand in the journal as an attempt.
  if (operation.wire !== 'bearer') encode(desk.profile, operation, request, null)
  if (isHeldBack) await mustFit(desk, draft, guard)
  let token: string | null
  try {
    token = await signedIn(desk, operation, open, (tokens) => beforeEnding(desk, tokens.get(limits.deadline())))
  } catch (error) {
    // Another process may have sent the same payment in the meantime: then "nothing was sent" would be wrong.
    const now = await journal.look(draft, guard)
    if (now.kind === 'done') return { kind: 'done', submitted: asReplayed(now.intent) }
    if (now.unresolved && !open) throw overtaken(now.unresolved)
    throw now.conflict ? told(error, now.conflict, desk.signal) : error
  }
  const clearance = operation.repeats(request).unanswered === 'repeat' ? 'recognised' : attempts
  const begun = await journal.begin(draft, guard, heldFor(desk), clearance)
  if (begun.kind === 'done') return { kind: 'done', submitted: asReplayed(begun.intent) }
  if (begun.kind === 'unresolved') return { kind: 'overtaken', intent: begun.intent }
  if (begun.kind === 'held') throw heldOver(begun)
  const warnings = begun.suspected ? [duplicateWarning(begun.suspected)] : []
  await beginsRecognised(desk, operation, request, begun)
  const run = new Run(desk, operation, request, begun, token, limits)
  const free = () => journal.release(begun.intent).catch(() => true)
  try {
    const intent = await inPlay(desk, begun.intent, () => run.drive(begun.attempt))
    if (intent.heldUntil !== null) await free()
    return { kind: 'done', submitted: { intent, replayed: false, warnings } }
  } catch (error) {
    // A run that slept past its hold knows nothing of what another one has made of the payment since.
    const end = (await free()) ? error : takenOver(begun.intent)
    throw end instanceof Failure ? end.with({ warnings }) : end
  }
}

export function asReplayed(intent: Intent): Submitted {
  if (intent.otherSum !== null) throw otherSum(intent, intent.otherSum)
  return { intent, replayed: true, warnings: [] }
}

function overtaken(intent: Intent): Failure {
  const message = 'another run has sent this payment meanwhile, and its outcome is unknown'
  return new Failure('unknown', message, { ...factsOf(intent), hints: [resolveIt(intent)] })
}
