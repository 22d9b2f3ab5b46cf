/**
 * Stories about a team: files that one machine plans and hands over, workers on any of them, killed and stopped at
 * every moment, local runs and single payouts beside them, over a server whose connections and commits are lost and a
 * queue that errs.
 */

import { Lease } from '../../../src/lib/batch/lease.ts'
import { makePlan, type PlanRequest, surveyFile, verifyPlan } from '../../../src/lib/batch/make-plan.ts'
import { staleness } from '../../../src/lib/batch/plan.ts'
import { pausingOn429, RateLimiter } from '../../../src/lib/batch/rate-limiter.ts'
import { ownerOf, readPlanRows } from '../../../src/lib/batch/rows.ts'
import { countRows, type RowEvent, runPlan } from '../../../src/lib/batch/run.ts'
import { heldByWorkers, StopDecision, stalePlanFailure } from '../../../src/lib/batch/stop.ts'
import { PlansInTeam } from '../../../src/lib/batch/team-plans.ts'
import type { Desk } from '../../../src/lib/desk/desk.ts'
import { Fleet, queueOf } from '../../../src/lib/fleet/fleet.ts'
import { Heartbeat } from '../../../src/lib/fleet/heartbeat.ts'
import { RunningChunks, Worker } from '../../../src/lib/fleet/worker.ts'
import { isTaken } from '../../../src/lib/journal/conflict.ts'
import type { IntentRow } from '../../../src/lib/store/journal/schema.ts'
import { Denials, type Denied, mustHaveStayed } from '../denied.ts'
import { countsOf, type File, fileOf, read } from '../files.ts'
import type { Team } from '../ground.ts'
import type { Machine } from '../machine.ts'
import { Payouts } from '../payouts.ts'
import type { Ended, Errand, ErrandProcess, Trade } from '../trade.ts'
import type { World } from '../world.ts'
import { LossyQueue } from './queue.ts'

interface Told {
  readonly counts?: Readonly<Record<string, number>>
  readonly denied: Denied
}

interface Hand {
  readonly desk: Desk
  readonly process: ErrandProcess
  readonly store: Team['store']
  readonly fleet: Fleet
  readonly plans: PlansInTeam
}

const minute = 60_000

export class Fleets implements Trade {
  readonly part = 'payouts'
  readonly #world: World
  readonly #singles: Payouts
  readonly #files: File[] = []

  constructor(world: World) {
    this.#world = world
    this.#singles = new Payouts(world)
  }

  async prepare(): Promise<void> {
    this.#files.push(fileOf(this.#world, 'payroll', 17))
  }

  next(_machine: Machine): Errand {
    const { dice } = this.#world
    const kind = dice.pick(['single', 'hand', 'hand', 'work', 'work', 'work', 'work', 'run', 'back'] as const)
    if (kind === 'single') return this.#singles.next()
    if (kind === 'work') return this.#working(dice.pick([2_000, 10_000, minute]))
    if (dice.chance(0.2)) this.#files.push(fileOf(this.#world, `file ${this.#files.length}`, 17))
    const [first, ...rest] = this.#files
    if (!first) throw new Error('there is no file')
    const file = dice.pick([first, ...rest])
    if (kind === 'hand') return this.#handing(file)
    return kind === 'run' ? this.#running(file) : this.#takingBack(file)
  }

  /** One machine is enough: all of them have one store. */
  readonly ending = (machine: Machine): readonly Errand[] => {
    if (machine !== this.#world.machines[0]) return []
    return [
      // Until nobody can have slept through a sweep.
      this.#working(1.2 * minute),
      ...this.#files.flatMap((file) => [this.#takingBack(file), this.#running(file)]),
    ]
  }

  #handOf(desk: Desk, process: ErrandProcess): Hand {
    const { team, leaseHolder } = process
    if (!team) throw new Error('there is no team')
    const { store } = team
    const errs = () => !this.#world.weather.fair
    const queue = new LossyQueue(store, queueOf(desk.profile), this.#world.fate, errs)
    return { desk, process, store, fleet: new Fleet(store, queue, leaseHolder), plans: new PlansInTeam(store) }
  }

  #made({ desk, process, plans }: Hand, file: File) {
    const wish: PlanRequest = {
      ...{ name: file.name, again: null, allowDuplicates: true, file: file.name, plans },
      ...{ isNamed: true, fileHash: file.name },
      read: async () => read(file),
    }
    return surveyFile(read(file)).then((survey) => makePlan(desk, process.leaseHolder, wish, survey))
  }

  #handing(file: File): Errand {
    const act = async (desk: Desk, _about: unknown, process: ErrandProcess): Promise<Told> => {
      const hand = this.#handOf(desk, process)
      const { store } = await this.#made(hand, file)
      const lease = new Lease(store, process.leaseHolder)
      const plan = await lease.take()
      try {
        await verifyPlan(desk.journal, store, plan)
        const why = staleness(plan, desk.profile, store.clock.now())
        if (why !== null) throw stalePlanFailure(plan, why)
        await hand.fleet.handOver(plan, { rate: this.#world.dice.chance(0.2) ? 5 : null }, lease)
      } finally {
        await lease.release().catch(() => undefined)
      }
      return { denied: [] }
    }
    return { name: `hand ${file.name} over, ${file.rows.length} rows`, plan: `hand ${file.name}`, act, commands: 4 }
  }

  #takingBack(file: File): Errand {
    const act = async (desk: Desk, _about: unknown, process: ErrandProcess): Promise<Told> => {
      const hand = this.#handOf(desk, process)
      const { plan } = await this.#made(hand, file)
      await hand.plans.takeBack(plan.planId, 'it is taken back')
      return { denied: [] }
    }
    return { name: `take ${file.name} back`, plan: `back ${file.name}`, act, commands: 4 }
  }

