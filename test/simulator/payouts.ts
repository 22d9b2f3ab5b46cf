/** Stories about payouts (area A): a repeat under the same id is the way out of every doubt. */
import { fromMinorUnits } from '../../src/lib/contract/decimal.ts'
import { createPayout } from '../../src/lib/contract/payout.ts'
import type { Desk } from '../../src/lib/desk/desk.ts'
import { idOfKey } from '../../src/lib/desk/draft.ts'
import { readPayout, waitForPayout } from '../../src/lib/desk/payout.ts'
import { receiptOf } from '../../src/lib/desk/receipt.ts'
import { reconcile } from '../../src/lib/desk/reconcile.ts'
import { submit } from '../../src/lib/desk/submit.ts'
import type { Profile } from '../../src/lib/profile/profile.ts'
import { attemptsOf, listIntents } from '../../src/lib/store/journal.ts'
import { denials, type Ended, type Errand, type Trade } from './trade.ts'
import type { World } from './world.ts'

/** What a simulated person means to pay. */
interface Plan {
  readonly key: string | null
  readonly request: Readonly<Record<string, unknown>>
}

const reaching = new Set([null, 'unknown', 'turned-away', 'accepted'])

export class Payouts implements Trade {
  readonly part = 'payouts'
  readonly #world: World
  readonly #profile: Profile
  readonly #plans: Plan[] = []

  constructor(world: World, profile: Profile) {
    this.#world = world
    this.#profile = profile
  }

  async prepare(): Promise<void> {
    // Payouts need nothing but the balance that every world begins with.
  }

  next(): Errand {
    const { dice } = this.#world
    const kind = dice.pick(['new', 'new', 'new', 'again', 'again', 'other', 'look', 'reconcile'] as const)
    if (kind === 'look') return { name: 'look', plan: null, act: (desk) => this.#look(desk) }
    if (kind === 'reconcile') return { name: 'reconcile', plan: null, act: (desk) => this.#reconcile(desk) }
    const [first, ...rest] = this.#plans
    const old = first ? dice.pick([first, ...rest]) : null
    if (kind === 'again' && old) return this.#create(old)
    if (kind === 'other' && old) return this.#create({ ...old, request: { ...old.request, amount: '13.00' } })
    const plan = this.#newPlan()
    this.#plans.push(plan)
    return this.#create(plan)
  }

  #newPlan(): Plan {
    const { dice, receiver } = this.#world
    const key = dice.chance(0.6) ? `payroll:${dice.below(4)}` : null
    const uniqueId = key === null ? dice.random().uuid() : idOfKey(this.#profile, createPayout.name, key)
    const known = dice.chance(0.9)
    return {
      key,
      request: {
        amount: dice.pick(['12.50', '0.02', '99.99', '400000.00', '7000000.00']),
        currency: dice.pick(['GEL', 'GEL', 'USD', 'EUR']),
        description: dice.pick(['Salary', 'Salary', 'sandbox:failed', 'sandbox:insufficient-balance']),
        receiverType: receiver.receiverType,
        receiverId: known ? receiver.receiverId : dice.random().uuid(),
        uniqueId,
      },
    }
  }

  #create({ key, request }: Plan): Errand {
    const act = async (desk: Desk) => receiptOf(await submit(desk, createPayout, request, { businessKey: key }))
    return { name: 'create', plan: String(request.uniqueId), act }
  }

  async #look(desk: Desk): Promise<unknown> {
    const [intent] = await desk.journal.list({ states: ['accepted'], limit: 1 })
    if (!intent) return null
    return this.#world.dice.chance(0.5) ? readPayout(desk, intent.journalId) : waitForPayout(desk, intent.journalId)
  }

  async #reconcile(desk: Desk): Promise<unknown> {
    const [intent] = await desk.journal.list({ states: ['exists', 'unknown'], limit: 1 })
    const { payouts } = await this.#world.sandbox.ledger()
    const found = payouts.find(({ uniqueId }) => uniqueId === intent?.uniqueId) ?? payouts[0]
    return intent && found ? reconcile(desk, intent.uniqueId, found.transactionId) : null
  }

  async check({ exit, plan, told }: Ended): Promise<void> {
    if (plan === null || !denials.has(exit) || !this.#world.alone) return
    const executed = (await this.#world.sandbox.ledger()).payouts.some(({ uniqueId }) => uniqueId === plan)
    if (executed) throw new Error(`told as failed (${exit}), but it ran: ${told}`)
  }

  async checkBooks(atTheEnd: boolean): Promise<void> {
    const { payouts } = await this.#world.sandbox.ledger()
    for (const { uniqueId, executions } of payouts) {
      if (executions > 1) throw new Error(`${uniqueId} was executed ${executions} times`)
    }
    const inLedger = new Set(payouts.map(({ uniqueId }) => uniqueId))
    if (inLedger.size !== payouts.length) throw new Error('one uniqueId stands twice in the ledger')
    const intents = await this.#world.intents()
    const ids = (states: readonly string[]) =>
      new Set(intents.filter(({ state }) => states.includes(state)).map(({ unique_id }) => unique_id))
    const accepted = ids(['accepted', 'exists'])
    const open = ids(['unknown'])
    for (const id of accepted) if (!inLedger.has(id)) throw new Error(`${id} is called accepted, but it did not run`)
    for (const id of inLedger) {
      if (!accepted.has(id) && !open.has(id)) throw new Error(`${id} ran, but no journal calls it accepted or unknown`)
    }
    await this.#checkProofs(atTheEnd)
    if (atTheEnd && open.size === 0 && accepted.size !== inLedger.size) throw new Error('the books differ at the end')
  }

  /** What the journals call a payout must follow from their attempts, and be the payout that ran. */
  async #checkProofs(atTheEnd: boolean): Promise<void> {
    const { payouts } = await this.#world.sandbox.ledger()
    for (const { store } of this.#world.machines) {
      for (const intent of await store.read((db) => listIntents(db, {}))) {
        const { id, unique_id, state, amount_minor, currency } = intent
        const attempts = await store.read((db) => attemptsOf(db, id))
        const last = attempts.at(-1)
        const reached = attempts.slice(0, -1).some(({ outcome }) => reaching.has(outcome))
        if (state === 'exists' && intent.because === null && !reached) {
          throw new Error(`${id} exists, but was never sent`)
        }
        if (atTheEnd && state === 'unknown' && last?.status_code === 5017) {
          throw new Error(`${id} exists, and is unknown`)
        }
        const ran = payouts.find(({ uniqueId }) => uniqueId === unique_id)
        const same = ran?.amount.text === fromMinorUnits(BigInt(amount_minor)) && ran.currency === currency
        const executed = state === 'accepted' || state === 'exists'
        if (ran && this.#world.alone && executed && !same) throw new Error(`${id} ran as another`)
      }
    }
  }
}
