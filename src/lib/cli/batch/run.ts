/** The run of a plan on the command line: consent, the lease, requests in flight, ^C and progress. */
import { Flags, type Interfaces } from '@oclif/core'
import type { Count, CountResult } from '../../batch/count.ts'
import type { Lease } from '../../batch/lease.ts'
import { isSameSender, type Plan, staleness, totalsInWords } from '../../batch/plan.ts'
import type { Plans } from '../../batch/plans.ts'
import { ownerOf } from '../../batch/rows.ts'
import type { RunParts } from '../../batch/run.ts'
import { foreignPlanFailure, heldByWorkers, stalePlanFailure, stopTakenOver } from '../../batch/stop.ts'
import { howMany } from '../../contract/core/text.ts'
import { steadyNow } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import type { Transport } from '../../http/client.ts'
import { signalInWords } from '../../signals.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import type { Output } from '../output/output.ts'
import { terminalAsker } from '../prompts/ask.ts'
import { type Consent, requireConsent } from '../prompts/confirm.ts'
import { openBatchDesk, planOf, plansOf, profileOfPlan, stoppedRun } from './plans.ts'
import { type Progress, timeInWords } from './progress.ts'

interface InFlight {
  readonly transport: Transport
  readonly count: () => number
}

/** The same transport, counting. */
export function countingInFlight(transport: Transport): InFlight {
  let count = 0
  return {
    count: () => count,
    async transport(baseUrl, request, limits) {
      count += 1
      try {
        return await transport(baseUrl, request, limits)
      } finally {
        count -= 1
      }
    },
  }
}

/** The rest that a run waits for when it is asked to stop. */
interface Awaited {
  readonly flight: InFlight
  /** Rows that may have been executed, and are sent once more after a pause. */
  readonly pausing: number
  /** Milliseconds that a row has. */
  readonly timeout: number
  /** Milliseconds that the service still asks for before. */
  readonly pausedFor: number
}

/** Says at once that the first signal was heard: the end may take its time. */
function sayWaited(
  output: Pick<Output, 'say'>,
  { flight, pausing, timeout, pausedFor }: Awaited,
  signal: AbortSignal,
): void {
  const count = flight.count()
  const onTheirWay = `${howMany(count, 'request on its way is', 'requests on their way are')} waited for`
  const open = `${howMany(pausing, 'row without an answer is', 'rows without an answer are')} sent once more under the same id`
  const seconds = (milliseconds: number) => timeInWords(Math.ceil(milliseconds / 1000))
  const pause = pausedFor > 0 ? `, after the ${seconds(pausedFor)} that the service asks for` : ''
  const most = `each may take ${seconds(timeout)} (--timeout)${pause}`
  const again = `a second ${signalInWords(signal.reason)} ends at once`
  const later = 'and unknown rows can be resolved later'
  const waited = [...(count > 0 ? [onTheirWay] : []), ...(pausing > 0 ? [open] : [])]
  const told = waited.length === 0 ? ['none is in flight', again] : [...waited, most, `${again}, ${later}`]
  output.say(`${signalInWords(signal.reason)}: ${['no more rows are sent', ...told].join('; ')}.`)
}

/** The same as an event, for a command that tells its doings by them. */
export function endingEvent({ flight, pausing }: Pick<Awaited, 'flight' | 'pausing'>, signal: AbortSignal) {
  return { event: 'ending', why: `stopped by ${signalInWords(signal.reason)}`, inFlight: flight.count(), pausing }
}

/** Always the totals of the plan, however much of it is left: those words were agreed to. */
async function consentToPlan(
  invocation: Invocation,
  { desk, leaseHolder, store, plan }: Pick<RunParts, 'desk' | 'leaseHolder' | 'store' | 'plan'>,
  count: Count,
  flags: Consent,
): Promise<void> {
  const { canAsk, edge, signal } = invocation
  const asker = canAsk && flags.confirm === undefined && !flags.yes ? terminalAsker(edge, signal) : null
  const phrase = totalsInWords(plan.totals)
  const { otherAccountsInWords } = await import('../../batch/warnings.ts')
  const cautions = asker ? await otherAccountsInWords({ desk, leaseHolder, store }) : []
  const lines = [
    ...cautions.flatMap((each) => [`CAUTION: ${each}`, '']),
    ...[...toPay(plan, count, phrase), `as ${plan.profile} (${plan.environment})`],
  ]
  const live = plan.environment !== 'sandbox'
  await requireConsent({ live, strict: `a ${plan.environment} profile`, lines, phrase }, flags, asker)
}

