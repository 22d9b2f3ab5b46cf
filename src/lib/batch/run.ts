/**
 * The run of a plan: its rows go out side by side, each by the way of every payout (src/lib/desk/submit.ts), in the order
 * unknown, turned away, unsent, planned. Before the first that is new all of them have to fit the limits. A run that ends early
 * leaves the others as they are.
 */

import type { WriteOperation } from '../contract/operation.ts'
import { createPayout } from '../contract/payout/payout.ts'
import type { Desk } from '../desk/desk.ts'
import { resubmit, type Submitted, submit } from '../desk/submit.ts'
import { Failure } from '../failure.ts'
import { FailureBeforeSending } from '../failure-before-sending.ts'
import { type AfterPlanning, AlikeSincePlanning } from '../journal/duplicates.ts'
import type { ThisProcess } from '../journal/lease.ts'
import type { AgreedRows } from './agreed-rows.ts'
import { Count } from './count.ts'
import { duplicateCheckOf, findPaidSince, paidSinceFailure } from './duplicates.ts'
import { findPlanHold } from './limits.ts'
import { approvablePlan, type Plan, staleness } from './plan.ts'
import type { PlanStore } from './plans.ts'
import type { RateLimit } from './rate-limiter.ts'
import { isForPerson, newStates, type PlannedRow, type RowState } from './row-state.ts'
import { loadRows, ownerOf, type RowOwner, readPlanRows, requestOfRow } from './rows.ts'
import { ConcurrencyLimiter, type RowSlot, Scheduler } from './scheduler.ts'
import { changedRowFailure, type StopDecision, stalePlanFailure } from './stop.ts'

/** The end of one row. */
export interface RowEvent {
  readonly row: PlannedRow
  readonly before: RowState
  readonly failure: Failure | null
}

/** The parts of one run. */
export interface RunParts extends SendingParts {
  readonly store: PlanStore
  /** Its rows as they were when it was held against its hash. */
  readonly seen: AgreedRows
  /** True where a person has looked at payouts alike, and means the rows all the same. */
  readonly allowDuplicates?: boolean
  /** The failure that holds the plan of which `store` has a part; null where nothing does. */
  readonly heldOf?: () => Promise<Failure | null>
  readonly rate: RateLimit
  readonly tell: (event: RowEvent, count: Count) => void
  /** Called with the line that its rows leave by. */
  readonly watch?: (line: Pick<Scheduler, 'underWay'>) => void
}

/** The states of rows that were sent before: no limit holds them. */
const repeats = ['unknown', 'turned-away'] as const satisfies readonly RowState[]

/** Counts the rows as they stand; `ends`: those of a run that is over. */
export async function countRows(
  { desk, holding, store }: Pick<RunParts, 'holding' | 'store'> & { readonly desk: RowOwner },
  ends?: RunOutcomes,
): Promise<Count> {
  const count = new Count(desk.journal)
  for await (const rows of readPlanRows(desk, holding, store))
    for (const row of rows) count.add(ends ? ends.over(row) : row)
  // Others write to the journal, too: what was counted is covered by its head from here on.
  await desk.journal.headNow()
  return count
}

/** Rows under way at once: as many as are at the service, as many that are ahead of it, and twice as many that are being recorded. */
function underWay(concurrency: number): number {
  return concurrency === 1 ? 1 : 4 * concurrency
}

/**
 * Runs the plan to its end, or to the reason to stop. Gives the count of its rows. Held ones are sent by their own id alone: they
 * are not the run's to send. Runs of one worker may share `limiter`.
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
  const line = { limiter, scheduler, concurrency, ends: new RunOutcomes(parts.holding) }
  const count = await countRows({ ...parts, desk: ownerOf(parts.plan, desk.journal) })
  for (const state of repeats) if (!stopping.reason) await runRows(parts, state, count, line)
  const held = stopping.reason ? null : await findHold(parts).catch((error) => stopUnreadable(parts, error))
  if (held) stopping.because({ kind: 'failure', failure: held })
  const alike = stopping.reason ? null : await findPaidSince(parts).catch((error) => stopUnreadable(parts, error))
  if (alike) stopping.because({ kind: 'failure', failure: alike })
  for (const state of newStates) if (!stopping.reason) await runRows(parts, state, count, line)
  return finalCount(parts, count, line.ends)
}

/** The count when nothing more is sent. What is left may have been ended by another process meanwhile: then it is counted anew. */
async function finalCount(parts: RunParts, count: Count, ends: RunOutcomes): Promise<Count> {
  if (parts.stopping.reason === null && count.isDone && count.of('unknown') === 0) return count
  const desk = ownerOf(parts.plan, parts.desk.journal)
  return countRows({ ...parts, desk }, ends).catch((error) => stopUnreadable(parts, error) ?? count)
}

/** A part of a plan is held by what holds the whole of it. */
async function findHold(parts: RunParts): Promise<Failure | null> {
  return (await parts.heldOf?.()) ?? findPlanHold(parts)
}

/** The way of the rows to the service. */
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
  // The first end may be one that stops the run: until then no more rows are opened than can leave.
  const ahead = new Promise<void>((resolve) => {
    heard = resolve
  }).then(() => sideBySide(underWay(concurrency) - concurrency))
  await Promise.all([sideBySide(concurrency).finally(heard), ahead])
}