  #working(lifetime: number): Errand {
    const { dice } = this.#world
    const concurrency = 1 + dice.below(4)
    const act = async (desk: Desk, _about: unknown, process: ErrandProcess): Promise<Told> => {
      const { fleet, plans, store } = this.#handOf(desk, process)
      const { leaseHolder, flushOutbox, leave } = process
      const over = new AbortController()
      void this.#world.timeline.sleep(lifetime).then(() => over.abort())
      const signal = AbortSignal.any([desk.signal, over.signal])
      const limiter = new RateLimiter(desk.clock, null)
      const presence = new Heartbeat(store, {
        id: leaseHolder.self,
        queue: fleet.queue.name,
        profile: desk.profile.name,
      })
      const denials = new Denials(this.#world, process)
      const worker = new Worker({
        ...{ fleet, plans, leaseHolder, flushOutbox, leave, limiter, presence, concurrency, signal },
        desk: { ...desk, transport: pausingOn429(desk.transport, limiter, desk.clock) },
        clock: desk.clock,
        lines: new RunningChunks(),
        tell: (event) => {
          if (event.event === 'row') denials.hear(event.row.row)
        },
      })
      try {
        await worker.work()
      } finally {
        await presence.stop().catch(() => undefined)
      }
      if (this.#world.weather.fair) await this.#mustBeThrough(desk, process, fleet, plans)
      return { denied: denials.all }
    }
    return { name: `work for ${lifetime} ms, ${concurrency} at once`, plan: 'fleet ', act, commands: 100 }
  }

  /** In calm weather a worker comes to the end of what was handed over, whatever the queue has lost. */
  async #mustBeThrough(desk: Desk, { leaseHolder }: ErrandProcess, fleet: Fleet, plans: PlansInTeam): Promise<void> {
    for (const plan of await plans.list()) {
      const handed = await fleet.handed(plan.planId)
      if (!handed || handed.stopped !== null || staleness(plan, desk.profile, plans.clock.now()) !== null) continue
      const store = await plans.open(plan.planId)
      const known = new Set((await this.#world.intents()).map(({ unique_id }) => unique_id))
      for await (const rows of readPlanRows(ownerOf(plan, desk.journal), leaseHolder, store)) {
        // One whose id was refused with another body since is left to a run that a person starts.
        const left = rows.filter(({ state, planned }) => state === 'planned' && !known.has(planned.unique_id))
        if (left.length > 0) this.#world.blame(`${plan.planId} was handed over, and ${left.length} rows wait`)
      }
    }
  }

  #running(file: File): Errand {
    const concurrency = 1 + this.#world.dice.below(4)
    const act = async (desk: Desk, _about: unknown, process: ErrandProcess): Promise<Told> => {
      const hand = this.#handOf(desk, process)
      const { leaseHolder } = process
      const { store } = await this.#made(hand, file)
      const lease = new Lease(store, leaseHolder)
      const plan = await lease.take()
      const stopping = new StopDecision(null)
      desk.signal.addEventListener('abort', () => stopping.because({ kind: 'signal' }), { once: true })
      const limiter = new RateLimiter(desk.clock, null)
      const denials = new Denials(this.#world, process)
      try {
        if (await hand.plans.isHandedOver(plan.planId)) throw heldByWorkers(plan)
        const seen = await verifyPlan(desk.journal, store, plan)
        const paced = { ...desk, ending: stopping.signal, transport: pausingOn429(desk.transport, limiter, desk.clock) }
        const tell = ({ row }: RowEvent) => denials.hear(row)
        await runPlan({ desk: paced, leaseHolder, store, plan, seen, rate: limiter, stopping, tell }, concurrency)
        const count = await countRows({ desk: ownerOf(plan, desk.journal), leaseHolder, store })
        return { counts: countsOf(count), denied: denials.all }
      } finally {
        await lease.release().catch(() => undefined)
      }
    }
    const name = `run ${file.name} here, ${file.rows.length} rows`
    return { name, plan: `run ${file.name}`, act, commands: file.rows.length * 2 + 6 }
  }

  async check(ended: Ended): Promise<void> {
    if (!/^(?:fleet|run|hand|back) /.test(ended.plan ?? '')) return this.#singles.check(ended)
    if (ended.exit !== 0) return
    const { counts, denied } = JSON.parse(ended.told) as Told
    const file = this.#files.find(({ name }) => `run ${name}` === ended.plan)
    const counted = Object.values(counts ?? {}).reduce((sum, each) => sum + each, 0)
    if (file && counted !== file.rows.length) throw new Error(`${file.rows.length} rows are counted as ${ended.told}`)
    await mustHaveStayed(this.#world, denied)
  }

  ran(intent: IntentRow): Promise<boolean> {
    return this.#singles.ran(intent)
  }

  async checkBooks(atTheEnd: boolean): Promise<void> {
    await this.#singles.checkBooks(atTheEnd)
    const world = this.#world
    const isHonest = !world.isPlayed('wrong-answers') && !world.isPlayed('turned-away')
    if (!atTheEnd || !isHonest || world.isLong) return
    for (const intent of await world.intents()) {
      const { id, state } = intent
      // A refused repeat proves nothing about an attempt without an answer, and a conflict is for a person.
      const isOpen = state === 'unknown' && !isTaken(intent) && (await world.attempts(id)).at(-1)?.outcome !== 'refused'
      if (isOpen) throw new Error(`${id} stays unknown`)
    }
  }
}
