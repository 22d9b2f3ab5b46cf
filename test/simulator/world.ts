/** What a simulation runs in: one service, one or two machines with a journal each, and the books the checks are made against. */
import type { Profile } from '../../src/lib/profile/profile.ts'
import { type Sandbox, sandboxOn } from '../../src/lib/sandbox/sandbox.ts'
import type { World as SandboxWorld } from '../../src/lib/sandbox/world.ts'
import { listIntents } from '../../src/lib/store/journal.ts'
import { type JournalTables, journalSchema } from '../../src/lib/store/journal-schema.ts'
import { memoryStore } from '../../src/lib/store/memory.ts'
import { type SandboxTables, sandboxSchema } from '../../src/lib/store/sandbox-schema.ts'
import type { Store } from '../../src/lib/store/store.ts'
import type { HttpRequest } from '../../src/lib/wire/message.ts'
import { Dice } from './dice.ts'
import { lossyNetwork, type Weather } from './network.ts'
import { Timeline } from './timeline.ts'

export interface Machine {
  readonly name: string
  readonly store: Store<JournalTables>
  readonly alive: Set<string>
  /** Unique ids on their way, and the process that sent each. */
  readonly flying: Map<string, { readonly dead: boolean }>
  readonly network: ReturnType<typeof lossyNetwork>
}

type Receiver = Pick<SandboxWorld['receivers'][number], 'receiverId' | 'receiverType'>

export class World {
  readonly dice: Dice
  readonly timeline: Timeline
  readonly trace: string[] = []
  /** Everything that came out of a process through the redactor. */
  readonly shown: string[] = []
  /** What must not stand in any of it: the client secret, and every token. */
  readonly secrets = new Set<string>()
  readonly machines: Machine[] = []
  weather: Weather
  readonly sandbox: Sandbox
  readonly profile: Profile
  readonly receiver: Receiver

  private constructor(
    dice: Dice,
    timeline: Timeline,
    sandbox: Sandbox,
    profile: Profile,
    secret: string,
    receiver: Receiver,
  ) {
    this.dice = dice
    this.timeline = timeline
    this.sandbox = sandbox
    this.profile = profile
    this.secrets.add(secret)
    this.receiver = receiver
    this.weather = { trouble: dice.pick([0, 0.2, 0.5, 0.8]) }
  }

  static async of(seed: number): Promise<World> {
    const dice = new Dice(seed)
    const timeline = new Timeline(Date.UTC(2026, 10, 20, 9))
    const store = await memoryStore<SandboxTables>(sandboxSchema)
    const sandbox = await sandboxOn(store, timeline, dice.random())
    const { worldId, distributorClients, receivers } = await sandbox.world()
    const client = distributorClients.find(({ name }) => name === 'sandbox-receiver')
    if (!client) throw new Error('the sandbox has no client that is paid out by receiver')
    const profile: Profile = {
      name: 'simulated',
      environment: 'test',
      service: `sandbox:${worldId}`,
      baseUrl: 'http://service.invalid',
      clientId: client.clientId,
      clientSecret: async () => client.clientSecret,
      permits: new Set(['debtor', 'fromIban']),
      duplicateGuard: 'warn',
      transport: {},
    }
    const [receiver] = receivers
    if (!receiver) throw new Error('the sandbox has no receiver')
    const world = new World(dice, timeline, sandbox, profile, client.clientSecret, receiver)
    for (const name of dice.chance(0.3) ? ['m1', 'm2'] : ['m1']) await world.#addMachine(name)
    return world
  }

  note(line: string): void {
    this.trace.push(`${this.timeline.now()} ${line}`)
  }

  async close(): Promise<void> {
    await this.sandbox.close()
    for (const machine of this.machines) await machine.store.close()
  }

  async #addMachine(name: string): Promise<void> {
    const store = await memoryStore<JournalTables>(journalSchema)
    const observer = {
      note: (line: string) => this.note(`${name} ${line}`),
      departing: async (request: HttpRequest) => {
        const id = uniqueIdOf(request)
        if (id === null) return
        const [intent] = await store.read((db) => listIntents(db, { named: id }))
        if (!intent) throw new Error(`a request for ${id} left without a durable intent`)
      },
    }
    const network = lossyNetwork(this.sandbox, this.dice, this.timeline, () => this.weather, observer)
    this.machines.push({ name, store, alive: new Set(), flying: new Map(), network })
  }
}

export function uniqueIdOf(request: HttpRequest): string | null {
  if (request.method !== 'POST' || request.path !== '/api/distributor') return null
  return (JSON.parse(request.body ?? '{}') as { uniqueId: string }).uniqueId
}
