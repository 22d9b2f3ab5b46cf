/** One machine of a story: a journal, a clock that may be set, a lock on the journal that others may hold, and a network. */

import type { Clock } from '../../src/lib/edge.ts'
import type { Transport } from '../../src/lib/http/client.ts'
import type { HttpRequest } from '../../src/lib/http/message.ts'
import type { HolderState } from '../../src/lib/journal/lease.ts'
import { Departures } from './departures.ts'
import type { Dice } from './dice.ts'
import type { Ground } from './ground.ts'
import { lossyNetwork } from './network.ts'
import { operationOf, type World } from './world.ts'

/** The longest pause of a waiting writer in milliseconds; another one may ask sooner again. */
const longestPoll = 300

export class Machine {
  readonly name: string
  readonly ground: Ground
  readonly alive = new Set<string>()
  /** True if processes cannot look each other up, as in two containers that share a journal. */
  readonly blind: boolean
  readonly network: Transport
  readonly #world: World
  readonly #departures: Departures
  #ahead = 0
  #lockedUntil = 0
  /** The number of next writes whose answer is lost. */
  #losing = 0

  constructor(world: World, name: string, ground: Ground) {
    this.name = name
    this.ground = ground
    this.#world = world
    this.blind = world.isLong && world.fate.chance(0.3)
    this.#departures = new Departures(world, ground)
    this.network = lossyNetwork(world, {
      name,
      note: (line) => world.note(`${name} ${line}`),
      loses: (request) => this.#loses(request),
    })
  }

  /** The state of one of its processes, as another of them can see it. */
  standing(holder: string): HolderState {
    const [machine] = holder.split('/')
    if (this.blind || machine !== this.name) return 'unknown'
    return this.alive.has(holder) ? 'alive' : 'gone'
  }

  /** The time of its processes. */
  get clock(): Clock {
    const { timeline } = this.#world
    return {
      now: () => timeline.now() + this.#ahead,
      steady: () => ({ ...timeline.steady(), boot: this.name }),
      sleep: (milliseconds, signal) => timeline.sleep(milliseconds, signal),
    }
  }

  /** Sets its clock ahead of the world's, or behind it. */
  setClock(ahead: number): void {
    this.#ahead = ahead
    this.#world.note(`${this.name} clock ${ahead / 3_600_000} h`)
  }

  /** Another program writes to the journal for so long: it can be read meanwhile. The first answers afterwards are lost. */
  holdLock(milliseconds: number, losing: number): void {
    this.#losing = losing
    this.#lockedUntil = this.#world.timeline.now() + milliseconds
    this.#world.note(`${this.name} journal locked`)
  }

  /** Waits as a writer does, by asking again and again, so that chance decides which writer is first. */
  async unlocked(fate: Dice): Promise<void> {
    const { timeline } = this.#world
    while (this.#lockedUntil > timeline.now()) {
      await timeline.sleep(this.#lockedUntil - timeline.now() + fate.below(longestPoll))
    }
  }

  #loses(request: HttpRequest): boolean {
    if (this.#losing === 0 || operationOf(request)?.effect !== 'write') return false
    this.#losing -= 1
    return true
  }

  /** A write is about to leave. */
  departing(request: HttpRequest, process: string): Promise<void> {
    return this.#departures.departing(request, process)
  }
}
