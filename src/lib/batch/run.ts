/**
 * Runs a plan: several rows at a time, each submitted as every payout is (src/lib/desk/submit.ts), in the order unknown, turned
 * away, unsent, planned. Before the first new row is sent, all new rows have to fit the limits. A run that ends early leaves the
 * other rows as they are.
 */

import type { WriteOperation } from '../contract/operation.ts'
import { createPayout } from '../contract/payout/payout.ts'
import type { Desk } from '../desk/desk.ts'
import { resubmit, type Submitted, submit } from '../desk/submit.ts'
import { Failure, FailureBeforeSending } from '../failure.ts'
import { type AfterPlanning, AlikeSincePlanning } from '../journal/duplicates.ts'
import type { ThisProcess } from '../journal/lease.ts'
import { Count } from './count.ts'
import { duplicateCheckOf, findPaidSince, paidSinceFailure } from './duplicates.ts'
import { findPlanHold } from './limits.ts'
import type { AgreedRows } from './make-plan.ts'
import { approvablePlan, type Plan, staleness } from './plan.ts'
import type { PlanStore } from './plans.ts'
import type { RateLimit } from './rate-limiter.ts'
import { isForPerson, newStates, type PlannedRow, type RowState } from './row-state.ts'
import { loadRows, ownerOf, type RowOwner, readPlanRows, requestOfRow } from './rows.ts'
import { ConcurrencyLimiter, type RowSlot, Scheduler } from './scheduler.ts'
import { changedRowFailure, type StopDecision, stalePlanFailure } from './stop.ts'

/** How one row ended. */
export interface RowEvent {
  readonly row: PlannedRow
  readonly before: RowState
  readonly failure: Failure | null
}

/** The parts of one run. */
export interface RunParts extends SendingParts {
  readonly store: PlanStore
  /** The rows as they were when the hash of the plan was verified. */
  readonly seen: AgreedRows
  /** True if a person has looked at suspected duplicates, and means the rows. */
  readonly allowDuplicates?: boolean
  /** The failure that holds the whole plan, if `store` has a part of it only; null if nothing holds it. */
  readonly heldOf?: () => Promise<Failure | null>
  readonly rate: RateLimit
  readonly tell: (event: RowEvent, count: Count) => void
  /** Called with the scheduler of the run. */
  readonly watch?: (line: Pick<Scheduler, 'underWay'>) => void
}

/** The states of rows that were sent before: limits do not hold them. */
const retryPolicy = ['unknown', 'turned-away'] as const satisfies readonly RowState[]

/** Counts the rows as they are now. `ends`: the outcomes that a run which is over has seen. */
export async function countRows(
  { desk, leaseHolder, store }: Pick<RunParts, 'leaseHolder' | 'store'> & { readonly desk: RowOwner },
  ends?: RunOutcomes,
): Promise<Count> {
  const count = new Count(desk.journal)
  for await (const rows of readPlanRows(desk, leaseHolder, store))
    for (const row of rows) count.add(ends ? ends.over(row) : row)
  // Read after the rows: the head covers everything that was counted.
  await desk.journal.headNow()
  return count
}

/** Rows under way: as many as are at the service, as many that were opened ahead, and twice as many that are being recorded. */
function underWay(concurrency: number): number {
  return concurrency === 1 ? 1 : 4 * concurrency
}

/**
 * Runs the plan to its end, or until there is a reason to stop. Gives the count of its rows. Held rows are not sent: `resume` sends
 * each by its own id. Runs of one worker share a `limiter`.
 */
export async function runPlan(
  given: RunParts,
  concurrency: number,
  limiter: ConcurrencyLimiter = new ConcurrencyLimiter(concurrency),
): Promise<Count> {
  const parts = { ...given, planned: duplicateCheckOf(given) }
  const { desk, rate, stopping } = parts
  const scheduler = new Scheduler(limiter, rate, desk.clock, stopping.signal, desk.signal)
  parts.watch?.(scheduler)
  const line = { limiter, scheduler, concurrency, ends: new RunOutcomes(parts.leaseHolder) }
  const count = await countRows({ ...parts, desk: ownerOf(parts.plan, desk.journal) })
  for (const state of retryPolicy) if (!stopping.reason) await runRows(parts, state, count, line)
  const held = stopping.reason ? null : await findHold(parts).catch((error) => stopUnreadable(parts, error))
  if (held) stopping.because({ kind: 'failure', failure: held })
  const alike = stopping.reason ? null : await findPaidSince(parts).catch((error) => stopUnreadable(parts, error))
  if (alike) stopping.because({ kind: 'failure', failure: alike })
  for (const state of newStates) if (!stopping.reason) await runRows(parts, state, count, line)
  return finalCount(parts, count, line.ends)
}

