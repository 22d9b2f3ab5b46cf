/** The look of the dashboard into a store: on either engine, and never more often than it can bear. */
import type { Plan } from '../../batch/plan.ts'
import { openPlan, type Plans } from '../../batch/plans.ts'
import { ownerOf } from '../../batch/rows.ts'
import { readStatus, type StatusResult, statusResultOf } from '../../batch/status.ts'
import { fromMinorUnits, sumOf } from '../../contract/core/decimal.ts'
import { howMany } from '../../contract/core/text.ts'
import type { SeenApproval, SeenBatch, SeenStore, SeenUnknown } from '../../dashboard/page.ts'
import type { Clock } from '../../edge.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import { readOpenMoney, type ThisProcess } from '../../journal/lease.ts'
import { ageInWords } from '../batch/views.ts'
import { approvedInWords, describeApproval, payeeInWords } from './approvals.ts'

interface DashboardParts {
  readonly journal: Journal
  readonly leaseHolder: ThisProcess
  readonly plans: Plans
  /** Of this machine. */
  readonly clock: Clock
}

/** Plans, and unknown writes, that stand on the page. */
const [mostBatches, mostUnknown] = [20, 100]

/** Milliseconds for which a look is good, however many pages are open. */
const freshFor = 1_000

/** Milliseconds for which one at a plan that is over is good. */
const restFor = 30_000

interface ReadPlan {
  readonly at: number
  readonly told: StatusResult
}

/** Reads a store for the dashboard. */
export class DashboardReader {
  readonly #parts: DashboardParts
  readonly #plans = new Map<string, ReadPlan>()
  #last: { readonly endedAt: number; readonly seen: Promise<SeenStore> } | null = null

  constructor(parts: DashboardParts) {
    this.#parts = parts
  }

  /** One look at a time, whoever asks. */
  async read(): Promise<SeenStore> {
    const { clock } = this.#parts
    if (this.#last === null || clock.now() - this.#last.endedAt > freshFor) {
      const last = { endedAt: Number.POSITIVE_INFINITY, seen: this.#readStore() }
      this.#last = last
      const end = (moment: number) => {
        last.endedAt = moment
      }
      // A store that was away is asked again at once.
      last.seen.then(
        () => end(clock.now()),
        () => end(0),
      )
    }
    return this.#last.seen
  }

  async #readStore(): Promise<SeenStore> {
    const { journal, plans } = this.#parts
    const now = journal.moment.now
    const open = await readOpenMoney(journal, null)
    const unknown = await this.#unknown(now)
    const all = await plans.list()
    const batches: SeenBatch[] = []
    for (const plan of all.slice(0, mostBatches)) batches.push(seenBatch(plan, await this.#statusOf(plan)))
    return {
      at: new Date(now).toISOString(),
      place: `Plans ${plans.where}`,
      inFlight: sumsOf(open.inFlight),
      unknownMoney: open.unknown.payments === 0 ? 'nothing' : sumsOf(open.unknown.units),
      unknown: unknown.slice(0, mostUnknown),
      isMoreUnknown: unknown.length > mostUnknown,
      batches,
      olderBatches: Math.max(0, all.length - mostBatches),
      approvals: await this.#approvals(),
    }
  }

  async #statusOf(plan: Plan): Promise<StatusResult> {
    const { journal, leaseHolder, plans, clock } = this.#parts
    const before = this.#plans.get(plan.planId)
    if (before?.told.isOver && clock.now() - before.at < restFor) return before.told
    const { store } = await openPlan(plans, plan.planId)
    try {
      const desk = ownerOf(plan, journal)
      const told = statusResultOf(plan, await readStatus({ desk, leaseHolder, plans, store, plan }))
      this.#plans.set(plan.planId, { at: clock.now(), told })
      return told
    } finally {
      await store.close()
    }
  }

  /** The oldest first; what is on its way is not unknown yet. */
  async #unknown(now: number): Promise<readonly SeenUnknown[]> {
    const { journal, leaseHolder } = this.#parts
    const open = await journal.list({ states: ['unknown'] })
    const left = open.filter((intent) => !isOnItsWay(intent, leaseHolder, now)).toReversed()
    return left.map((intent) => ({
      ...{ journalId: intent.journalId, operation: intent.operation, payee: intent.payee, profile: intent.profile },
      ...{ sum: sumOf(intent) ?? '', since: intent.openedAt, age: ageInWords(now - Date.parse(intent.openedAt)) },
    }))
  }

  async #approvals(): Promise<readonly SeenApproval[]> {
    const { approvals } = await this.#parts.journal.fourEyes()
    const told = (await approvals.list()).map(describeApproval)
    const waiting = told.filter(({ state }) => state === 'waiting')
    return waiting.map((each) => {
      const { approvalId, subject, sum, maker, expiresAt } = each
      const payee = subject === 'plan' ? payeeInWords(each) : each.payee
      const approved = approvedInWords(each)
      return { approvalId, subject, sum, payee, maker, approved, expiresAt }
    })
  }
}

function isOnItsWay({ holder, leaseUntil }: Intent, leaseHolder: ThisProcess, now: number): boolean {
  const state = holder === null ? 'gone' : leaseHolder.standing(holder)
  return state === 'alive' || (state === 'unknown' && leaseUntil !== null && Date.parse(leaseUntil) >= now)
}

/** "GEL 12.50 + USD 5.00". */
function sumsOf(units: ReadonlyMap<string, bigint>): string {
  const sums = [...units].toSorted(([one], [other]) => (one < other ? -1 : 1))
  if (sums.length === 0) return 'nothing'
  return sums.map(([currency, sum]) => `${currency} ${fromMinorUnits(sum)}`).join(' + ')
}

function seenBatch({ planId, file, profile, rows, discardedAt }: Plan, told: StatusResult): SeenBatch {
  const { accepted, exists, refused, unknown, sending, planned, held, unsent, turnedAway, money } = told
  return {
    ...{ planId, file, profile, rows, refused, unknown, sending },
    accepted: accepted + exists,
    left: planned + held + unsent + turnedAway,
    money: money.map((of) => `${of.currency} ${of.accepted} of ${of.total}`),
    standing: discardedAt === null ? describePlanState(told) : 'discarded',
  }
}

function describePlanState({ isOver, isWorked, stopped, withWorkers }: StatusResult): string {
  if (stopped !== null) return `stopped: ${stopped}`
  if (isOver) return 'over'
  if (!isWorked) return 'waiting to be run'
  return withWorkers === null ? 'a run has it' : `${withWorkers.working} of ${howMany(withWorkers.present, 'worker')}`
}