/** The rows of a state, one by one, each as it stands when its piece is read. */
async function* rowsInState(
  { desk, holding, store, plan }: RunParts,
  state: RowState,
): AsyncGenerator<PlannedRow, undefined> {
  for await (const rows of readPlanRows(ownerOf(plan, desk.journal), holding, store)) {
    for (const row of rows) if (row.state === state && !row.isTakenKey && !isForPerson(row)) yield row
  }
}

/** Rows that cannot be read end the run, and what is on its way ends by itself. */
function stopUnreadable({ stopping, plan }: RunParts, error: unknown): null {
  const why = error instanceof FailureBeforeSending ? error.why : String(error)
  const kind = error instanceof FailureBeforeSending ? error.kind : 'bug'
  const failure = new Failure(kind, `the rows of ${plan.planId} cannot be read any more: ${why}`)
  stopping.because({ kind: 'failure', failure })
  return null
}

/** The next row at its time; null where the run is over. */
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
  // One that is unknown is resolved as it was sent.
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

// One row of a plan, sent by the way of every payout, and the state that it has then.

interface SendingParts {
  readonly desk: Desk
  readonly holding: ThisProcess
  readonly plan: Plan
  readonly stopping: StopDecision
  /** The look of each opening for payouts alike; null where they are let through. */
  readonly planned?: AfterPlanning | null
  /** Others pay rows of the plan at the same time. */
  readonly isShared?: boolean
  /** True where another process may have the plan by now: this one slept. */
  readonly isOver?: () => boolean
}

const payout: WriteOperation = createPayout

/** Sends a row, or resolves one that was sent. Never throws: what went wrong stands beside the row. */
async function sendRow(
  { desk, holding, plan, stopping, planned = null, isShared = false, isOver = () => false }: SendingParts,
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
    // Where the journal cannot say, only what was never handed to the line is as it was, if nobody else may have paid it since.
    const isAsItWas = error instanceof FailureBeforeSending && !isShared
    const asItIs: PlannedRow = isAsItWas ? row : { ...row, state: 'unknown' }
    const owner = ownerOf(plan, desk.journal)
    const [seen = asItIs] = await loadRows(owner, holding, [row.planned]).catch(() => [])
    // This process is done with the row: an end that could not be recorded leaves nothing on its way.
    const isLeft = seen.state === 'sending' && seen.intent?.holder === holding.self
    return { after: isLeft || isMissing(seen, failure) ? { ...seen, state: 'unknown' } : seen, failure }
  }
}

/** True if it may have been paid by this run, and the store has it as one that was not: it was put back, or emptied, meanwhile. */
function isMissing({ state, intent }: PlannedRow, failure: Failure): boolean {
  const isHere = failure instanceof FailureBeforeSending
  if (state === 'planned' && intent === null) return !isHere && failure.moneyMoved !== 'no'
  return hasNotRun(state) && !isHere && failure.kind === 'unknown'
}

/** `calledOff`: what was opened and has not left yet stays here. */
function submitRow(
  desk: Desk,
  plan: Plan,
  { planned, intent, state }: PlannedRow,
  { calledOff, planned: after }: { readonly calledOff: () => boolean; readonly planned: AfterPlanning | null },
): Promise<Submitted> {
  const looked = { isAgreed: true, sendsHeld: false, calledOff, plan: approvablePlan(plan), planned: after }
  if (state === 'unknown' && intent) return resubmit(desk, payout, intent, looked)
  const isNew = intent === null && state === 'planned'
  return submit(desk, payout, requestOfRow(planned), { businessKey: planned.business_key, isNew, ...looked })
}

// The ends of rows that a run has seen itself. The journal is right about all of them but where it lacks what was sent, or an end that
// could not be recorded.

/** The states in which money may have moved. */
const moved = ['accepted', 'exists', 'unknown'] as const satisfies readonly RowState[]

/** The states of a row of which nothing was executed, as far as a store knows that may be an older copy of itself. */
const unmoved: ReadonlySet<RowState> = new Set(['planned', 'unsent', 'turned-away', 'held'])

function hasNotRun(state: RowState): boolean {
  return unmoved.has(state)
}

/** True if a store has the row as one that was not paid, which is not so: it was put back, or emptied, since the run saw this end. */
function isDenied(own: (typeof moved)[number], { state }: PlannedRow): boolean {
  // A row without an answer may have been refused since: by a repeat that proves it, or by a person's word.
  return hasNotRun(state) || (state === 'refused' && own !== 'unknown')
}

export class RunOutcomes {
  readonly #holding: Pick<ThisProcess, 'self'>
  /** By the numbers of the rows, which lie close together. */
  readonly #states: (typeof moved)[number][] = []

  constructor(holding: Pick<ThisProcess, 'self'>) {
    this.#holding = holding
  }

  add({ planned, state }: PlannedRow): void {
    const end = moved.find((each) => each === state)
    // One that was paid stays so, whatever came of asking for it again.
    if (end && (end !== 'unknown' || !this.#states[planned.number])) this.#states[planned.number] = end
  }

  /** The row as it is to be counted when the run is over. */
  over(row: PlannedRow): PlannedRow {
    const { planned, intent, state } = row
    // This process is done with it: an end that could not be recorded leaves nothing on its way.
    if (state === 'sending' && intent?.holder === this.#holding.self) return { ...row, state: 'unknown' }
    const own = this.#states[planned.number]
    if (!own || !isDenied(own, row)) return row
    return { planned, intent: row.isTakenKey ? null : intent, state: own, isTakenKey: false }
  }
}
