/** The end of a run on the command line: what stopped it, what is left, and the exit code. */
import { lookPauses } from '../../backoff.ts'
import { type Count, type CountResult, countResultOf } from '../../batch/count.ts'
import { ownStaleness, type Plan, resumeLine } from '../../batch/plan.ts'
import { rowStates } from '../../batch/row-state.ts'
import {
  reasonInThisRun,
  replanHint,
  resolveHint,
  type Stop,
  type StopDecision,
  stopOfWorkers,
} from '../../batch/stop.ts'
import { howMany } from '../../contract/core/text.ts'
import { Failure, FailureBeforeSending, failures, type MoneyMoved, type Retry } from '../../failure.ts'
import type { OpenedFleet } from '../../fleet/fleet.ts'
import { blank, type Hint, hint, paste } from '../../hint.ts'
import { kindOf, signalInWords } from '../../signals.ts'
import type { Invocation } from '../invocation.ts'
import type { Progress } from './progress.ts'

type RunEnd = Pick<StopDecision, 'reason' | 'last' | 'hasSent' | 'hasPaid'>

/** The end of a run that tried no row. */
export const nothingTried: RunEnd = { reason: null, last: null, hasSent: false, hasPaid: false }

/** The end of a run: its count, or the failure that holds it as its document. */
export function endRun(invocation: Invocation, plan: Plan, count: Count, run: RunEnd): CountResult {
  const { reason: stop, hasSent, hasPaid } = run
  // Rows that were open then may have been resolved since, by whomever.
  const last = count.isDone && count.of('unknown') === 0 ? null : run.last
  const stopped = stop && inWords(stop, invocation.signal)
  // Nothing was left for it.
  const isIdle = count.isDone && stop === null && !hasSent
  const document = resultOf(plan, count, stopped, isIdle)
  const kind = kindOfEnd(invocation, count, { reason: stop, last, hasSent, hasPaid })
  if (kind === null) return document
  const { planId } = plan
  const ofHeld = hint`\`${paste('batch show', planId, '--state', 'held')}\` lists the held rows; \`${paste('resume', blank('<journalId>'))}\` sends one once it is within the limits.`
  const ofUnpaid = hint`Rows that were accepted but not paid need a new id: pay them in another file, under new keys.`
  const why = hint`\`${paste('batch results', planId, '--dir', blank('<folder>'))}\` writes the rows by outcome.`
  const open = last === null ? '' : `; the last of those that are open: ${reasonInThisRun(last)}`
  const idle = isIdle ? `; ${nothingLeft}` : ''
  const how = stopped === null ? open : `; stopped${stop?.kind === 'signal' ? '' : ':'} ${stopped}`
  const foremost = failureIn(stop) ?? last
  throw new Failure(kind, `${inShort(count)}${idle}${how}`, {
    ...failureIn(stop)?.facts,
    moneyMoved: movedIn(kind, count, stop),
    retry: retryOf(count, stop),
    hints: [
      ...hintsOf(plan, count, foremost),
      ...count.handHints,
      ...(count.notPaid > 0 ? [ofUnpaid] : []),
      ...(count.of('held') > 0 ? [ofHeld] : []),
      ...onwards({ plan, count, stop, isNamed: areOpen(count, foremost) }, invocation.edge.clock.now()),
      why,
    ],
    document,
  })
}

/** Another run that has the plan may be about to pay what is left. */
function movedIn(kind: Failure['kind'], count: Count, stop: Stop | null): MoneyMoved {
  const isStopped = kind === 'interrupted' || kind === 'terminated'
  return isStopped || (stop?.kind === 'taken-over' && !count.isDone) ? 'unknown' : count.moneyMoved
}

/** True where a run resolves several rows, and the failure is of one without a definite answer. */
function areOpen(count: Count, failure: Failure | null): boolean {
  return failure?.kind === 'unknown' && count.resolvable.rows > 1
}

