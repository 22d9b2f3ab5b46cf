/**
 * The lease of a plan: one runner at a time. It is renewed while the run goes on; one whose process is gone from this machine
 * is taken over at once. It only spares work and confusion: that no row is sent twice is the journal's promise. The one who
 * writes a plan's rows has it, too.
 */
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { Holding } from '../../journal/hold/holder.ts'
import { certainlyPassed, kept, later, momentOf } from '../../journal/moment.ts'
import { changePlan, planRow } from '../../store/batch/plan.ts'
import type { PlanTableRow } from '../../store/batch/schema.ts'
import { type Plan, planOf } from '../plan/plan.ts'
import type { PlanStore } from '../plans/store.ts'

/** Milliseconds that a lease lasts without being renewed. */
const leaseTime = 60_000

export class Lease {
  readonly #store: PlanStore
  readonly #holding: Holding

  constructor(store: PlanStore, holding: Holding) {
    this.#store = store
    this.#holding = holding
  }

  /**
   * The plan as it is from now on, for nobody else changes it: what was read before may have been discarded since. Throws locked (12)
   * while another process runs the plan, not-found (6) where there is none any more.
   */
  take(): Promise<Plan> {
    return this.#store.write(async (db) => {
      const row = await planRow(db)
      this.mustBeFree(row)
      if (!row?.complete) throw gone(db.planId)
      await changePlan(db, this.held)
      return planOf({ ...row, ...this.held })
    })
  }

  /** False if another process has taken it over: this one slept. */
  renew(): Promise<boolean> {
    return this.#store.write(async (db) => {
      const row = await planRow(db)
      if (row?.holder !== this.#holding.self) return false
      await changePlan(db, this.held)
      return true
    })
  }

  async release(): Promise<void> {
    await this.#store.write(async (db) => {
      const row = await planRow(db)
      if (row?.holder !== this.#holding.self) return
      await changePlan(db, { holder: null, held_until: null, held_until_steady: null })
    })
  }

  /** Renews it until `stop` is called; `lost` is called when it is gone. */
  keep(lost: () => void): { readonly stop: () => void } {
    const timer = setInterval(async () => {
      const isOurs = await this.renew().catch(() => true)
      if (!isOurs) lost()
    }, leaseTime / 3)
    timer.unref()
    return { stop: () => clearInterval(timer) }
  }

  /** Throws locked (12) while another process runs the plan or writes its rows. */
  mustBeFree(row: PlanTableRow | null): void {
    if (row && this.isHeld(row)) throw runByAnother(row)
  }

  /** Throws locked (12) where another process has taken it over: this one slept. `end`: what comes of that, in words. */
  mustBeOurs(row: PlanTableRow | null, end: string): void {
    if (row?.holder !== this.#holding.self) throw takenOver(row, end)
  }

  /** The columns of a plan that this process has from now on. */
  get held() {
    const { iso, steady } = kept(later(momentOf(this.#store.clock), leaseTime))
    return { holder: this.#holding.self, held_until: iso, held_until_steady: steady }
  }

  /** True while another process has it. */
  isHeld({ holder, held_until, held_until_steady }: PlanTableRow): boolean {
    if (holder === null || held_until === null || holder === this.#holding.self) return false
    const standing = this.#holding.standing(holder)
    if (standing !== 'unknown') return standing === 'alive'
    return certainlyPassed({ iso: held_until, steady: held_until_steady }, momentOf(this.#store.clock)) < 0
  }
}

function takenOver(row: PlanTableRow | null, end: string): Failure {
  return new Failure('locked', `another process has taken the plan ${row?.id ?? ''} over meanwhile: ${end}`, {
    moneyMoved: row?.complete ? 'unknown' : 'no',
    hints: [hint`\`${paste('batch list')}\` shows it, when it is made.`],
  })
}

function gone(planId: string): Failure {
  return new Failure('not-found', `the plan ${planId} is not there any more`, {
    hints: [hint`\`${paste('batch list')}\` shows the plans that are.`],
  })
}

/** It may be about to pay the first row: only where every row is settled nothing more moves. */
function runByAnother({ id, holder, held_until }: PlanTableRow): Failure {
  return new Failure('locked', `another run has the plan ${id} (${holder}, until ${held_until} at least)`, {
    moneyMoved: 'unknown',
    hints: [hint`Wait for it to end; \`${paste('batch status', id)}\` says how far it is.`],
  })
}
