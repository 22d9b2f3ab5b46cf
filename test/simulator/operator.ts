/** One simulated process: a command that somebody, or a cron job, runs on a machine. */
import { createPayout } from '../../src/lib/contract/payout.ts'
import type { Desk } from '../../src/lib/desk/desk.ts'
import { idOfKey } from '../../src/lib/desk/draft.ts'
import { readPayout, waitForPayout } from '../../src/lib/desk/payout.ts'
import { reconcile } from '../../src/lib/desk/reconcile.ts'
import { resumeEach } from '../../src/lib/desk/resume.ts'
import { submit } from '../../src/lib/desk/submit.ts'
import { TokenSource } from '../../src/lib/desk/token.ts'
import { Failure } from '../../src/lib/failure.ts'
import type { Transport } from '../../src/lib/http/transport.ts'
import { Journal } from '../../src/lib/journal/journal.ts'
import { Redactor } from '../../src/lib/terminal/redact.ts'
import { Mortal } from './mortal.ts'
import { type Machine, uniqueIdOf, type World } from './world.ts'

/** What a simulated person means to pay. */
export interface Plan {
  readonly key: string | null
  readonly request: Readonly<Record<string, unknown>>
}

export const settings = { timeout: 120_000, connectTimeout: 5_000, answerTimeout: 30_000 }

const noTokenFile = {
  read: async () => null,
  write: async () => undefined,
  forget: async () => undefined,
}

export function newPlan(world: World): Plan {
  const { dice } = world
  const key = dice.chance(0.6) ? `payroll:${dice.below(4)}` : null
  const uniqueId = key === null ? dice.random().uuid() : idOfKey(world.profile, createPayout.name, key)
  const known = dice.chance(0.9)
  return {
    key,
    request: {
      amount: dice.pick(['12.50', '0.02', '99.99', '400000.00', '7000000.00']),
      currency: dice.pick(['GEL', 'GEL', 'USD', 'EUR']),
      description: dice.pick(['Salary', 'Salary', 'sandbox:failed', 'sandbox:insufficient-balance']),
      receiverType: world.receiver.receiverType,
      receiverId: known ? world.receiver.receiverId : dice.random().uuid(),
      uniqueId,
    },
  }
}

/** The network of a machine, watched: a second living process must not send an id that is still on its way. */
function oneAtATime(machine: Machine, mortal: Mortal): Transport {
  return async (baseUrl, request, limits) => {
    const id = uniqueIdOf(request)
    if (id === null) return machine.network(baseUrl, request, limits)
    const other = machine.flying.get(id)
    if (other && !other.dead) throw new Error(`${id} was sent while it was in flight`)
    machine.flying.set(id, mortal)
    const delivery = await machine.network(baseUrl, request, limits)
    if (machine.flying.get(id) === mortal) machine.flying.delete(id)
    return delivery
  }
}

function deskOf(world: World, machine: Machine, self: string, mortal: Mortal): Desk {
  const { profile, timeline, dice } = world
  const random = dice.random()
  const redactor = new Redactor()
  const holding = { self, alive: (holder: string) => machine.alive.has(holder) }
  const line = {
    profile,
    transport: mortal.transport(oneAtATime(machine, mortal)),
    clock: timeline,
    random,
    settings,
    signal: new AbortController().signal,
    tell: {
      trace: (text: string) => world.shown.push(redactor.clean(text)),
      say: (text: string) => world.shown.push(redactor.clean(text)),
      hide: (secret: string) => {
        redactor.hide(secret)
        world.secrets.add(secret)
      },
    },
  }
  const journal = new Journal(mortal.store(machine.store), timeline, random, holding)
  return { ...line, journal, tokens: new TokenSource(line, noTokenFile) }
}

export interface Ended {
  readonly exit: number
  readonly told: string
  readonly uniqueId: string | null
}

export type Errand =
  | { readonly kind: 'create'; readonly plan: Plan }
  | { readonly kind: 'resume' }
  | { readonly kind: 'look' }
  | { readonly kind: 'reconcile' }

/** Runs one errand to its end, or to the death of its process (null). */
export async function runErrand(
  world: World,
  machine: Machine,
  errand: Errand,
  name: string,
  risk: number,
): Promise<Ended | null> {
  const { timeline } = world
  machine.alive.add(name)
  let died: () => void = () => undefined
  const death = new Promise<null>((resolve) => {
    died = () => resolve(null)
  })
  const mortal = new Mortal(world.dice, timeline, risk, () => {
    machine.alive.delete(name)
    world.note(`${name} dies`)
    died()
  })
  const desk = deskOf(world, machine, name, mortal)
  const started = timeline.now()
  world.note(`${name} ${errand.kind}`)
  const ended = await Promise.race([death, carryOut(world, desk, errand)])
  machine.alive.delete(name)
  if (ended) {
    world.note(`${name} ends ${ended.exit} ${ended.told}`)
    const errands = errand.kind === 'resume' ? 20 : 2
    const budget = errands * (settings.timeout + settings.answerTimeout + settings.connectTimeout)
    if (timeline.now() - started > budget) throw new Error(`${name} took ${timeline.now() - started} ms`)
  }
  return ended
}

async function carryOut(world: World, desk: Desk, errand: Errand): Promise<Ended> {
  const uniqueId = errand.kind === 'create' ? String(errand.plan.request.uniqueId) : null
  try {
    return { exit: 0, told: JSON.stringify(await act(world, desk, errand)), uniqueId }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { exit: error.exit, told: JSON.stringify(error.toLine()), uniqueId }
  }
}

async function act(world: World, desk: Desk, errand: Errand): Promise<unknown> {
  switch (errand.kind) {
    case 'create':
      return submit(desk, createPayout, errand.plan.request, { businessKey: errand.plan.key })
    case 'resume':
      return resumeEach(desk, await desk.journal.list({ states: ['unknown'] }))
    case 'look': {
      const [intent] = await desk.journal.list({ states: ['accepted'], limit: 1 })
      if (!intent) return null
      return world.dice.chance(0.5) ? readPayout(desk, intent.journalId) : waitForPayout(desk, intent.journalId)
    }
    case 'reconcile': {
      const [intent] = await desk.journal.list({ states: ['exists', 'unknown'], limit: 1 })
      const { payouts } = await world.sandbox.ledger()
      const found = payouts.find(({ uniqueId }) => uniqueId === intent?.uniqueId) ?? payouts[0]
      return intent && found ? reconcile(desk, intent.uniqueId, found.transactionId) : null
    }
  }
}
