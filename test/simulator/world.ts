/** The world of a simulation: one service, one or two machines with a journal each, and the books of the checks. */
import type { KeyObject } from 'node:crypto'
import type { Operation } from '../../src/lib/contract/operation.ts'
import { operations } from '../../src/lib/contract/operations.ts'
import { completeOrder } from '../../src/lib/contract/order/order.ts'
import { createPayout } from '../../src/lib/contract/payout/payout.ts'
import { readPrivateKey, readPublicKey } from '../../src/lib/envelope/key.ts'
import type { Seal } from '../../src/lib/envelope/scheme.ts'
import type { HttpRequest } from '../../src/lib/http/message.ts'
import { isTaken } from '../../src/lib/journal/conflict.ts'
import type { Part } from '../../src/lib/profile/parts.ts'
import { type Profile, permitsOfProfile } from '../../src/lib/profile/profile.ts'
import type { World as SandboxWorld } from '../../src/lib/sandbox/accounts/world.ts'
import { createSandbox, type Sandbox } from '../../src/lib/sandbox/sandbox.ts'
import type { Store } from '../../src/lib/store/engine/store.ts'
import type { AttemptRow, IntentRow } from '../../src/lib/store/journal/schema.ts'
import { type SandboxTables, sandboxSchema } from '../../src/lib/store/sandbox/schema.ts'
import { memoryStore } from '../kit/store.ts'
import { Dice } from './dice.ts'
import { type Ground, ownGround } from './ground.ts'
import { LaggingCopy } from './lagging.ts'
import { Machine } from './machine.ts'
import type { Weather } from './network.ts'
import { type Play, playsOf } from './plays.ts'
import { Spelling } from './spelling.ts'
import { teamGround } from './team/ground.ts'
import { Timeline } from './timeline.ts'

type Receiver = Pick<SandboxWorld['receivers'][number], 'receiverId' | 'receiverType'>

const hour = 3_600_000

const keys = new Map<string, KeyObject>()

/** Every story has the same keys: they are read once. */
function keyOf(text: string, read: (bytes: Buffer, name: string) => KeyObject): KeyObject {
  const key = keys.get(text) ?? read(Buffer.from(text), 'a key of the simulation')
  keys.set(text, key)
  return key
}

export class World {
  readonly dice: Dice
  /** The chance of what is played besides. */
  readonly fate: Dice
  readonly timeline: Timeline
  readonly trace: string[] = []
  /** Everything that came out of a process through the redactor. */
  readonly shown: string[] = []
  /** Secrets that must not stand in any of it: the client secret, every token, every card token. */
  readonly secrets = new Set<string>()
  readonly machines: Machine[] = []
  /** Ids of what ran and was turned away in words that say that it did not. */
  readonly deceived = new Set<string>()
  /** Ids of what was answered or read with another sum, or in a status that nobody knows: no read takes that back, so it may stay for the operator. */
  readonly puzzled = new Set<string>()
  weather: Weather
  /** The sender of sealed requests; null for payouts. */
  seal: Seal | null = null
  readonly sandbox: Sandbox
  /** The service's own store: what really happened. */
  readonly service: Store<SandboxTables>
  readonly lagging = new LaggingCopy(this)
  readonly #worldId: string
  readonly #client: SandboxWorld['distributorClients'][number]
  readonly receiver: Receiver
  readonly #plays: ReadonlySet<Play>
  readonly #spelling: Spelling | null
  #blamed: Error | null = null

  private constructor(
    { dice, fate, plays }: { readonly dice: Dice; readonly fate: Dice; readonly plays: ReadonlySet<Play> },
    timeline: Timeline,
    sandbox: Sandbox,
    service: Store<SandboxTables>,
    { worldId, distributorClients, receivers }: SandboxWorld,
  ) {
    const client = distributorClients.find(({ name }) => name === 'sandbox-receiver')
    const [receiver] = receivers
    if (!client || !receiver) throw new Error('the sandbox has no client that is paid out by receiver')
    this.dice = dice
    this.fate = fate
    this.#plays = plays
    this.#spelling = plays.has('respelled') ? new Spelling(fate) : null
    this.timeline = timeline
    this.sandbox = sandbox
    this.service = service
    this.#worldId = worldId
    this.#client = client
    this.receiver = receiver
    this.secrets.add(client.clientSecret)
    this.weather = { trouble: dice.pick([0, 0.2, 0.5, 0.8]), fair: false }
  }

  static async of(seed: number, allowed: readonly Play[]): Promise<World> {
    const dice = new Dice(seed)
    const fate = new Dice(seed ^ 0x9e3779b9)
    const plays = playsOf(fate, new Dice(seed ^ 0x2545f491), allowed)
    const timeline = new Timeline(Date.UTC(2026, 10, 20, 9), plays.has('team'))
    const service = await memoryStore<SandboxTables>(sandboxSchema)
    const sandbox = await createSandbox(service, timeline, dice.random())
    const world = new World({ dice, fate, plays }, timeline, sandbox, service, await sandbox.world())
    const names = dice.chance(0.3) ? ['m1', 'm2'] : ['m1']
    if (plays.has('team')) await world.#joinTeam()
    else for (const name of names) world.machines.push(new Machine(world, name, await ownGround()))
    if (plays.size > 0) world.note(`plays ${[...plays].join(', ')}`)
    return world
  }

