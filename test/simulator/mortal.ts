/**
 * A simulated process can die at every point where it touches the world: just before an effect, or just after it and
 * before it hears of it.
 */
import type { Clock } from '../../src/lib/edge.ts'
import type { Transport } from '../../src/lib/http/client.ts'
import type { Store } from '../../src/lib/store/engine/store.ts'
import type { Dice } from './dice.ts'
import type { Machine } from './machine.ts'
import type { World } from './world.ts'

const minute = 60_000
const naps = [minute, 3 * minute, 10 * minute, 40 * minute, 24 * 60 * minute] as const
const drowsiness = 0.03

export class Mortal {
  dead = false
  /** True while it is stopped. */
  isStopped = false
  /** Milliseconds it was stopped. */
  slept = 0
  /** The time of its last write to the journal. */
  wrote = 0
  readonly name: string
  readonly #world: World
  readonly #machine: Machine
  readonly #dice: Dice
  readonly #risk: number
  readonly #drowsiness: number
  readonly #onDeath: () => void

  constructor(world: World, machine: Machine, name: string, risk: number, onDeath: () => void) {
    this.name = name
    this.#world = world
    this.#machine = machine
    this.#dice = world.dice
    this.#risk = risk
    this.#drowsiness = world.strikes('asleep') ? drowsiness : 0
    this.#onDeath = onDeath
  }

  /** An effect on the world that may be this process's last. */
  async effect<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#maybeNap()
    await this.#mayEnd()
    const result = await work()
    await this.#mayEnd()
    return result
  }

  /** A moment in which others have their turn, and this process may be stopped or end. */
  async pause(): Promise<void> {
    await this.#world.timeline.sleep(this.#dice.below(4))
    await this.#maybeNap()
    // There are many such moments in one effect.
    await this.#mayEnd(this.#risk / 5)
  }

  get isDrowsy(): boolean {
    return this.#drowsiness > 0
  }

  /** Its write to the journal is durable, whether it hears of it or not. */
  hasWritten(): void {
    this.wrote = this.#world.timeline.now()
  }

  store<Tables>(store: Store<Tables>): Store<Tables> {
    return {
      get head() {
        return store.head
      },
      read: (work) => this.effect(() => this.#pausing(() => store.read(work))),
      ask: (statement) => this.effect(() => this.#pausing(() => store.ask(statement))),
      lend: (work) => this.effect(() => this.#pausing(() => store.lend(work))),
      write: (work) => this.effect(() => this.#pausing(() => this.#written(store, work))),
      get outdated() {
        return store.outdated
      },
      close: async () => undefined,
    }
  }

  transport(transport: Transport): Transport {
    return (...given) => this.effect(() => transport(...given))
  }

  /** The clock of its machine; a sleeping process may be stopped, too. */
  clock(clock: Clock): Clock {
    const sleep: Clock['sleep'] = async (milliseconds, signal) => {
      await clock.sleep(milliseconds, signal)
      if (this.dead) await new Promise<never>(() => undefined)
      await this.#maybeNap()
    }
    return { ...clock, sleep }
  }

  async #written<Tables, Result>(store: Store<Tables>, work: Parameters<Store<Tables>['write']>[0]): Promise<Result> {
    await this.#machine.unlocked(this.#world.fate)
    const result = (await store.write(work)) as Result
    this.hasWritten()
    return result
  }

  /** Moments in which other processes get their turn. */
  async #pausing<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#world.timeline.sleep(this.#dice.below(4))
    return work()
  }

  async #mayEnd(risk = this.#risk): Promise<void> {
    this.#maybeDie(risk)
    if (this.dead) await new Promise<never>(() => undefined)
  }

  #maybeDie(risk: number): void {
    if (this.dead || !this.#dice.chance(risk)) return
    this.dead = true
    this.#onDeath()
  }

  async #maybeNap(): Promise<void> {
    const { fate, timeline } = this.#world
    if (this.dead || this.#drowsiness === 0 || !fate.chance(this.#drowsiness)) return
    const nap = fate.pick(naps)
    this.#world.note(`${this.name} is stopped for ${nap / minute} min`)
    this.slept += nap
    this.isStopped = true
    await timeline.sleep(nap)
    this.isStopped = false
    this.#world.note(`${this.name} wakes`)
  }
}
