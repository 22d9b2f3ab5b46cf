/** Objections of the journal to a write of this profile: suspected duplicates, and limits; and its answer to one that is not sent now. */
import { type ApprovablePlan, unruled } from '../approvals/subject.ts'
import type { Members } from '../contract/core/members.ts'
import type { WriteOperation } from '../contract/operation.ts'
import type { ServicePlace } from '../contract/service.ts'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import type { OpenedAttempt } from '../journal/attempts.ts'
import { type AfterPlanning, consider, duplicateWarning, type Guard, otherSum } from '../journal/duplicates.ts'
import { type Decision, describeShortage, heldFailure } from '../journal/hold.ts'
import { factsOf, type Intent, intentOf, type NewIntent } from '../journal/intent.ts'
import { requestIn } from '../journal/payment-end.ts'
import type { Profile } from '../profile/profile.ts'
import type { Desk } from './desk.ts'
import { findUnderId, makeOwnId, newIntentOf, sameButForSecrets } from './new-intent.ts'
import { judge, mayHaveLapsed } from './unpaid-end.ts'

type Guarded = Pick<Profile, 'duplicateGuard' | 'limits'> & ServicePlace

/** Facts of a payment that was looked at before, or asked for by its name. */
export interface AskedBefore {
  /** The journal id of the suspected duplicate that this payment may follow. */
  readonly allowDuplicate?: string | null
  /** True if payments alike were looked for before, and agreed to: a plan does so for all its rows at once. */
  readonly isAgreed?: boolean
  /** False where the payment was not asked for by its own id or key: one that is held stays held then. */
  readonly sendsHeld?: boolean
  /** The plan that it is a row of, and that has been held against its rows. */
  readonly plan?: ApprovablePlan | null
  /** Refuses a payout like this row that came after its plan was made. */
  readonly planned?: AfterPlanning | null
}

export interface SubmitOptions extends AskedBefore {
  readonly idempotencyKey?: string | null
  /** True if the journal had nothing of it a moment ago: then it is asked once, when it decides. */
  readonly isNew?: boolean
  /** Asked before its first attempt leaves: true keeps it here. */
  readonly calledOff?: () => boolean
  /** Until when; the time of the command from now on, if not given. */
  readonly deadline?: number
  /** After this nothing is sent any more, though an answer may still be waited for and the service be asked. */
  readonly sendUntil?: number
}

export function guardOf(
  profile: Guarded,
  operation: WriteOperation,
  request: Members,
  { isAgreed = false, allowDuplicate = null, sendsHeld = true, plan = null, planned = null }: AskedBefore,
): Guard {
  const { duplicateGuard, limits } = profile
  const { guarded } = operation.moves(request)
  // No record could tell a second one from the first: it would be the repeat that is never made.
  const isUnrecognisable = guarded && operation.retryPolicy(request).unanswered === 'stop'
  return {
    duplicates: guarded && !isAgreed ? duplicateGuard : 'off',
    allowed: allowDuplicate,
    limits,
    sendsHeld,
    plan,
    planned,
    sender: profile,
    ...(isUnrecognisable ? { unknownDuplicates: 'refuse' } : {}),
  }
}

/**
 * The same of an intent that is sent again under its id. One that is held was not sent before: since then another payment of the
 * same sum may have been made in its place.
 */
export function guardOfRepeat(
  profile: Guarded,
  operation: WriteOperation,
  request: Members,
  { state }: Intent,
  { allowDuplicate = null, sendsHeld = true, plan = null }: AskedBefore,
): Guard {
  const guard = guardOf(profile, operation, request, { allowDuplicate, sendsHeld, plan })
  return { ...guard, duplicates: state === 'held' ? profile.duplicateGuard : 'off' }
}

/** One more attempt under the same id. Throws held (13) where another payment has taken the room of one that did not leave. */
export async function openNextAttempt(
  { journal, profile }: Pick<Desk, 'journal' | 'profile'>,
  intent: Intent,
): Promise<OpenedAttempt> {
  const again = await journal.again(intent, profile.limits)
  if (again.kind === 'held') throw heldFailure(again)
  return again
}

