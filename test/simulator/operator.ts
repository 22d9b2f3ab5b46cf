/** One simulated process: a command that a person, or a cron job, runs on a machine. */

import { Redactor } from '../../src/lib/cli/output/output.ts'
import { TokenSource } from '../../src/lib/client/token.ts'
import type { Desk } from '../../src/lib/desk/desk.ts'
import type { Transport } from '../../src/lib/http/client.ts'
import { releaseOverdue } from '../../src/lib/journal/lease.ts'
import { Outbox } from '../../src/lib/journal/outbox.ts'
import type { Profile } from '../../src/lib/profile/profile.ts'
import { Finger } from './interrupt.ts'
import type { Machine } from './machine.ts'
import { Mortal } from './mortal.ts'
import { OwnJournal } from './overtaken.ts'
import { carryOut } from './told.ts'
import type { Ended, Errand, ErrandProcess } from './trade.ts'
import { operationOf, uniqueIdOf, type World } from './world.ts'

const settings = { timeout: 120_000, connectTimeout: 5_000, answerTimeout: 30_000 }

const noTokenFile = {
  read: async () => null,
  write: async () => undefined,
  forget: async () => undefined,
}

/**
 * The network of a machine, watched: a second living process must not send an id that is still on its way, and a
 * process that was stopped until its time was over must not send at all.
 */
function watched(world: World, machine: Machine, mortal: Mortal, finger: Finger): Transport {
  return async (baseUrl, request, limits) => {
    finger.watch()
    // Asked at the first byte, however long it took to connect.
    const why = limits.objection?.() ?? null
    if (why !== null) return { kind: 'unsent', why }
    const carried = () => machine.network(baseUrl, request, limits)
    if (operationOf(request)?.effect !== 'write') return carried()
    // An attempt is written down right before it is made.
    if (world.timeline.now() - mortal.wrote > settings.timeout)
      world.blame(`${mortal.name} sent after its time was over`)
    await machine.departing(request, mortal.name)
    const id = uniqueIdOf(request)
    if (id === null) return carried()
    const { flying } = machine.ground.traffic
    const other = flying.get(id)
    // In a team the hold of one that is stopped ends by time.
    if (other && !other.dead && !other.isStopped) world.blame(`${id} was sent while it was in flight`)
    flying.set(id, mortal)
    const delivery = await carried()
    if (flying.get(id) === mortal) flying.delete(id)
    return delivery
  }
}

function deskOf(
  world: World,
  profile: Profile,
  machine: Machine,
  mortal: Mortal,
  finger: Finger,
): { readonly desk: Desk } & Omit<ErrandProcess, 'mortal'> {
  const { dice } = world
  const clock = mortal.clock(machine.clock)
  const random = dice.random()
  const redactor = new Redactor()
  const { store, clock: storeClock, team } = machine.ground.open(mortal, clock)
  const leaseHolder = {
    self: mortal.name,
    standing: (holder: string) => machine.standing(holder),
    ...(team && { knownFor: team.knownFor }),
  }
  const outbox = team ? new Outbox(team.outbox, { store, clock: storeClock, leaseHolder }) : undefined
  const line = {
    profile,
    transport: mortal.transport(watched(world, machine, mortal, finger)),
    clock,
    random,
    settings,
    signal: finger.signal,
    naming: () => null,
    tell: {
      trace: (text: () => string) => world.shown.push(redactor.clean(text())),
      say: (text: string) => world.shown.push(redactor.clean(text)),
      rest: () => () => undefined,
      hide: (secret: string) => {
        redactor.hide(secret)
        world.secrets.add(secret)
      },
      redact: <Value>(value: Value) => redactor.withoutSecrets(value),
    },
  }
  const journal = new OwnJournal(store, storeClock, random, leaseHolder, outbox)
  const flushOutbox = async () => (await outbox?.flush()) ?? 0
  return {
    desk: { ...line, journal, tokens: new TokenSource(line, noTokenFile) },
    leaseHolder,
    store,
    storeClock,
    team,
    flushOutbox,
    ended: journal.ended,
    leave: () => releaseOverdue({ store, clock: storeClock, leaseHolder }),
  }
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
  const mortal = new Mortal(world, machine, name, risk, () => {
    machine.alive.delete(name)
    machine.ground.gone(name)
    world.note(`${name} dies`)
    died()
  })
  const finger = new Finger(world, name)
  const { desk, ...process } = deskOf(world, world.spelt(profile), machine, mortal, finger)
  const started = timeline.now()
  world.note(`${name} ${errand.name}`)
  const ended = await Promise.race([death, carryOut(desk, errand, { ...process, mortal })])
  machine.alive.delete(name)
  world.mustBeBlameless()
  if (ended) {
    world.note(`${name} ends ${ended.exit} ${ended.told}`)
    const oneTry = settings.timeout + settings.answerTimeout + settings.connectTimeout
    // One that was stopped may ask once more for what was in the air.
    const budget = (errand.commands ?? 1) * (mortal.slept > 0 ? 3 : 2) * oneTry
    const took = timeline.now() - started - mortal.slept
    if (took > budget) throw new Error(`${name} took ${took} ms`)
  }
  return ended && { ...ended, wroteAt: mortal.wrote }
}
