/** One simulated process: a command that somebody, or a cron job, runs on a machine. */
import type { Desk } from '../../src/lib/desk/desk.ts'
import { TokenSource } from '../../src/lib/desk/token.ts'
import { Failure } from '../../src/lib/failure.ts'
import type { Transport } from '../../src/lib/http/transport.ts'
import { Journal } from '../../src/lib/journal/journal.ts'
import type { Profile } from '../../src/lib/profile/profile.ts'
import { Redactor } from '../../src/lib/terminal/redact.ts'
import { Mortal } from './mortal.ts'
import type { Ended, Errand } from './trade.ts'
import { type Machine, uniqueIdOf, type World } from './world.ts'

const settings = { timeout: 120_000, connectTimeout: 5_000, answerTimeout: 30_000 }

const noTokenFile = {
  read: async () => null,
  write: async () => undefined,
  forget: async () => undefined,
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

function deskOf(world: World, profile: Profile, machine: Machine, self: string, mortal: Mortal): Desk {
  const { timeline, dice } = world
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

/** Runs one errand to its end, or to the death of its process (null). */
export async function runErrand(
  world: World,
  profile: Profile,
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
  const desk = deskOf(world, profile, machine, name, mortal)
  const started = timeline.now()
  world.note(`${name} ${errand.name}`)
  const ended = await Promise.race([death, carryOut(desk, errand)])
  machine.alive.delete(name)
  if (ended) {
    world.note(`${name} ends ${ended.exit} ${ended.told}`)
    const budget = (errand.commands ?? 1) * 2 * (settings.timeout + settings.answerTimeout + settings.connectTimeout)
    if (timeline.now() - started > budget) throw new Error(`${name} took ${timeline.now() - started} ms`)
  }
  return ended
}

async function carryOut(desk: Desk, { plan, act }: Errand): Promise<Ended> {
  try {
    return { exit: 0, told: JSON.stringify(await act(desk)), plan }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { exit: error.exit, told: JSON.stringify(error.toLine()), plan }
  }
}
