/** One row of a plan, sent by the way of every payout, and the state that it has then. */

import type { WriteOperation } from '../../contract/operation.ts'
import { createPayout } from '../../contract/payout/payout.ts'
import type { Desk } from '../../desk/desk.ts'
import { resubmit, type Submitted, submit } from '../../desk/submit.ts'
import { Failure } from '../../failure.ts'
import { FailureBeforeSending } from '../../failure-before-sending.ts'
import { type AfterPlanning, AlikeSincePlanning } from '../../journal/duplicates.ts'
import type { ThisProcess } from '../../journal/lease.ts'
import { approvable } from '../plan/approvable.ts'
import type { Plan } from '../plan/plan.ts'
import { isUnmoved } from '../rows/own-ends.ts'
import { ownerOf } from '../rows/owner.ts'
import { type PlannedRow, requestOfRow, withIntents } from '../rows/state.ts'
import { paidOtherwise } from './paid-since.ts'
import type { Stopping } from './stop.ts'

export interface SendingParts {
  readonly desk: Desk
  readonly holding: ThisProcess
  readonly plan: Plan
  readonly stopping: Stopping
  /** The look of each opening for payouts alike; null where they are let through. */
  readonly planned?: AfterPlanning | null
  /** Others pay rows of the plan at the same time. */
  readonly isShared?: boolean
  /** True where another process may have the plan by now: this one slept. */
  readonly isOver?: () => boolean
}

const payout: WriteOperation = createPayout

/** Sends a row, or resolves one that was sent. Never throws: what went wrong stands beside the row. */
export async function sent(
  { desk, holding, plan, stopping, planned = null, isShared = false, isOver = () => false }: SendingParts,
  row: PlannedRow,
): Promise<{ readonly after: PlannedRow; readonly failure: Failure | null }> {
  try {
    const calledOff = () => stopping.reason !== null || isOver()
    const { intent } = await sending(desk, plan, row, { calledOff, planned })
    const state = intent.state === 'exists' ? 'exists' : 'accepted'
    return { after: { ...row, intent, state }, failure: null }
  } catch (error) {
    if (error instanceof AlikeSincePlanning) {
      stopping.because({ kind: 'failure', failure: paidOtherwise(plan, [[row, error.intent]]) })
    }
    const failure =
      error instanceof Failure
        ? error.ofProfile(desk.profile.name)
        : new Failure('bug', `row ${row.planned.number}: ${String(error)}`)
    // Where the journal cannot say, only what was never handed to the line is as it was, if nobody else may have paid it since.
    const isAsItWas = error instanceof FailureBeforeSending && !isShared
    const asItIs: PlannedRow = isAsItWas ? row : { ...row, state: 'unknown' }
    const owner = ownerOf(plan, desk.journal)
    const [seen = asItIs] = await withIntents(owner, holding, [row.planned]).catch(() => [])
    // This process is done with the row: an end that could not be recorded leaves nothing on its way.
    const isLeft = seen.state === 'sending' && seen.intent?.holder === holding.self
    return { after: isLeft || isMissing(seen, failure) ? { ...seen, state: 'unknown' } : seen, failure }
  }
}

/** True if it may have been paid by this run, and the store has it as one that was not: it was put back, or emptied, meanwhile. */
function isMissing({ state, intent }: PlannedRow, failure: Failure): boolean {
  const isHere = failure instanceof FailureBeforeSending
  if (state === 'planned' && intent === null) return !isHere && failure.moneyMoved !== 'no'
  return isUnmoved(state) && !isHere && failure.kind === 'unknown'
}

/** `calledOff`: what was opened and has not left yet stays here. */
function sending(
  desk: Desk,
  plan: Plan,
  { planned, intent, state }: PlannedRow,
  { calledOff, planned: after }: { readonly calledOff: () => boolean; readonly planned: AfterPlanning | null },
): Promise<Submitted> {
  const looked = { isAgreed: true, sendsHeld: false, calledOff, plan: approvable(plan), planned: after }
  if (state === 'unknown' && intent) return resubmit(desk, payout, intent, looked)
  const isNew = intent === null && state === 'planned'
  return submit(desk, payout, requestOfRow(planned), { businessKey: planned.business_key, isNew, ...looked })
}
