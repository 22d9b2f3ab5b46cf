/**
 * The lease of a plan: one process at a time writes its rows or runs it. A run renews its lease; a lease whose process is gone
 * from this machine is taken over at once. The journal alone prevents that a row is sent twice; the lease only spares work.
 */

import { howMany } from '../contract/core/text.ts'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import { holderInWords, type ThisProcess } from '../journal/lease.ts'
import { later, type Moment, maxElapsed, minElapsed, momentOf, storeMoment } from '../journal/moment.ts'
import { changePlan, type PlanTableRow, planRow } from '../store/plans.ts'
import { type Plan, planOf } from './plan.ts'
import type { PlanStore, Plans } from './plans.ts'

/** Milliseconds that a lease lasts without being renewed. */
const leaseTime = 60_000

/** Milliseconds before its end in which nothing more is sent: another machine may be about to take the lease. */
const reserve = 5_000

/** A lease while the rows of its plan are sent. */
interface RenewedLease {
  /** Renews a lease that may be old, because this process slept. Called before a row is sent. */
  readonly ask: () => Promise<void>
  /** True if another process may have the lease by now. */
  readonly isOver: () => boolean
  readonly stop: () => void
}

export class Lease {
  readonly #store: PlanStore
  readonly #leaseHolder: ThisProcess
  /** The moment of the last renewal; null before the lease was taken. */
  #since: Moment | null = null

  constructor(store: PlanStore, leaseHolder: ThisProcess) {
    this.#store = store
    this.#leaseHolder = leaseHolder
  }