/** The count after the run. If rows are left, all are counted anew: another process may have ended them. */
async function finalCount(parts: RunParts, count: Count, ends: RunOutcomes): Promise<Count> {
  if (parts.stopping.reason === null && count.isDone && count.of('unknown') === 0) return count
  const desk = ownerOf(parts.plan, parts.desk.journal)
  return countRows({ ...parts, desk }, ends).catch((error) => stopUnreadable(parts, error) ?? count)
}

async function findHold(parts: RunParts): Promise<Failure | null> {
  return (await parts.heldOf?.()) ?? findPlanHold(parts)
}

interface RowLine {
  readonly limiter: ConcurrencyLimiter
  readonly scheduler: Scheduler
  readonly concurrency: number
  readonly ends: RunOutcomes
}

async function runRows(
  parts: RunParts,
  state: RowState,
  count: Count,
  { limiter, scheduler, concurrency, ends }: RowLine,
): Promise<void> {
  if (count.of(state) === 0) return
  const rows = rowsInState(parts, state)
  const worker = async () => {
    for (;;) {
      await limiter.yield()
      const slot = await scheduler.slot()
      try {
        const row = await nextRow(rows, parts).catch((error) => stopUnreadable(parts, error))
        if (!row) return
        await runRow(parts, row, { count, ends }, slot)
      } finally {
        slot.end()
      }
      heard()
    }
  }
  const sideBySide = (many: number) => Promise.all(Array.from({ length: many }, worker))
  let heard = (): void => undefined
  // The first outcome may stop the run: until then no more rows are opened than can leave.
  const ahead = new Promise<void>((resolve) => {
    heard = resolve
  }).then(() => sideBySide(underWay(concurrency) - concurrency))
  await Promise.all([sideBySide(concurrency).finally(heard), ahead])
}

/** The rows of a state, one by one. */
async function* rowsInState(
  { desk, leaseHolder, store, plan }: RunParts,
  state: RowState,
): AsyncGenerator<PlannedRow, undefined> {
  for await (const rows of readPlanRows(ownerOf(plan, desk.journal), leaseHolder, store)) {
    for (const row of rows) if (row.state === state && !row.isTakenKey && !isForPerson(row)) yield row
  }
}

/** Stops the run because rows cannot be read; rows in flight end by themselves. */
function stopUnreadable({ stopping, plan }: RunParts, error: unknown): null {
  const why = error instanceof FailureBeforeSending ? error.why : String(error)
  const kind = error instanceof FailureBeforeSending ? error.kind : 'bug'
  const failure = new Failure(kind, `the rows of ${plan.planId} can no longer be read: ${why}`)
  stopping.because({ kind: 'failure', failure })
  return null
}

/** The next row, when it may be opened; null when the run is over. */
async function nextRow(
  rows: AsyncGenerator<PlannedRow, undefined>,
  { rate, stopping }: RunParts,
): Promise<PlannedRow | null> {
  if (stopping.reason) return null
  const { value } = await rows.next()
  if (!value) return null
  try {
    await rate.resumed(stopping.signal)
  } catch (error) {
    if (stopping.reason) return null
    throw error
  }
  return stopping.reason ? null : value
}

type Tally = { readonly count: Count; readonly ends: RunOutcomes }

async function runRow(parts: RunParts, row: PlannedRow, { count, ends }: Tally, slot: RowSlot): Promise<void> {
  const { desk, store, plan, stopping, tell } = parts
  const stale = row.state === 'unknown' ? null : staleness(plan, desk.profile, store.clock.now())
  if (stale !== null) {
    stopping.because({ kind: 'failure', failure: stalePlanFailure(plan, stale) })
    return
  }
  // An unknown row is resolved under the body that was sent.
  if (row.state !== 'unknown' && !parts.seen.has(row.planned)) {
    stopping.because({ kind: 'failure', failure: changedRowFailure(plan, row.planned.number) })
    return
  }
  const { after, failure } = await sendRow({ ...parts, desk: { ...desk, place: slot } }, row)
  slot.over(after.state, failure)
  count.move(row.state, after)
  ends.add(after)
  stopping.ended(after.state, failure)
  tell({ row: after, before: row.state, failure }, count)
}

interface SendingParts {
  readonly desk: Desk
  readonly leaseHolder: ThisProcess
  readonly plan: Plan
  readonly stopping: StopDecision
  /** The duplicate check of each row when it is opened; null without one. */
  readonly planned?: AfterPlanning | null
  /** True if other processes send rows of the plan at the same time. */
  readonly isShared?: boolean
  /** True if another process may have the plan by now, because this one slept. */
  readonly isOver?: () => boolean
}

const payout: WriteOperation = createPayout