/** Throws held (13), and keeps the draft so, where it is over a limit: nothing is asked of the service for it. */
export async function requireWithinLimits(
  { journal }: Pick<Desk, 'journal'>,
  newIntent: NewIntent,
  guard: Guard,
): Promise<void> {
  const held = await journal.hold(newIntent, guard)
  if (held) throw heldFailure(held)
}

// --- A write that is not sent now: the journal is asked as `submit` asks it, and nothing is written

interface DryRunOptions extends Pick<SubmitOptions, 'idempotencyKey' | 'allowDuplicate'> {
  /** True where a placeholder stands in the request for a secret that was not read. */
  readonly isUnread?: boolean
}

type Asked = Pick<Desk, 'journal' | 'profile' | 'random'>

/** The draft of a request without its secret takes the body that the journal has, if all else is the same. */
async function asRecorded(desk: Asked, operation: WriteOperation, request: Members, newIntent: NewIntent) {
  const known = await findUnderId(desk, operation, newIntent)
  const isSame = known && sameButForSecrets(operation, requestIn(known.body), request)
  return isSame ? { ...newIntent, bodyDigest: known.bodyDigest } : newIntent
}

const seeLimits = hint`\`${paste('profile show')}\` shows the limits and what is left of them.`

function wouldBeHeld(newIntent: NewIntent, intent: Intent | null, { because, ruling }: Decision): Failure {
  const { operation, uniqueId } = newIntent
  const how = intent?.state === 'held' ? `, and stays held (${intent.journalId})` : ', but held'
  return new Failure('held', `it will not be sent now${how}: ${because ?? 'over a limit'}`, {
    ...(intent ? factsOf(intent) : { operation, uniqueId }),
    hints: [
      ruling.because === null ? seeLimits : hint`The run stores it as held, so that another person can approve it.`,
    ],
  })
}

/** As `preflightDryRun`, where no journal was ever written: only limits can speak against it. `now`: milliseconds since 1970. */
export function preflightFirstDryRun(profile: Profile, operation: WriteOperation, request: Members, now: number): void {
  const { limits } = guardOf(profile, operation, request, {})
  const newIntent = newIntentOf(profile, operation, request, { idempotencyKey: null, ownId: '' })
  const because = describeShortage(newIntent, limits, now)
  if (because !== null) throw wouldBeHeld(newIntent, null, { because, ruling: unruled })
}

/**
 * Remarks on what the run would do besides sending. Throws a Failure where the run would send nothing: refused (5), duplicate (7),
 * unknown (9), locked (12), held (13).
 */
export async function preflightDryRun(
  desk: Asked,
  operation: WriteOperation,
  request: Members,
  { idempotencyKey = null, allowDuplicate = null, isUnread = false }: DryRunOptions,
): Promise<readonly string[]> {
  const { journal, profile } = desk
  const ownId = await makeOwnId(desk, operation, idempotencyKey)
  const typed = newIntentOf(profile, operation, request, { idempotencyKey, ownId })
  const newIntent = isUnread ? await asRecorded(desk, operation, request, typed) : typed
  const guard = guardOf(profile, operation, request, { allowDuplicate })
  const { opening, row, decision } = await journal.ask((db, present) => consider(db, newIntent, guard, present))
  if (opening.kind === 'done') {
    const { intent } = opening
    if (intent.otherSum !== null) throw otherSum(intent, intent.otherSum)
    if (await mayHaveLapsed(desk, intent)) {
      return [
        `it was sent before (${intent.journalId}) and was ${intent.status}: the run would send nothing and read its status`,
      ]
    }
    await judge(desk, operation, { intent, replayed: true, warnings: [] })
    return [`it was sent before: the run would send nothing, and answer with ${intent.journalId} (${intent.state})`]
  }
  const { unresolved, suspected, isHeldBack } = opening
  if (isHeldBack) throw wouldBeHeld(newIntent, row ? intentOf(row) : null, decision)
  return [
    ...(unresolved ? [`an earlier attempt is open (${unresolved.journalId}): the run would resolve it first`] : []),
    ...(suspected ? [duplicateWarning(suspected)] : []),
  ]
}
