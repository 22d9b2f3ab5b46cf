/**
 * A seed's whole story: processes that create, repeat, resume and look, some at the same time, some killed, over a lossy
 * network; then calm weather, `resume`, and the books must agree (design/money-safety, "How it is proved").
 */
import { fromMinorUnits } from '../../src/lib/contract/decimal.ts'
import { attemptsOf, listIntents } from '../../src/lib/store/journal.ts'
import type { IntentRow } from '../../src/lib/store/journal-schema.ts'
import { type Ended, type Errand, newPlan, type Plan, runErrand } from './operator.ts'
import { type Machine, World } from './world.ts'

/** Exit codes that say "no": nothing moved by this payment. */
const denials = new Set([2, 3, 4, 5, 11])

export interface Story {
  readonly seed: number
  readonly trace: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

export async function simulate(seed: number): Promise<Story> {
  const world = await World.of(seed)
  try {
    const counts: Record<string, number> = {}
    const failed: unknown[] = []
    let ended = false
    const story = live(world, counts)
      .then(() => {
        ended = true
      })
      .catch((error: unknown) => failed.push(error))
    await world.timeline.run()
    await Promise.race([story, Promise.resolve()])
    if (failed.length > 0) throw failed[0]
    if (!ended) throw new Error('a command never ended')
    await checkBooks(world, true)
    await checkSecrets(world)
    return { seed, trace: world.trace, counts }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`seed ${seed}: ${why}\n${world.trace.slice(-40).join('\n')}`, { cause: error })
  } finally {
    await world.close()
  }
}

async function live(world: World, counts: Record<string, number>): Promise<void> {
  const { dice } = world
  const plans: Plan[] = []
  const risk = dice.pick([0, 0.01, 0.05])
  for (let round = 0; round < 3 + dice.below(4); round += 1) {
    const crowd = 1 + dice.below(3)
    const names = Array.from({ length: crowd }, (_, index) => `p${round}.${index}`)
    await Promise.all(
      names.map(async (name) => {
        await world.timeline.sleep(dice.below(500))
        const machine = dice.pick(world.machines as [Machine, ...Machine[]])
        // Checked the moment it is told: what another process does a second later makes no lie of it.
        const errand = nextErrand(world, plans)
        await check(world, await runErrand(world, machine, errand, `${machine.name}/${name}`, risk), counts)
      }),
    )
    await checkBooks(world, false)
  }
  await settleInCalmWeather(world, counts)
}

function nextErrand(world: World, plans: Plan[]): Errand {
  const { dice } = world
  const kind = dice.pick([
    'create',
    'create',
    'create',
    'again',
    'again',
    'other',
    'resume',
    'look',
    'reconcile',
  ] as const)
  const [first, ...rest] = plans
  const old = first ? dice.pick([first, ...rest]) : null
  if (kind === 'again' && old) return { kind: 'create', plan: old }
  if (kind === 'other' && old) return { kind: 'create', plan: { ...old, request: { ...old.request, amount: '13.00' } } }
  if (kind === 'resume' || kind === 'look' || kind === 'reconcile') return { kind }
  const plan = newPlan(world)
  plans.push(plan)
  return { kind: 'create', plan }
}

async function settleInCalmWeather(world: World, counts: Record<string, number>): Promise<void> {
  await world.timeline.sleep(200_000)
  world.weather = { trouble: 0 }
  for (const machine of world.machines) {
    await check(world, await runErrand(world, machine, { kind: 'resume' }, `${machine.name}/calm`, 0), counts)
  }
}

/** What one command told must be true, and hold no secret. */
async function check(world: World, ended: Ended | null, counts: Record<string, number>): Promise<void> {
  counts[ended?.exit ?? 'killed'] = (counts[ended?.exit ?? 'killed'] ?? 0) + 1
  if (!ended) return
  world.shown.push(ended.told)
  if (ended.exit === 1) throw new Error(`a defect: ${ended.told}`)
  if (ended.uniqueId === null || !denials.has(ended.exit)) return
  const executed = (await world.sandbox.ledger()).payouts.some(({ uniqueId }) => uniqueId === ended.uniqueId)
  const mine = world.machines.length === 1
  if (executed && mine) throw new Error(`told as failed (${ended.exit}), but it ran: ${ended.told}`)
}

/** accepted ≤ ledger ≤ accepted + unknown; never two executions under one id. */
async function checkBooks(world: World, atTheEnd: boolean): Promise<void> {
  const { payouts } = await world.sandbox.ledger()
  for (const { uniqueId, executions } of payouts) {
    if (executions > 1) throw new Error(`${uniqueId} was executed ${executions} times`)
  }
  const inLedger = new Set(payouts.map(({ uniqueId }) => uniqueId))
  if (inLedger.size !== payouts.length) throw new Error('one uniqueId stands twice in the ledger')
  const intents: IntentRow[] = []
  for (const machine of world.machines) intents.push(...(await machine.store.read((db) => listIntents(db, {}))))
  const ids = (states: readonly string[]) =>
    new Set(intents.filter(({ state }) => states.includes(state)).map(({ unique_id }) => unique_id))
  const accepted = ids(['accepted', 'exists'])
  const open = ids(['unknown'])
  for (const id of accepted) if (!inLedger.has(id)) throw new Error(`${id} is called accepted, but it did not run`)
  for (const id of inLedger) {
    if (!accepted.has(id) && !open.has(id)) throw new Error(`${id} ran, but no journal calls it accepted or unknown`)
  }
  await checkProofs(world, atTheEnd)
  if (atTheEnd && open.size === 0 && accepted.size !== inLedger.size) throw new Error('the books differ at the end')
}

/** No secret in what was shown, and none in the journals. */
async function checkSecrets(world: World): Promise<void> {
  for (const { store } of world.machines) {
    for (const intent of await store.read((db) => listIntents(db, {}))) {
      const attempts = await store.read((db) => attemptsOf(db, intent.id))
      world.shown.push(JSON.stringify([intent, attempts]))
    }
  }
  const everything = world.shown.join('\n')
  for (const secret of world.secrets) if (everything.includes(secret)) throw new Error('a secret was shown')
}

const reaching = new Set([null, 'unknown', 'turned-away', 'accepted'])

/** What the journals call a payout must follow from their attempts, and be the payout that ran. */
async function checkProofs(world: World, atTheEnd: boolean): Promise<void> {
  const { payouts } = await world.sandbox.ledger()
  for (const { store } of world.machines) {
    for (const intent of await store.read((db) => listIntents(db, {}))) {
      const { id, unique_id, state, amount_minor, currency } = intent
      const attempts = await store.read((db) => attemptsOf(db, id))
      const last = attempts.at(-1)
      const reached = attempts.slice(0, -1).some(({ outcome }) => reaching.has(outcome))
      if (state === 'exists' && intent.because === null && !reached) throw new Error(`${id} exists, but was never sent`)
      if (atTheEnd && state === 'unknown' && last?.status_code === 5017) throw new Error(`${id} exists, and is unknown`)
      const ran = payouts.find(({ uniqueId }) => uniqueId === unique_id)
      const same = ran?.amount.text === fromMinorUnits(BigInt(amount_minor)) && ran.currency === currency
      const alone = world.machines.length === 1
      if (ran && alone && (state === 'accepted' || state === 'exists') && !same) throw new Error(`${id} ran as another`)
    }
  }
}
