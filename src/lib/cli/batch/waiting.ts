/** The wait for a plan on the command line: its progress, and its end as an exit code. */
import { setMaxListeners } from 'node:events'
import { Flags, type Interfaces } from '@oclif/core'
import { type Plan, planTotals, staleness } from '../../batch/plan.ts'
import { nextSteps, stillRunningHint } from '../../batch/reports/next-steps.ts'
import type { Standing } from '../../batch/row-state.ts'
import type { WaitOutcome } from '../../batch/wait.ts'
import { howMany } from '../../contract/core/text.ts'
import { Failure } from '../../failure.ts'
import type { ResultOf } from '../../result.ts'
import { kindOf } from '../../signals.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { openBatchDesk, planOf, plansOf, profileOfPlan } from './plans.ts'
import { progressOfWait } from './progress.ts'
import { rateOf } from './run.ts'

export type WaitResult = ResultOf<typeof import('../../batch/result.ts').waitResult>

export const waitFlags = {
  concurrency: Flags.integer({ description: 'payouts read at the same time', default: 16, min: 1, max: 256 }),
  rate: Flags.string({ description: 'reads per second at most', helpValue: '50/s' }),
}

type WaitFlags = SharedFlags & Interfaces.InferredFlags<typeof waitFlags>

export async function waitWhole(invocation: Invocation, planId: string, flags: WaitFlags): Promise<WaitResult> {
  const { RateLimiter } = await import('../../batch/rate-limiter.ts')
  const { planIn } = await import('../../batch/plans.ts')
  const { waitForPlan } = await import('../../batch/wait.ts')
  const limiter = new RateLimiter(invocation.edge.clock, rateOf(flags.rate))
  const { store, plan } = await planOf(invocation, planId)
  const profile = await profileOfPlan(invocation, plan, flags)
  const { desk, leaseHolder } = await openBatchDesk(invocation, profile, flags, {
    limiter,
    connections: flags.concurrency,
  })
  const { signal } = invocation
  // Every question on its way listens to it.
  setMaxListeners(0, signal)
  const { close, ...told } = progressOfWait(invocation, plan)
  // Nothing is lost with a question: ^C ends it.
  const plans = await plansOf(invocation)
  const { concurrency } = flags
  const parts = { desk: { ...desk, signal }, leaseHolder, store, plan, limiter, signal, plans, concurrency }
  const waited = await waitForPlan({ ...parts, ...told }).finally(close)
  const left = (await planIn(store)) ?? plan
  return ended(invocation, left, waited, staleness(left, desk.profile, store.clock.now()))
}

function waitResultOf(
  { planId, rows, totals, discardedAt }: Plan,
  { sums, sending, before, unreadable, doubtful }: WaitOutcome,
): WaitResult {
  const of = (standing: Standing) => sums.of(standing).rows
  const exists = `${howMany(of('exists'), 'row only exists', 'rows only exist')} at the service, and ${of('exists') === 1 ? 'is' : 'are'} not waited for`
  const doubt = `${howMany(doubtful.rows, 'row is', 'rows are')} not final, because the answers about ${doubtful.rows === 1 ? 'it' : 'them'} are not reliable: ${doubtful.why}`
  const unread = `${howMany(unreadable.rows, 'row')} cannot be read: ${unreadable.why}`
  const conflict = `${howMany(of('conflict'), 'of the refused rows is a conflict', 'of the refused rows are conflicts')}: another payment has ${of('conflict') === 1 ? 'its key or id' : 'their keys or ids'} and may have been paid; \`batch report\` lists them`
  return {
    ...{ planId, rows, totals: planTotals(totals) },
    paid: of('paid'),
    accepted: of('accepted'),
    notPaid: of('not-paid'),
    exists: of('exists'),
    sending,
    unknown: of('unknown') - sending,
    refused: of('refused') + of('conflict'),
    unsent: of('unsent'),
    discardedAt,
    paidTotals: planTotals(sums.of('paid').totals),
    replayed: before.rows,
    replayedTotals: planTotals(before.totals),
    warnings: [
      ...before.warnings,
      ...(of('exists') > 0 ? [exists] : []),
      ...(of('conflict') > 0 ? [conflict] : []),
      ...(unreadable.rows > 0 ? [unread] : []),
      ...(doubtful.rows > 0 ? [doubt] : []),
    ],
  }
}

/** The end of the wait: its counts, or the failure that holds them as its document. */
function ended(invocation: Invocation, plan: Plan, waited: WaitOutcome, stale: string | null): WaitResult {
  const told = waitResultOf(plan, waited)
  const kind = kindOfWait(invocation, waited, told)
  if (kind === null) return told
  const { stopped, byHand } = waited
  const isSending = told.sending > 0
  const isWorked = isSending || (waited.goesOn && told.unsent > 0)
  const isOpen = isWorked || told.accepted + told.exists + told.unknown + waited.sums.of('conflict').rows > 0
  const left = (standing: Standing) => {
    if (standing === 'unknown') return told.unknown
    return waited.goesOn && standing === 'unsent' ? 0 : waited.sums.of(standing).rows
  }
  throw new Failure(kind, `${inShort(told)}${stopped ? `; stopped: ${stopped.message}` : ''}`, {
    ...(stopped?.facts ?? {}),
    moneyMoved: isOpen ? 'unknown' : told.paid > 0 ? 'yes' : 'no',
    retry: isSending || told.unknown > byHand.rows || told.unsent > 0 ? 'same-id' : 'never',
    hints: [
      ...(stopped?.facts.hints ?? []),
      ...(isWorked ? [stillRunningHint(plan)] : []),
      ...nextSteps(plan, stale, left, byHand),
    ],
    document: told,
  })
}

function kindOfWait(
  { signal }: Invocation,
  { unreadable, stopped, goesOn }: WaitOutcome,
  { sending, unknown, accepted, exists, notPaid, refused, unsent }: WaitResult,
): Failure['kind'] | null {
  if (signal.aborted) return kindOf(signal.reason)
  if (unknown + unreadable.rows > 0) return 'unknown'
  if (stopped) return stopped.kind
  if (accepted + exists + sending > 0 || (goesOn && unsent > 0)) return 'pending'
  return notPaid + refused + unsent > 0 ? 'partial' : null
}

/** "98 paid, 2 not final". */
function inShort(told: WaitResult): string {
  const words = [
    [told.paid, 'paid'],
    [told.accepted, 'not final yet'],
    [told.notPaid, 'accepted, not paid'],
    [told.exists, 'known to exist'],
    [told.sending, 'in flight'],
    [told.unknown, 'unknown'],
    [told.refused, 'refused'],
    [told.unsent, 'not sent'],
  ] as const
  return words.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(', ')
}
