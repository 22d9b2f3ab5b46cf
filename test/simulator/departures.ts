/** Conditions whenever a write leaves a machine: an intent and an attempt of it are durable, and held by its sender. */
import { attemptOf } from '../../src/lib/journal/intent.ts'
import { isOpen } from '../../src/lib/journal/verdict.ts'
import type { Store } from '../../src/lib/store/engine/store.ts'
import { attemptsOf, listIntents } from '../../src/lib/store/journal/journal.ts'
import type { JournalTables } from '../../src/lib/store/journal/schema.ts'
import type { HttpRequest } from '../../src/lib/wire/message.ts'
import { operationOf, uniqueIdOf, type World } from './world.ts'

export class Departures {
  readonly #world: World
  readonly #store: Store<JournalTables>
  readonly #counts = new Map<string, number>()

  constructor(world: World, store: Store<JournalTables>) {
    this.#world = world
    this.#store = store
  }

  async departing(request: HttpRequest, process: string): Promise<void> {
    const operation = operationOf(request)
    if (operation?.effect !== 'write') return
    const id = uniqueIdOf(request)
    const key = `${operation.name} ${id}`
    const departed = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, departed)
    const intents = await this.#store.read((db) => listIntents(db, id === null ? {} : { named: id }))
    if (id !== null && intents.length === 0) this.#world.blame(`a request for ${id} left without a durable intent`)
    const mine = intents.filter((intent) => intent.operation === operation.name)
    const attempts = await this.#store.read((db) => Promise.all(mine.map((intent) => attemptsOf(db, intent.id))))
    if (attempts.flat().length < departed) this.#world.blame(`${key} left without a durable attempt`)
    const held = mine.filter(({ holder, state }) => holder === process && state === 'unknown')
    if (held.length === 0) this.#world.blame(`${key} left, and ${process} does not hold it`)
    if (operation.repeats({}).unanswered !== 'stop') return
    for (const { id: journalId, because } of held) {
      const past = (await this.#store.read((db) => attemptsOf(db, journalId))).slice(0, -1)
      // An attempt that a read or the operator's word has closed since is not open any more.
      if (because === null && past.map(attemptOf).some(isOpen))
        this.#world.blame(`${key} left again, and nobody knows of ${journalId}`)
    }
  }
}
