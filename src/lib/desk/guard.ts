/** The journal's objections to a write of this profile: suspected duplicates, and limits. */

import type { ApprovablePlan } from '../approvals/subject.ts'
import type { Members } from '../contract/core/members.ts'
import type { WriteOperation } from '../contract/operation.ts'
import type { ServicePlace } from '../contract/service.ts'
import type { OpenedAttempt } from '../journal/attempts.ts'
import { type AfterPlanning, type Guard, heldOver } from '../journal/duplicates.ts'
import type { Draft, Intent } from '../journal/intent.ts'
import type { Profile } from '../profile/profile.ts'
import type { Desk } from './desk.ts'

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

export function guardOf(
  profile: Guarded,
  operation: WriteOperation,
  request: Members,
  { isAgreed = false, allowDuplicate = null, sendsHeld = true, plan = null, planned = null }: AskedBefore,
): Guard {
  const { duplicateGuard, limits } = profile
  const { guarded } = operation.moves(request)
  return {
    duplicates: guarded && !isAgreed ? duplicateGuard : 'off',
    allowed: allowDuplicate,
    limits,
    sendsHeld,
    plan,
    planned,
    sender: profile,
    ...besideUnknown(operation, request),
  }
}

/** No record could tell the second one from the first: it would be the repeat that is never made. */
function besideUnknown(operation: WriteOperation, request: Members): Pick<Guard, 'unknownDuplicates'> {
  const { guarded } = operation.moves(request)
  return guarded && operation.repeats(request).unanswered === 'stop' ? { unknownDuplicates: 'refuse' } : {}
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
  const { duplicateGuard, limits } = profile
  const duplicates = state === 'held' ? duplicateGuard : 'off'
  const usual = { duplicates, allowed: allowDuplicate, limits, sendsHeld, plan, sender: profile } as const
  return { ...usual, ...besideUnknown(operation, request) }
}

/** One more attempt under the same id. Throws held (13) where another payment has taken the room of one that did not leave. */
export async function onceMore(
  { journal, profile }: Pick<Desk, 'journal' | 'profile'>,
  intent: Intent,
): Promise<OpenedAttempt> {
  const again = await journal.again(intent, profile.limits)
  if (again.kind === 'held') throw heldOver(again)
  return again
}

/** Throws held (13), and keeps the draft so, where it is over a limit: nothing is asked of the service for it. */
export async function mustFit({ journal }: Pick<Desk, 'journal'>, draft: Draft, guard: Guard): Promise<void> {
  const held = await journal.hold(draft, guard)
  if (held) throw heldOver(held)
}
