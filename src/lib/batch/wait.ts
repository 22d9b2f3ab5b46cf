/**
 * Waits until all payouts of a plan are final that can become final. It reads the plan in rounds, so that a million rows take no
 * more memory than ten. Statuses that were read are in the journal and are not asked for again.
 */

import { doublingPause } from '../backoff.ts'
import { createPayout } from '../contract/payout/payout.ts'
import { payoutEnd } from '../contract/payout/status.ts'
import { readKnownPayout } from '../desk/payouts.ts'
import { contradictionFailure } from '../desk/unpaid-end.ts'
import { Failure } from '../failure.ts'
import { timeLeft } from '../journal/moment.ts'
import { findContradiction } from '../journal/payment-end.ts'
import { SumsBy } from './count.ts'
import { isBeingRun } from './lease.ts'
import { isSameSender } from './plan.ts'
import type { Plans } from './plans.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { ownIntent, type PlannedRow, planStateOf, RowsForPerson, type Standing, standings } from './row-state.ts'
import { ownerOf, readPlanRows, withOtherMachines } from './rows.ts'
import { countRows, type RunParts } from './run.ts'
import { findSentBefore, SentBeforeSummary } from './sent-before.ts'
import { foreignPlanFailure } from './stop.ts'

const pauses = { base: 500, longest: 5_000 }

export interface WaitParts extends Pick<RunParts, 'desk' | 'leaseHolder' | 'store' | 'plan'> {
  readonly signal: AbortSignal
  readonly limiter: RateLimiter
  readonly concurrency: number
  readonly plans: Pick<Plans, 'isHandedOver' | 'withRows'>
  readonly final: (row: PlannedRow, status: string) => void
  /** A round has ended: rows that are still open, and milliseconds until the next round. */
  readonly round: (open: number, pause: number) => void
}

export interface WaitOutcome {
  readonly sums: SumsBy<Standing>
  /** Unknown rows that are being sent: their run or worker may still record an answer. */
  readonly sending: number
  /** Unknown rows that no run resolves. */
  readonly byHand: RowsForPerson
  /** Rows that were sent before the plan was made. */
  readonly before: SentBeforeSummary
  /** Rows that the service refuses to show, and the last reason. */
  readonly unreadable: { readonly rows: number; readonly why: string | null }
  /** Rows whose last answer could not be believed, and the last reason. */
  readonly doubtful: { readonly rows: number; readonly why: string | null }
  /** A failure that every other row would meet, too. */
  readonly stopped: Failure | null
  readonly goesOn: boolean
}

