/**
 * A seed's whole story: processes that create, repeat, resume and look, some at the same time, some killed, over a
 * lossy network; then calm weather, `resume`, and the books must agree (money-safety.md#how-it-is-proved).
 */
import type { Profile } from '../../src/lib/profile/profile.ts'
import { Batches } from './batches.ts'
import { crowdOf, resuming, setClocks } from './crowd.ts'
import { Dice } from './dice.ts'
import { calm } from './network.ts'
import { runErrand } from './operator.ts'
import { Orders } from './orders.ts'
import { wasOvertaken } from './overtaken.ts'
import { Payouts } from './payouts.ts'
import { type Play, plays } from './plays.ts'
import { Fleets } from './team/fleets.ts'
import { limited, Pairs, ready } from './team/pairs.ts'
import { type Ended, isDenied, type Trade, wasStopped } from './trade.ts'
import { Wallet } from './wallet.ts'
import { World } from './world.ts'

const hour = 3_600_000

export interface Story {
  readonly seed: number
  readonly trade: string
  readonly plays: readonly Play[]
  readonly trace: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

const trades = {
  payouts: Payouts,
  batches: Batches,
  fleets: Fleets,
  pairs: Pairs,
  orders: Orders,
  wallet: Wallet,
} as const

/** The part of the profile that a trade needs. */
const partOf = {
  payouts: 'payouts',
  batches: 'payouts',
  fleets: 'payouts',
  pairs: 'payouts',
  orders: 'orders',
  wallet: 'wallet',
} as const

/** Of stories about payouts a part is about files of them; every other story is what it was without. */
function tradeOf(world: World, seed: number): keyof typeof trades {
  const part = world.dice.pick(['payouts', 'orders', 'orders', 'wallet'] as const)
  // Most stories of teams are about files; the others are about two people, or about refunds.
  if (world.isPlayed('team'))
    return new Dice(seed ^ 0x3c6ef372).pick(['fleets', 'fleets', 'fleets', 'pairs', 'pairs', 'orders'])
  return part === 'payouts' && new Dice(seed ^ 0x51ed270b).chance(0.5) ? 'batches' : part
}

export async function simulate(seed: number, allowed: readonly Play[] = plays): Promise<Story> {
  const world = await World.of(seed, allowed)
  const part = tradeOf(world, seed)
  if (part === 'pairs') await ready()
  try {
    const counts: Record<string, number> = {}
    const failed: unknown[] = []
    let trade: Trade | null = null
    const story = world
      .profile(partOf[part])
      .then(async (given) => {
        const profile = part === 'pairs' ? limited(given) : given
        const chosen = new trades[part](world, profile)
        await live(world, chosen, profile, counts)
        trade = chosen
      })
      .catch((error: unknown) => failed.push(error))
    await world.timeline.run()
    await Promise.race([story, Promise.resolve()])
    world.mustBeBlameless()
    if (failed.length > 0) throw failed[0]
    if (!trade) throw new Error('a command never ended')
    await (trade as Trade).checkBooks(true)
    await checkSecrets(world)
    return { seed, trade: part, plays: world.plays, trace: world.trace, counts }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`seed ${seed} (${part}): ${why}\n${world.trace.slice(-40).join('\n')}`, { cause: error })
  } finally {
    await world.close()
  }
}

async function live(world: World, trade: Trade, profile: Profile, counts: Record<string, number>): Promise<void> {
  const { dice, weather } = world
  world.weather = calm
  await trade.prepare()
  world.weather = weather
  const chosen = dice.pick([0, 0.01, 0.05])
  // Who dies has not noted what it was shown.
  const risk = world.isPlayed('lagging-copy') ? 0 : chosen
  for (let round = 0; round < 3 + dice.below(4); round += 1) {
    const crowd = crowdOf(world, trade, round)
    const setting = setClocks(world)
    await Promise.all(
      crowd.map(async ({ name, delay, choose }) => {
        await world.timeline.sleep(delay)
        const { machine, errand } = choose()
        // Checked the moment it is told: what another process does a second later makes no lie of it.
        const ended = await runErrand(world, profile, machine, errand, `${machine.name}/${name}`, risk)
        await check(world, trade, ended, counts)
      }),
    )
    await setting
    await trade.checkBooks(false)
  }
  await resolveInCalmWeather(world, trade, profile, counts)
}

/**
 * Once when nothing is on its way any more, once when what left no trace counts as not executed, and once more: what
 * waited for another write about its thing is resolved behind that.
 */
async function resolveInCalmWeather(
  world: World,
  trade: Trade,
  profile: Profile,
  counts: Record<string, number>,
): Promise<void> {
  world.weather = calm
  if (world.isPlayed('clock-step')) for (const machine of world.machines) machine.setClock(0)
  // A record made ahead of its time is a day old only one day later still.
  const day = world.isPlayed('clock-step') ? [25 * hour] : []
  for (const wait of [200_000, 16 * 60_000, ...day, 1000]) {
    await world.timeline.sleep(wait)
    for (const machine of world.machines) {
      for (const errand of [resuming, ...(trade.ending?.(machine) ?? [])]) {
        const ended = await runErrand(world, profile, machine, errand, `${machine.name}/calm`, 0)
        await check(world, trade, ended, counts)
      }
    }
  }
}

/** The output of one command must be true, and hold no secret. */
async function check(world: World, trade: Trade, ended: Ended | null, counts: Record<string, number>): Promise<void> {
  counts[ended?.exit ?? 'killed'] = (counts[ended?.exit ?? 'killed'] ?? 0) + 1
  if (!ended) return
  world.shown.push(ended.told)
  if (ended.exit === 1) throw new Error(`a defect: ${ended.told}`)
  if (isDenied(ended) && (await wasOvertaken(world, ended))) return
  await trade.check(ended)
  if (ended.moneyMoved !== 'no' || !(wasStopped(ended) || ended.exit === 9 || ended.exit === 11)) return
  const known = await world.intents()
  for (const intent of known.filter(({ id }) => ended.about.includes(id))) {
    // Of what another machine did this one knows nothing.
    if (!world.alone && intent.state !== 'accepted') continue
    if (await trade.ran(intent)) throw new Error(`told that nothing moved (${ended.exit}), but it ran: ${ended.told}`)
  }
}

/** No secret in what was shown, and none in the journals. */
async function checkSecrets(world: World): Promise<void> {
  for (const intent of await world.intents()) {
    world.shown.push(JSON.stringify([intent, await world.attempts(intent.id)]))
  }
  const everything = world.shown.join('\n')
  for (const secret of world.secrets) if (everything.includes(secret)) throw new Error('a secret was shown')
}