/** Advice of the failure; that of a row without a definite answer names it alone, where others are as open. */
function hintsOf(plan: Plan, count: Count, failure: Failure | null): readonly Hint[] {
  if (!areOpen(count, failure)) return failure?.facts.hints ?? []
  const { rows } = count.resolvable
  const resolved = rows === count.of('unknown') ? 'them all' : `${rows} of them`
  return [hint`Do not pay them again: \`${resumeLine(plan)}\` resolves ${resolved}.`]
}

interface Onwards {
  readonly plan: Plan
  readonly count: Count
  readonly stop: Stop | null
  /** True where the line that goes on was named already, with the rows that are open. */
  readonly isNamed: boolean
}

/** Advice on how the plan goes on: only what a run of it would do. `now`: milliseconds since 1970. */
function onwards({ plan, count, stop, isNamed }: Onwards, now: number): readonly Hint[] {
  const failure = failureIn(stop)
  if (count.isDone || stop?.kind === 'foreign') return []
  if (stop?.kind === 'taken-over')
    return [
      hint`\`${paste('batch status', plan.planId)}\` shows the progress of the other run; when it has ended, \`${resumeLine(plan)}\` continues.`,
    ]
  const resolve = count.resolvable.rows > 0 && !isNamed ? [resolveHint(plan)] : []
  if (failure?.kind === 'duplicate') return resolve
  if (failure?.kind === 'locked' || ownStaleness(plan, now) !== null)
    return [...resolve, ...(failure?.facts.hints === undefined ? [replanHint(plan)] : [])]
  if (failure?.kind === 'held' && failure.facts.retry === 'after-fix' && count.of('turned-away') === 0) return resolve
  return isNamed ? [] : [hint`\`${resumeLine(plan)}\` continues.`]
}

function retryOf(count: Count, stop: Stop | null): Retry {
  if (count.isDone) return 'never'
  const failure = failureIn(stop)
  // A payout alike is one for every run of this plan.
  const isMetAgain = failure?.kind === 'duplicate' || failure?.retry === 'after-fix'
  return count.resolvable.rows === 0 && isMetAgain ? 'after-fix' : 'same-id'
}

/** The failure that ended a run, if one did. */
function failureIn(stop: Stop | null): Failure | null {
  return stop && 'failure' in stop ? stop.failure : null
}

/** The exit of a run, as its kind of failure; null for a run whose rows are all accepted. */
function kindOfEnd(
  { signal }: Invocation,
  count: Count,
  { reason: stop, last, hasSent, hasPaid }: RunEnd,
): Failure['kind'] | null {
  if (stop?.kind === 'signal') return kindOf(signal.reason)
  if (count.of('unknown') + count.of('sending') > 0) return 'unknown'
  const failure = failureIn(stop)
  const kind = failure && failure.kind !== 'unsent' ? failure.kind : last && !hasSent ? 'unsent' : null
  if (kind !== null && !isExplainedByCount(kind, count)) return hasPaid && deniesMoney(kind, count) ? 'partial' : kind
  const failed =
    count.notPaid + count.of('refused') + count.of('unsent') + count.of('turned-away') + count.of('planned')
  if (failed > 0) return 'partial'
  return count.of('held') > 0 ? 'held' : null
}

/** True where nothing is left for a run, whoever has ended it: then the rows say how the plan ends. */
function isExplainedByCount(kind: Failure['kind'], count: Count): boolean {
  return count.isDone && kind !== 'bug' && kind !== 'held'
}

/** True where the table of exit codes says that no money moved, and some has. */
function deniesMoney(kind: Failure['kind'], count: Count): boolean {
  return failures[kind].moneyMoved === 'no' && count.moneyMoved !== 'no'
}

function inWords(stop: Stop, signal: AbortSignal): string {
  if (stop.kind === 'signal') return `by ${signalInWords(signal.reason)}`
  if (stop.kind === 'enough') return stop.why
  // Other rows may have been sent: only of its own row the failure says that nothing was.
  return stop.failure instanceof FailureBeforeSending ? stop.failure.why : stop.failure.message
}