  get plays(): readonly Play[] {
    return [...this.#plays]
  }

  isPlayed(play: Play): boolean {
    return this.#plays.has(play)
  }

  /** True if it may happen now. */
  readonly strikes = (play: Play): boolean => !this.weather.fair && this.#plays.has(play)

  /**
   * True if a day may pass, for all or for one machine: a second intent of the same payment then is no suspected
   * duplicate.
   */
  get isLong(): boolean {
    return this.isPlayed('asleep') || this.isPlayed('clock-step')
  }

  /** Records a breach that must never happen, because the program may take the error for one of its own. */
  blame(why: string): never {
    this.#blamed ??= new Error(why)
    throw this.#blamed
  }

  /** Throws the first breach that was recorded. */
  mustBeBlameless(): void {
    if (this.#blamed) throw this.#blamed
  }

  /** The profile as a command finds it. */
  spelt(profile: Profile): Profile {
    return this.#spelling?.of(profile) ?? profile
  }

  /** True if only one journal knows of all requests: then a "no" of it must be a no of the service. */
  get alone(): boolean {
    return this.#grounds.length === 1
  }

  get #grounds(): readonly Ground[] {
    return [...new Set(this.machines.map(({ ground }) => ground))]
  }

  /** Two or three machines over one server, their clocks up to an hour apart. */
  async #joinTeam(): Promise<void> {
    const ground = await teamGround(this)
    for (const name of ['m1', 'm2', ...(this.fate.chance(0.5) ? ['m3'] : [])]) {
      const machine = new Machine(this, name, ground)
      machine.setClock(this.fate.below(2 * hour) - hour)
      this.machines.push(machine)
    }
  }

  note(line: string): void {
    this.trace.push(`${this.timeline.now()} ${line}`)
  }

  async profile(part: Part): Promise<Profile> {
    const common = {
      name: 'simulated',
      environment: 'test',
      part,
      service: `sandbox:${this.#worldId}`,
      serviceId: `sandbox:${this.#worldId}`,
      baseUrl: 'http://service.invalid',
      permits: permitsOfProfile(true),
      transport: {},
    } as const
    if (part === 'payouts') {
      const { clientId, clientSecret } = this.#client
      const clientFacts = { clientId, clientSecret: async () => clientSecret, seal: null, orderType: null }
      return { ...common, ...clientFacts, duplicateGuard: 'warn', limits: [] }
    }
    const who =
      part === 'orders' ? await this.sandbox.integrator('sandbox') : await this.sandbox.walletIntegrator('sandbox')
    if (!who) throw new Error(`the sandbox has no integrator for ${part}`)
    const identifier = 'integratorId' in who ? who.integratorId : who.identifier
    const toService = keyOf(who.servicePublicKey, readPublicKey)
    const own = [keyOf(who.privateKey, readPrivateKey)]
    this.seal = { identifier, scheme: who.scheme, toService, own }
    return {
      ...common,
      clientId: identifier,
      clientSecret: async () => '',
      seal: this.seal,
      orderType: 'DEFAULT',
      duplicateGuard: 'refuse',
      limits: [],
    }
  }

  /** The attempts of an intent, on whichever ground it stands. */
  async attempts(intentId: string): Promise<readonly AttemptRow[]> {
    for (const ground of this.#grounds) {
      const found = await ground.attempts(intentId)
      if (found.length > 0) return found
    }
    return []
  }

  /**
   * Ids that wait for the operator: "not any more", of which no read could tell why; completions, of which no read
   * proves that they were not executed; and conflicts, of which another process opened an attempt and died.
   */
  async puzzles(): Promise<ReadonlySet<string>> {
    const open = (await this.intents()).filter(({ state }) => state === 'unknown')
    const waiting = open.map(async (intent) => {
      const { id, unique_id, operation } = intent
      if (isTaken(intent) || operation === completeOrder.name) return [unique_id]
      const isRefused = ({ outcome, status_code: code }: AttemptRow) => outcome === 'unknown' && code !== null
      return (await this.attempts(id)).some(isRefused) ? [unique_id] : []
    })
    return new Set([...this.puzzled, ...(await Promise.all(waiting)).flat()])
  }

  /** Every intent of every machine. */
  async intents(): Promise<IntentRow[]> {
    const all: IntentRow[] = []
    for (const ground of this.#grounds) all.push(...(await ground.intents()))
    return all
  }

  async close(): Promise<void> {
    await this.lagging.close()
    await this.sandbox.close()
    for (const ground of this.#grounds) await ground.close()
  }
}

export function operationOf(request: HttpRequest): Operation | undefined {
  return operations.find(({ method, path }) => method === request.method && path === request.path)
}

/** The id of a payout on its way; what is sealed shows none. */
export function uniqueIdOf(request: HttpRequest): string | null {
  if (operationOf(request)?.name !== createPayout.name) return null
  return (JSON.parse(request.body ?? '{}') as { uniqueId: string }).uniqueId
}