/** The payments of a run in words: those that are still to go, and the whole where that is more. */
function toPay({ rows, file }: Plan, { toGo, resolvable: open }: Count, whole: string): readonly string[] {
  const first = `Pay ${toGo.rows} of ${howMany(rows, 'row')} of ${file}`
  const has = open.rows === 1 ? 'has' : 'have'
  const again = `${open.rows} of them ${has} no definite answer (${totalsInWords(open.totals)}): they keep their ids, so none is paid twice`
  return [
    toGo.rows === rows
      ? `${first}: ${whole} in all`
      : `${first}: ${totalsInWords(toGo.totals)}; the whole plan is ${whole}`,
    ...(open.rows > 0 ? [again] : []),
  ]
}

/** The run of a plan on the command line: consent, the lease, ^C and progress. */
export const runFlags = {
  // First, because it has a letter: see consentFlags.
  yes: Flags.boolean({ char: 'y', description: 'do not ask; only for the sandbox' }),
  confirm: Flags.string({ description: 'confirm without being asked', helpValue: '"GEL 120.00 + USD 5.00"' }),
  concurrency: Flags.integer({ description: 'requests in flight at the same time', default: 16, min: 1, max: 256 }),
  rate: Flags.string({ description: 'rows a second at most', helpValue: '50/s' }),
  'max-failures': Flags.integer({ description: 'stop after this many rows were not accepted', min: 1 }),
  'allow-duplicates': Flags.boolean({
    description: 'pay rows even if similar payouts were sent since the plan was made',
  }),
}

/** Of the first run of a plan only: what was handed over goes on by itself. */
export const handingFlags = {
  workers: Flags.boolean({
    description: "let the team's workers pay the plan, and wait until it ends",
    exclusive: ['max-failures'],
  }),
}

type RunFlags = SharedFlags &
  Interfaces.InferredFlags<typeof runFlags> & {
    readonly workers?: boolean
    /** True if --timeout is for the whole command: no row is sent after it. Else each row may take as long. */
    readonly isBounded?: boolean
  }

/** Rows a second; null where none is given. Throws usage (2). */
export function rateOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const parts = /^(\d{1,6}(?:\.\d{1,3})?)\/(s|m)$/.exec(text.trim())
  const rate = parts ? Number(parts[1]) / (parts[2] === 'm' ? 60 : 1) : 0
  if (rate > 0) return rate
  throw new Failure('usage', `--rate takes rows a second or a minute, like 50/s or 100/m, not "${text}"`)
}

/** Runs what is left of a plan: consent first. Throws as the end of the run says. */
export async function runWhole(invocation: Invocation, planId: string, flags: RunFlags): Promise<CountResult> {
  const rate = rateOf(flags.rate)
  const { store, plan: read } = await planOf(invocation, planId)
  const profile = await profileOfPlan(invocation, read, flags)
  const { edge } = invocation
  const { endRun, nothingTried } = await import('./end.ts')
  const { RateLimiter } = await import('../../batch/rate-limiter.ts')
  const { Lease: PlanLease } = await import('../../batch/lease.ts')
  const { countRows } = await import('../../batch/run.ts')
  const { duplicateWarnings, findPaidSince } = await import('../../batch/duplicates.ts')
  const { verifyPlan } = await import('../../batch/make-plan.ts')
  const { findPlanHold } = await import('../../batch/limits.ts')
  const limiter = new RateLimiter(edge.clock, rate)
  const { desk, leaseHolder } = await openBatchDesk(invocation, profile, flags, {
    limiter,
    connections: flags.concurrency,
  })
  const before = await countRows({ desk: ownerOf(read, desk.journal), leaseHolder, store })
  if (before.isDone) return endRun(invocation, read, before, nothingTried)
  if (!isSameSender(desk.profile, read)) {
    const failure = foreignPlanFailure(read, desk.profile, before)
    return endRun(invocation, read, before, { ...nothingTried, reason: { kind: 'foreign', failure } })
  }
  // Workers resolve open rows in parts: a plan that is handed over is looked at here, whole.
  const isLooked = flags.workers || !hasRepeats(before)
  const held = isLooked ? await findPlanHold({ desk, leaseHolder, store, plan: read }) : null
  if (held) return endRun(invocation, read, before, { ...nothingTried, reason: { kind: 'failure', failure: held } })
  const allowDuplicates = flags['allow-duplicates'] ?? false
  const looking = { desk, leaseHolder, store, plan: read, allowDuplicates }
  const alike = isLooked ? await findPaidSince(looking) : null
  if (alike) return endRun(invocation, read, before, { ...nothingTried, reason: { kind: 'failure', failure: alike } })
  const warnings = await duplicateWarnings(looking, await plansOf(invocation))
  const { output } = invocation
  // Above the question; with --json among the warnings of the document.
  for (const warning of warnings) output.machine ? invocation.warnings.add(warning) : output.warn(warning)
  await consentToPlan(invocation, { desk, leaseHolder, store, plan: read }, before, flags)
  const lease = new PlanLease(store, leaseHolder)
  // It may have been discarded, or planned anew, while somebody was asked.
  const plan = await lease.take()
  const { progressOf } = await import('./progress.ts')
  const progress = progressOf(invocation, plan, before)
  const parts = { desk, leaseHolder, store, plan, rate: limiter, lease, progress, allowDuplicates }
  try {
    const plans = await plansOf(invocation)
    if (!flags.workers && (await plans.isHandedOver(plan.planId))) throw heldByWorkers(plan)
    const seen = await verifyPlan(desk.journal, store, plan)
    if (flags.workers) return await handOverToWorkers(invocation, plans, parts, rate)
    return await runHere(invocation, { ...parts, seen }, flags)
  } finally {
    // A store that is busy takes its time, and the progress says so.
    await lease.release().catch(() => undefined)
    progress.close()
  }
}