/** "9,990 accepted, 8 refused, 2 unknown". */
function inShort(count: Count): string {
  const found = rowStates.flatMap((state) => (count.of(state) === 0 ? [] : [`${count.of(state)} ${state}`]))
  const [unpaid, conflicts] = [count.notPaidInWords, count.conflictsInWords]
  return [
    found.join(', '),
    ...(unpaid === null ? [] : [`${unpaid} ended without a payment`]),
    ...(conflicts === null ? [] : [conflicts]),
  ].join('; ')
}

const nothingLeft = 'nothing was sent: no row is left to send'

function resultOf(plan: Plan, count: Count, stopped: string | null, isIdle: boolean): CountResult {
  const [unconfirmed, before] = [count.of('exists'), count.replayed]
  const warning = `${howMany(unconfirmed, 'row only exists', 'rows only exist')} at the service: ${unconfirmed === 1 ? 'its sum is' : 'their sums are'} not confirmed`
  const replayed = `${howMany(before, 'row was', 'rows were')} sent before this plan was made and ${before === 1 ? 'is' : 'are'} not sent again`
  return countResultOf(plan, count, {
    stopped,
    warnings: [
      ...(isIdle ? [nothingLeft] : []),
      ...(unconfirmed > 0 ? [warning] : []),
      ...(before > 0 ? [replayed] : []),
    ],
  })
}

interface Followed {
  readonly plan: Plan
  /** The same as it is now: it may have been discarded. */
  readonly planNow: () => Promise<Plan>
  readonly fleet: OpenedFleet['fleet']
  /** True while workers may send rows of it. */
  readonly isWorked: () => Promise<boolean>
  /** The rows as they stand in the journal. */
  readonly count: () => Promise<Count>
  readonly progress: Progress
}

/** Milliseconds between two looks, at least. */
const betweenLooks = 500

/** Stays until nothing is left for the workers. Throws as the end of a run does; after ^C the workers go on (130). */
export async function followWorkers(invocation: Invocation, followed: Followed): Promise<CountResult> {
  const { plan, fleet, progress } = followed
  const { edge, signal, output } = invocation
  const pauseAfter = lookPauses(betweenLooks)
  let isTold = false
  for (;;) {
    const began = edge.clock.now()
    // The queue is looked at first: what it had ended with is in the count.
    const isOver = !(await followed.isWorked())
    const handed = await fleet.handed(plan.planId)
    const count = await followed.count()
    progress.show(count)
    const stop = handed && stopOfWorkers({ stopped: handed.stopped, stoppedKind: handed.stopped_kind })
    if (count.isDone || (isOver && count.of('sending') === 0)) {
      if (count.isDone) await fleet.end(plan.planId)
      return endRun(invocation, await followed.planNow(), count, {
        reason: stop,
        last: null,
        hasSent: true,
        hasPaid: true,
      })
    }
    if (signal.aborted) throw leftToWorkers(signal, plan, count)
    if (!isTold && !(await hasWorkers(fleet))) {
      isTold = true
      output.say(`No worker runs for ${plan.profile} yet: the plan waits for \`paydesk worker start\`.`)
    }
    await edge.clock.sleep(pauseAfter(edge.clock.now() - began), signal).catch(() => undefined)
  }
}

async function hasWorkers(fleet: OpenedFleet['fleet']): Promise<boolean> {
  return (await fleet.workers()).some(({ queue }) => queue === fleet.queue.name)
}

function leftToWorkers({ reason }: AbortSignal, plan: Plan, count: Count): Failure {
  const { planId } = plan
  return new Failure(kindOf(reason), `stopped watching ${planId}; the workers go on paying it`, {
    moneyMoved: 'unknown',
    retry: 'same-id',
    hints: [
      hint`\`${paste('batch status', planId)}\` shows the progress, \`${paste('batch discard', planId)}\` stops it.`,
    ],
    document: countResultOf(plan, count, { stopped: `by ${signalInWords(reason)}`, warnings: [] }),
  })
}