/** Never throws because of an answer of the service. */
export async function waitForPlan(parts: WaitParts): Promise<WaitOutcome> {
  const { desk, signal } = parts
  const left = timeLeft(desk.clock, desk.clock.now() + desk.settings.timeout)
  const reader = new StatusReader(parts, left)
  for (let rounds = 0; ; rounds += 1) {
    const pause = doublingPause(rounds, pauses)
    const open = await reader.round()
    if (open === 0 || reader.stopped || signal.aborted || left() <= pause) break
    parts.round(open, pause)
    await desk.clock.sleep(pause, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
  const { refused, why, doubtful, stopped, isRun: goesOn } = reader
  return {
    ...(await sumRows(parts)),
    unreadable: { rows: refused.size, why },
    doubtful: { rows: doubtful.size, why: [...doubtful.values()].at(-1) ?? null },
    stopped,
    goesOn,
  }
}

async function sumRows(parts: WaitParts): Promise<Pick<WaitOutcome, 'sums' | 'sending' | 'byHand' | 'before'>> {
  const sums = new SumsBy<Standing>(standings)
  const [byHand, before] = [new RowsForPerson(), new SentBeforeSummary()]
  let sending = 0
  for await (const rows of currentRows(parts)) {
    const sentBefore = await findSentBefore(parts, rows)
    for (const row of rows) {
      sums.of(planStateOf(row)).add(row.planned)
      byHand.add(row)
      const known = sentBefore.get(row.planned)
      if (known) before.add(row.planned, known)
      if (row.state === 'sending') sending += 1
    }
  }
  return { sums, sending, byHand, before }
}

/** The transaction to ask for; null for a row that is final, or that cannot be read. */
function transactionToAsk(row: PlannedRow): string | null {
  const intent = ownIntent(row)
  if (intent?.disputed != null) return intent.transactionId
  if (!intent || (row.state !== 'accepted' && row.state !== 'exists')) return null
  const isFinal = intent.status !== null && payoutEnd(intent.status) !== null
  // A read confirms the sum of a row that only exists, final or not.
  return isFinal && intent.sumConfirmed ? null : intent.transactionId
}

class StatusReader {
  readonly refused = new Set<number>()
  why: string | null = null
  /** Numbers of rows whose last answer could not be believed, with the reason. */
  readonly doubtful = new Map<number, string>()
  stopped: Failure | null = null
  /** True if a run or workers had the plan when the last round began. */
  isRun = false
  readonly #parts: WaitParts
  readonly #left: () => number

  constructor(parts: WaitParts, left: () => number) {
    this.#parts = parts
    this.#left = left
  }

  /** Asks once for all open rows. Gives the number of rows that may still change. */
  async round(): Promise<number> {
    const { concurrency, signal, plan } = this.#parts
    const isRun = await isBeingRun(this.#parts, plan.planId)
    this.isRun = isRun
    let open = 0
    const rows = rowsOneByOne(this.#parts)
    const readRows = async () => {
      for await (const row of rows) {
        if (signal.aborted || this.stopped) return
        const standing = planStateOf(row)
        if (row.state === 'sending' || (isRun && standing === 'unsent')) open += 1
        else if (await this.#isOpen(row)) open += 1
      }
    }
    await Promise.all(Array.from({ length: concurrency }, readRows))
    return open
  }

  async #isOpen(row: PlannedRow): Promise<boolean> {
    const { desk, limiter, plan, signal, final } = this.#parts
    const [transactionId, intent] = [transactionToAsk(row), ownIntent(row)]
    if (transactionId === null || !intent || this.refused.has(row.planned.number)) return false
    if (!isSameSender(desk.profile, plan)) return this.#stopForeign()
    try {
      await limiter.pass(signal)
      const deadline = desk.clock.now() + Math.max(0, Math.min(this.#left(), desk.settings.answerTimeout))
      const { status } = await readKnownPayout(desk, intent, transactionId, deadline)
      const doubt = findContradiction(intent, status)
      if (doubt !== null) throw contradictionFailure(intent, createPayout.about, doubt)
      this.doubtful.delete(row.planned.number)
      if (payoutEnd(status) === null) return true
      final(row, status)
      return false
    } catch (error) {
      return this.#isOpenAfter(error, row)
    }
  }

  /** Another client cannot read the transactions of the plan's client. */
  async #stopForeign(): Promise<true> {
    const { desk, plan } = this.#parts
    const count = await countRows({ ...this.#parts, desk: ownerOf(plan, desk.journal) })
    this.stopped ??= foreignPlanFailure(plan, desk.profile, count)
    return true
  }

  #isOpenAfter(error: unknown, { planned }: PlannedRow): boolean {
    if (this.#parts.signal.aborted) return true
    if (!(error instanceof Failure)) throw error
    if (error.kind === 'unknown' || error.kind === 'duplicate') this.doubtful.set(planned.number, error.message)
    if ((error.kind === 'unknown' || error.kind === 'unsent') && error.retry !== 'after-fix') return true
    // The service told another sum for this payout alone: the journal has recorded that, and the row needs a person.
    if (error.kind === 'duplicate') return false
    if (error.kind === 'refused' || error.kind === 'not-found') {
      this.refused.add(planned.number)
      this.why = error.message
      return false
    }
    this.stopped ??= error
    return true
  }
}

async function* rowsOneByOne(parts: WaitParts): AsyncGenerator<PlannedRow> {
  for await (const rows of currentRows(parts)) yield* rows
}

async function* currentRows({ desk, leaseHolder, store, plan }: WaitParts): AsyncGenerator<readonly PlannedRow[]> {
  for await (const rows of readPlanRows(ownerOf(plan, desk.journal), leaseHolder, store)) {
    const now = new Date(store.clock.now()).toISOString()
    yield rows.map((row) => withOtherMachines(row, leaseHolder, now))
  }
}