/** Sends a row, or resolves a row that was sent. Never throws: gives the failure beside the row. */
async function sendRow(
  { desk, leaseHolder, plan, stopping, planned = null, isShared = false, isOver = () => false }: SendingParts,
  row: PlannedRow,
): Promise<{ readonly after: PlannedRow; readonly failure: Failure | null }> {
  try {
    const calledOff = () => stopping.reason !== null || isOver()
    const { intent } = await submitRow(desk, plan, row, { calledOff, planned })
    const state = intent.state === 'exists' ? 'exists' : 'accepted'
    return { after: { ...row, intent, state }, failure: null }
  } catch (error) {
    if (error instanceof AlikeSincePlanning) {
      stopping.because({ kind: 'failure', failure: paidSinceFailure(plan, [[row, error.intent]]) })
    }
    const failure =
      error instanceof Failure
        ? error.ofProfile(desk.profile.name)
        : new Failure('bug', `row ${row.planned.number}: ${String(error)}`)
    // If the journal cannot be read, the row is unknown, unless it was certainly not sent and nobody else may send it.
    const isAsItWas = error instanceof FailureBeforeSending && !isShared
    const asItIs: PlannedRow = isAsItWas ? row : { ...row, state: 'unknown' }
    const owner = ownerOf(plan, desk.journal)
    const [seen = asItIs] = await loadRows(owner, leaseHolder, [row.planned]).catch(() => [])
    // This process is done with the row: if its outcome could not be recorded, the row is not being sent any more.
    const isLeft = seen.state === 'sending' && seen.intent?.holder === leaseHolder.self
    return { after: isLeft || isMissing(seen, failure) ? { ...seen, state: 'unknown' } : seen, failure }
  }
}

/** True if this run may have paid the row, and the store says that it was not sent: the store was restored from a backup meanwhile. */
function isMissing({ state, intent }: PlannedRow, failure: Failure): boolean {
  const isHere = failure instanceof FailureBeforeSending
  if (state === 'planned' && intent === null) return !isHere && failure.moneyMoved !== 'no'
  return hasNotRun(state) && !isHere && failure.kind === 'unknown'
}

/** `calledOff`: true if a row that was opened, and has not left yet, must not leave any more. */
function submitRow(
  desk: Desk,
  plan: Plan,
  { planned, intent, state }: PlannedRow,
  { calledOff, planned: after }: { readonly calledOff: () => boolean; readonly planned: AfterPlanning | null },
): Promise<Submitted> {
  const looked = { isAgreed: true, sendsHeld: false, calledOff, plan: approvablePlan(plan), planned: after }
  if (state === 'unknown' && intent) return resubmit(desk, payout, intent, looked)
  const isNew = intent === null && state === 'planned'
  return submit(desk, payout, requestOfRow(planned), { idempotencyKey: planned.business_key, isNew, ...looked })
}

/** The states in which money may have moved. */
const moved = ['accepted', 'exists', 'unknown'] as const satisfies readonly RowState[]

/** The states in which nothing was executed. */
const unmoved: ReadonlySet<RowState> = new Set(['planned', 'unsent', 'turned-away', 'held'])

function hasNotRun(state: RowState): boolean {
  return unmoved.has(state)
}

/** True if the store says that a row was not paid whose payment this run has seen. */
function isDenied(own: (typeof moved)[number], { state }: PlannedRow): boolean {
  // An unknown row may have been refused since, by a repeat or by a person.
  return hasNotRun(state) || (state === 'refused' && own !== 'unknown')
}

/**
 * The outcomes that a run has seen itself. They count where the journal lacks them: an outcome could not be recorded, or the store
 * was restored from a backup during the run.
 */
export class RunOutcomes {
  readonly #leaseHolder: Pick<ThisProcess, 'self'>
  /** By the number of the row. */
  readonly #states: (typeof moved)[number][] = []

  constructor(leaseHolder: Pick<ThisProcess, 'self'>) {
    this.#leaseHolder = leaseHolder
  }

  add({ planned, state }: PlannedRow): void {
    const end = moved.find((each) => each === state)
    // A row that was paid stays paid, whatever a repeat said.
    if (end && (end !== 'unknown' || !this.#states[planned.number])) this.#states[planned.number] = end
  }

  /** The row as it is counted after the run. */
  over(row: PlannedRow): PlannedRow {
    const { planned, intent, state } = row
    // This process is done with the row: its outcome could not be recorded.
    if (state === 'sending' && intent?.holder === this.#leaseHolder.self) return { ...row, state: 'unknown' }
    const own = this.#states[planned.number]
    if (!own || !isDenied(own, row)) return row
    return { planned, intent: row.isTakenKey ? null : intent, state: own, isTakenKey: false }
  }
}