  /**
   * Takes the lease and reads the plan anew, because it may have been discarded since it was read. Throws locked (12) while another
   * process has the lease, not-found (6) if the plan is gone.
   */
  async take(): Promise<Plan> {
    const { plan, since } = await this.#store.write(async (db) => {
      const row = await planRow(db)
      this.mustBeFree(row)
      if (!row?.complete) throw planGoneFailure(db.planId)
      const present = this.#present
      const held = { ...this.#heldFrom(present), held_since: storeMoment(present).iso }
      await changePlan(db, held)
      return { plan: planOf({ ...row, ...held }), since: present }
    })
    this.#since = since
    return plan
  }

  /** Null if this process still has the lease; otherwise the plan as the other process left it. */
  async #renew(): Promise<{ readonly lost: Plan | null } | null> {
    const { kept: held, lost } = await this.#store.write(async (db) => {
      const row = await planRow(db)
      if (row?.holder !== this.#leaseHolder.self) return { kept: null, lost: row && planOf(row) }
      const present = this.#present
      await changePlan(db, this.#heldFrom(present))
      return { kept: present, lost: null }
    })
    if (held === null) return { lost }
    this.#since = held
    return null
  }

  async release(): Promise<void> {
    await this.#store.write(async (db) => {
      const row = await planRow(db)
      if (row?.holder !== this.#leaseHolder.self) return
      await changePlan(db, { holder: null, held_since: null, held_until: null, held_until_steady: null })
    })
  }

  /** Renews the lease until `stop` is called. Calls `lost` with the plan as it is then, if another process has taken the lease. */
  keep(lost: (plan: Plan | null) => void): RenewedLease {
    let renewing: Promise<void> | null = null
    const renew = () => {
      renewing ??= this.#renew()
        .then((end) => (end ? lost(end.lost) : undefined))
        .finally(() => {
          renewing = null
        })
      return renewing
    }
    const timer = setInterval(() => void renew().catch(() => undefined), leaseTime / 3)
    timer.unref()
    return {
      ask: async () => {
        if (this.#age > leaseTime / 2) await renew()
      },
      isOver: () => this.#age >= leaseTime - reserve,
      stop: () => clearInterval(timer),
    }
  }

  /** Throws locked (12) while another process runs the plan or writes its rows. */
  mustBeFree(row: PlanTableRow | null): void {
    if (row && this.isHeld(row)) throw runByAnotherFailure(row)
  }

  /** Throws locked (12) if another process took the lease while this one slept. `end`: what follows from that, in words. */
  mustBeOurs(row: PlanTableRow | null, end: string): void {
    if (row?.holder !== this.#leaseHolder.self) throw takenOverFailure(row, end)
  }

  /** The columns of a plan whose lease this process takes now. */
  get held() {
    const present = this.#present
    return { ...this.#heldFrom(present), held_since: storeMoment(present).iso }
  }

  #heldFrom(moment: Moment) {
    const { iso, steady } = storeMoment(later(moment, leaseTime))
    return { holder: this.#leaseHolder.self, held_until: iso, held_until_steady: steady }
  }

  get #present(): Moment {
    return momentOf(this.#store.clock)
  }

  /** Milliseconds since the last renewal, at most. */
  get #age(): number {
    return this.#since === null ? Number.POSITIVE_INFINITY : maxElapsed(this.#since, this.#present)
  }

  /** True while another process has the lease. */
  isHeld({ holder, held_until, held_until_steady }: PlanTableRow): boolean {
    if (holder === null || held_until === null || holder === this.#leaseHolder.self) return false
    const standing = this.#leaseHolder.standing(holder)
    if (standing !== 'unknown') return standing === 'alive'
    return minElapsed({ iso: held_until, steady: held_until_steady }, momentOf(this.#store.clock)) < 0
  }
}

function takenOverFailure(row: PlanTableRow | null, end: string): Failure {
  return new Failure('locked', `another process has taken over the plan ${row?.id ?? ''}: ${end}`, {
    moneyMoved: row?.complete ? 'unknown' : 'no',
    hints: [hint`\`${paste('batch list')}\` shows it when it is ready.`],
  })
}

function planGoneFailure(planId: string): Failure {
  return new Failure('not-found', `the plan ${planId} no longer exists`, {
    hints: [hint`\`${paste('batch list')}\` lists the plans.`],
  })
}

/** The other run may be about to pay the first row. */
function runByAnotherFailure({ id, holder, held_since }: PlanTableRow): Failure {
  return new Failure(
    'locked',
    `another run is paying the plan ${id} (${holderInWords(holder ?? '')}, since ${held_since})`,
    {
      moneyMoved: 'unknown',
      hints: [hint`Wait until it ends; \`${paste('batch status', id)}\` shows its progress.`],
    },
  )
}

export interface LeaseParts {
  readonly plans: Pick<Plans, 'isHandedOver'>
  readonly leaseHolder: ThisProcess
  readonly store: PlanStore
}

/** True while a run or the workers of a team have the plan: they may be about to send a row. */
export async function isBeingRun({ plans, leaseHolder, store }: LeaseParts, planId: string): Promise<boolean> {
  const row = await store.ask(planRow)
  return (row !== null && new Lease(store, leaseHolder).isHeld(row)) || (await plans.isHandedOver(planId))
}

/** Ends a plan that is not to be paid. Throws locked (12) while a run has it, or workers have rows of it in flight. */
export async function discardPlan(
  plans: Pick<Plans, 'takeBack'>,
  planId: string,
  store: PlanStore,
  leaseHolder: ThisProcess,
): Promise<void> {
  const lease = new Lease(store, leaseHolder)
  await lease.take()
  try {
    const workers = await plans.takeBack(planId, 'it was discarded')
    if (workers > 0) throw inFlightFailure(planId, workers)
    await store.write(async (db) => {
      lease.mustBeOurs(await planRow(db), 'it was not discarded')
      await changePlan(db, { discarded_at: new Date(store.clock.now()).toISOString() })
    })
  } finally {
    await lease.release()
  }
}

function inFlightFailure(planId: string, workers: number): Failure {
  return new Failure(
    'locked',
    `${planId} was taken back, but ${howMany(workers, 'worker ends what it has', 'workers end what they have')} still paying its rows in flight`,
    {
      moneyMoved: 'unknown',
      hints: [hint`Discard it again in a moment: \`${paste('batch discard', planId)}\`.`],
    },
  )
}
