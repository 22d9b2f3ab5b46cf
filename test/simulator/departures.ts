/** Conditions whenever a write leaves a machine: an intent and an attempt of it are durable, and held by its sender. */

import type { HttpRequest } from '../../src/lib/http/message.ts'
import { attemptOf } from '../../src/lib/journal/intent.ts'
import { isOpen } from '../../src/lib/journal/verdict.ts'
import type { Ground } from './ground.ts'
import { operationOf, uniqueIdOf, type World } from './world.ts'

export class Departures {
  readonly #world: World
  readonly #ground: Ground

  constructor(world: World, ground: Ground) {
    this.#world = world
    this.#ground = ground
  }

  async departing(request: HttpRequest, process: string): Promise<void> {
    const operation = operationOf(request)
    if (operation?.effect !== 'write') return
    const id = uniqueIdOf(request)
    const key = `${operation.name} ${id}`
    const departed = (this.#ground.traffic.departed.get(key) ?? 0) + 1
    this.#ground.traffic.departed.set(key, departed)
    const known = await this.#ground.intents()
    const intents = id === null ? known : known.filter(({ unique_id }) => unique_id === id)
    if (id !== null && intents.length === 0) this.#world.blame(`a request for ${id} left without a durable intent`)
    const mine = intents.filter((intent) => intent.operation === operation.name)
    const attempts = await Promise.all(mine.map((intent) => this.#ground.attempts(intent.id)))
    if (attempts.flat().length < departed) this.#world.blame(`${key} left without a durable attempt`)
    const held = mine.filter(({ holder, state }) => holder === process && state === 'unknown')
    if (held.length === 0) this.#world.blame(`${key} left, and ${process} does not hold it`)
    if (operation.retryPolicy({}).unanswered !== 'stop') return
    for (const { id: journalId, because } of held) {
      const past = (await this.#ground.attempts(journalId)).slice(0, -1)
      // An attempt that a read or the operator's word has closed since is not open any more.
      if (because === null && past.map(attemptOf).some(isOpen))
        this.#world.blame(`${key} left again, and nobody knows of ${journalId}`)
    }
  }
}
