/**
 * Stories about files of payouts: planned, run by one process or two, killed, stopped, resumed, beside single payouts
 * that use the same keys.
 */

import { Lease } from '../../src/lib/batch/lease.ts'
import { makePlan, surveyFile, verifyPlan } from '../../src/lib/batch/make-plan.ts'
import { planStore } from '../../src/lib/batch/plans.ts'
import { pausingOn429, RateLimiter } from '../../src/lib/batch/rate-limiter.ts'
import { type RowEvent, runPlan } from '../../src/lib/batch/run.ts'
import { StopDecision } from '../../src/lib/batch/stop.ts'
import { minorUnits } from '../../src/lib/contract/core/decimal.ts'
import type { Desk } from '../../src/lib/desk/desk.ts'
import { isTaken } from '../../src/lib/journal/conflict.ts'
import type { Store } from '../../src/lib/store/engine/store.ts'
import type { IntentRow } from '../../src/lib/store/journal/schema.ts'
import { type PlanTables, planSchema } from '../../src/lib/store/plans.ts'
import { memoryStore } from '../kit/store.ts'
import { Denials, type Denied, mustHaveStayed } from './denied.ts'
import { countsOf, type File, fileOf, read } from './files.ts'
import type { Machine } from './machine.ts'
import { Payouts } from './payouts.ts'
import type { Ended, Errand, ErrandProcess, Trade } from './trade.ts'
import type { World } from './world.ts'

/** The end of a run as its command tells it. */
interface Run {
  readonly planId: string
  readonly counts: Readonly<Record<string, number>>
  readonly denied: Denied
}

export class Batches implements Trade {
  readonly part = 'payouts'
  readonly #world: World
  readonly #singles: Payouts
  readonly #files: File[] = []
  /** Of each machine, by its name and that of the file. */
  readonly #stores = new Map<string, Promise<Store<PlanTables>>>()

  constructor(world: World) {
    this.#world = world
    this.#singles = new Payouts(world)
  }

  async prepare(): Promise<void> {
    this.#files.push(fileOf(this.#world, 'payroll'))
  }

  next(machine: Machine): Errand {
    const { dice } = this.#world
    if (dice.chance(0.25)) return this.#singles.next()
    if (dice.chance(0.2)) this.#files.push(fileOf(this.#world, `file ${this.#files.length}`))
    const [first, ...rest] = this.#files
    if (!first) throw new Error('there is no file')
    const file = dice.pick([first, ...rest])
    const concurrency = 1 + dice.below(4)
    return {
      name: `batch ${file.name} ${file.rows.length} rows, ${concurrency} at once`,
      plan: `batch ${file.name}`,
      act: (desk, _about, process) => this.#run(desk, machine, file, concurrency, process),
      commands: file.rows.length * 2 + 2,
    }
  }

  #storeOf(machine: Machine, { name }: File): Promise<Store<PlanTables>> {
    const place = `${machine.name} ${name}`
    const known = this.#stores.get(place) ?? memoryStore<PlanTables>(planSchema)
    this.#stores.set(place, known)
    return known
  }

  async #run(
    desk: Desk,
    machine: Machine,
    file: File,
    concurrency: number,
    { leaseHolder, mortal, ended }: ErrandProcess,
  ): Promise<Run> {
    const stored = mortal.store(await this.#storeOf(machine, file))
    const open = async (planId: string) => planStore(stored, planId, { clock: desk.clock, close: () => stored.close() })
    const wish = {
      name: file.name,
      isNamed: true,
      fileHash: file.name,
      again: null,
      allowDuplicates: true,
      file: file.name,
      plans: { open, list: async () => [] },
      read: async () => read(file),
    }
    const { store } = await makePlan(desk, leaseHolder, wish, await surveyFile(read(file)))
    const lease = new Lease(store, leaseHolder)
    const plan = await lease.take()
    const stopping = new StopDecision(null)
    desk.signal.addEventListener('abort', () => stopping.because({ kind: 'signal' }), { once: true })
    const limiter = new RateLimiter(desk.clock, null)
    const denials = new Denials(this.#world, { ended })
    try {
      const seen = await verifyPlan(desk.journal, store, plan)
      const paced = { ...desk, ending: stopping.signal, transport: pausingOn429(desk.transport, limiter, desk.clock) }
      const tell = ({ row }: RowEvent) => denials.hear(row)
      const count = await runPlan(
        { desk: paced, leaseHolder, store, plan, seen, rate: limiter, stopping, tell },
        concurrency,
      )
      return { planId: plan.planId, counts: countsOf(count), denied: denials.all }
    } finally {
      await lease.release()
    }
  }

  async check(ended: Ended): Promise<void> {
    if (!ended.plan?.startsWith('batch ')) return this.#singles.check(ended)
    if (ended.exit !== 0) return
    const { counts, denied } = JSON.parse(ended.told) as Run
    const file = this.#files.find(({ name }) => `batch ${name}` === ended.plan)
    const counted = Object.values(counts).reduce((sum, each) => sum + each, 0)
    if (counted !== file?.rows.length) throw new Error(`${file?.rows.length} rows are counted as ${ended.told}`)
    // What another machine did this one cannot know.
    if (!this.#world.alone) return
    await mustHaveStayed(this.#world, denied)
  }

  ran(intent: IntentRow): Promise<boolean> {
    return this.#singles.ran(intent)
  }

  async checkBooks(atTheEnd: boolean): Promise<void> {
    await this.#singles.checkBooks(atTheEnd)
    const { payouts } = await this.#world.sandbox.ledger()
    const intents = await this.#world.intents()
    for (const [place, opened] of this.#stores) {
      const rows = await (await opened).ask((db) => db.selectFrom('plan_rows').selectAll().execute())
      const ids = new Set(rows.map(({ unique_id }) => unique_id))
      if (ids.size !== rows.length) throw new Error(`${place}: two rows have one id`)
      if (!atTheEnd || !this.#world.alone) continue
      const paid = payouts.filter(({ uniqueId }) => ids.has(uniqueId) && !this.#world.deceived.has(uniqueId))
      const known = intents.filter(({ unique_id }) => ids.has(unique_id))
      // One that is open, or that the service has from somebody else, is for the operator.
      if (known.some((intent) => intent.state === 'unknown' || isTaken(intent))) continue
      const accepted = known.filter(({ state, unique_id }) => isDone(state) && !this.#world.deceived.has(unique_id))
      const sum = (all: readonly bigint[]) => all.reduce((total, each) => total + each, 0n)
      const [inLedger, inJournal] = [
        sum(paid.map(({ amount }) => minorUnits(amount.text) ?? 0n)),
        sum(accepted.map(({ amount_minor }) => BigInt(amount_minor))),
      ]
      if (inLedger !== inJournal) throw new Error(`${place}: ${inLedger} was paid, ${inJournal} is accepted`)
    }
  }
}

const isDone = (state: string) => state === 'accepted' || state === 'exists'