/** A run that was agreed to, with its lease. */
interface Running extends Pick<RunParts, 'desk' | 'leaseHolder' | 'store' | 'plan' | 'rate' | 'allowDuplicates'> {
  readonly lease: Lease
  readonly progress: Progress
}

async function runHere(
  invocation: Invocation,
  { lease, progress, ...parts }: Running & Pick<RunParts, 'seen'>,
  flags: RunFlags,
): Promise<CountResult> {
  const { signal } = invocation
  const { endRun } = await import('./end.ts')
  const { runPlan } = await import('../../batch/run.ts')
  const { ConcurrencyLimiter, EventLoopTurns } = await import('../../batch/scheduler.ts')
  const { askingFirst } = await import('../../batch/rate-limiter.ts')
  const { StopDecision } = await import('../../batch/stop.ts')
  const stopping = new StopDecision(flags['max-failures'] ?? null)
  const flight = countingInFlight(parts.desk.transport)
  let pausing = () => 0
  const stopBySignal = () => {
    stopping.because({ kind: 'signal' })
    const { pausedFor } = parts.rate
    sayWaited(
      invocation.output,
      { flight, pausing: pausing(), timeout: parts.desk.settings.timeout, pausedFor },
      signal,
    )
  }
  if (signal.aborted) stopBySignal()
  signal.addEventListener('abort', stopBySignal, { once: true })
  const kept = lease.keep((plan) => stopping.because(stopTakenOver(plan)))
  const desk = { ...parts.desk, transport: flight.transport, ending: stopping.signal }
  const { clock } = invocation.edge
  const end = flags.isBounded && flags.timeout !== undefined ? steadyNow(clock) + flags.timeout : null
  const ask = async () => {
    if (end !== null && steadyNow(clock) > end) {
      stopping.because({ kind: 'enough', why: 'the time of --timeout was over' })
      throw new Error('nothing more of the plan is sent')
    }
    await kept.ask()
  }
  const rate = askingFirst(parts.rate, ask)
  const { isOver } = kept
  const limiter = new ConcurrencyLimiter(flags.concurrency, new EventLoopTurns())
  try {
    const watch: RunParts['watch'] = (scheduler) => {
      pausing = () => scheduler.underWay.pausing
      progress.watch(scheduler)
    }
    const own = { ...parts, desk, rate, isOver, stopping, tell: progress.tell, watch }
    invocation.lastWords = () => stoppedRun(parts.plan)
    const count = await runPlan(own, flags.concurrency, limiter)
    // Another run may have taken the plan behind the last row of this one.
    if (!count.isDone && stopping.reason === null) await kept.ask().catch(() => null)
    // Rows may have been ended by another process. A store that is away has told so already.
    await desk.journal.headNow().catch(() => null)
    progress.show(count)
    return endRun(invocation, parts.plan, count, stopping)
  } finally {
    kept.stop()
    signal.removeEventListener('abort', stopBySignal)
  }
}

/** The lease only covers the handing over: the workers lease each row. */
async function handOverToWorkers(
  invocation: Invocation,
  plans: Plans,
  { desk, leaseHolder, store, plan, lease, progress, allowDuplicates }: Running,
  rate: number | null,
): Promise<CountResult> {
  const { countRows } = await import('../../batch/run.ts')
  const { planIn } = await import('../../batch/plans.ts')
  const { fleetOf } = await import('./fleet.ts')
  const { followWorkers } = await import('./end.ts')
  const why = staleness(plan, desk.profile, store.clock.now())
  if (why !== null) throw stalePlanFailure(plan, why)
  const { fleet } = await fleetOf(invocation, desk.profile, false)
  await fleet.handOver(plan, { rate, allowDuplicates: allowDuplicates ?? false }, lease)
  await lease.release()
  const count = () => countRows({ desk: ownerOf(plan, desk.journal), leaseHolder, store })
  const isWorked = () => plans.isHandedOver(plan.planId)
  const planNow = async () => (await planIn(store)) ?? plan
  return followWorkers(invocation, { plan, planNow, fleet, isWorked, count, progress })
}

/** Rows that were sent before are resolved whatever the limits are. */
function hasRepeats(count: Count): boolean {
  return count.of('unknown') + count.of('turned-away') > 0
}
