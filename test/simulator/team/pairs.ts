/**
 * Stories about two people with one store: Anna asks, Nino approves, and both pay, on machines that lose connections
 * and commits.
 */

import { FourEyes } from '../../../src/lib/approvals/approvals.ts'
import { ruleDecision } from '../../../src/lib/approvals/ruling.ts'
import { fromMinorUnits, minorUnits } from '../../../src/lib/contract/core/decimal.ts'
import { createPayout } from '../../../src/lib/contract/payout/payout.ts'
import type { Desk } from '../../../src/lib/desk/desk.ts'
import { idOfKey } from '../../../src/lib/desk/new-intent.ts'
import { receiptOf } from '../../../src/lib/desk/receipts.ts'
import { resubmit, submit } from '../../../src/lib/desk/submit.ts'
import { notHeldFailure } from '../../../src/lib/journal/hold.ts'
import { intentOf } from '../../../src/lib/journal/intent.ts'
import type { Profile } from '../../../src/lib/profile/profile.ts'
import type { IntentRow } from '../../../src/lib/store/journal/schema.ts'
import type { Machine } from '../machine.ts'
import { runErrand } from '../operator.ts'
import { Payouts } from '../payouts.ts'
import type { Ended, Errand, ErrandProcess, Trade } from '../trade.ts'
import type { World } from '../world.ts'
import { people } from './persons.ts'

/** Minor units: from this sum of GEL on another person has to approve, and no more than these are paid in a day. */
const from = 100_00n
const most = { GEL: 400_00n, USD: 90_00n } as const

/** Loads before a story begins what is loaded when a rule is asked: in a story no real time passes. */
export const ready = ruleDecision

/** A profile with the limit of these stories. */
export function limited(profile: Profile): Profile {
  return { ...profile, limits: currencies.map((currency) => ({ currency, most: most[currency], per: 'day' })) }
}

const currencies = ['GEL', 'USD'] as const

interface Wish {
  readonly key: string
  readonly currency: (typeof currencies)[number]
  readonly amount: string
}

const hour = 3_600_000

export class Pairs implements Trade {
  readonly part = 'payouts'
  readonly #world: World
  readonly #profile: Profile
  readonly #singles: Payouts
  readonly #wishes: Wish[] = []
  /** The ids and sums that Nino has begun to say yes to: his word stands, whether he has heard of it or not. */
  readonly #agreed = new Set<string>()

  constructor(world: World, profile: Profile) {
    this.#world = world
    this.#profile = profile
    this.#singles = new Payouts(world)
  }

  async prepare(): Promise<void> {
    const [machine] = this.#world.machines
    if (!machine) throw new Error('there is no machine')
    const { anna, nino } = people
    const act = async (desk: Desk, _about: unknown, process: ErrandProcess) => {
      const { team, approvals } = eyesOf(desk, process)
      await team.add({ name: 'Anna', publicKey: null, role: 'administrator' }, anna)
      await team.add({ name: 'Nino', publicKey: nino.publicKey, role: 'member' }, anna)
      await team.addRule({ currency: 'GEL', from_units: String(from), approvers: 1 }, anna)
      // A story begins with what waits for a word.
      const wish = { key: 'pair:0', currency: 'GEL', amount: '150.00' } as const
      this.#wishes.push(wish)
      await this.#pay(desk, wish).catch(() => null)
      const [held] = await desk.journal.list({ states: ['held'] })
      if (!held) throw new Error('it was not held')
      await approvals.requestPayment(held.journalId, hour, anna)
    }
    const errand = { name: 'set the rule', plan: null, act, commands: 4 }
    const ended = await runErrand(this.#world, this.#profile, machine, errand, `${machine.name}/rule`, 0)
    if (ended?.exit !== 0) throw new Error(`the rule was not set in calm weather: ${ended?.told}`)
  }

  next(_machine: Machine): Errand {
    const { dice } = this.#world
    const kind = dice.pick(['new', 'new', 'new', 'again', 'other', 'other', 'ask', 'own', 'yes', 'yes', 'held', 'held'])
    const [first, ...rest] = this.#wishes
    if (kind === 'ask') return { name: 'ask', plan: null, act: (desk, _about, process) => this.#ask(desk, process) }
    if (kind === 'own' || kind === 'yes') return this.#saying(kind)
    if (kind === 'held')
      return { name: 'send what is held', plan: null, act: (desk, about) => this.#sendHeld(desk, about) }
    if (kind === 'again' && first) return this.#paying(dice.pick([first, ...rest]))
    if (kind === 'other' && first) return this.#paying({ ...dice.pick([first, ...rest]), amount: this.#sum() })
    const currency = dice.pick(currencies)
    const wish = { key: `pair:${this.#wishes.length}`, currency, amount: this.#sum() }
    this.#wishes.push(wish)
    return this.#paying(wish)
  }

  #sum(): string {
    return this.#world.dice.pick(['20.00', '35.00', '60.00', '150.00', '150.00', '260.00', '420.00'])
  }

  #paying(wish: Wish): Errand {
    return { name: `pay ${wish.key} ${wish.currency} ${wish.amount}`, plan: null, act: (desk) => this.#pay(desk, wish) }
  }

  async #pay(desk: Desk, { key, currency, amount }: Wish): Promise<unknown> {
    const { receiverType, receiverId } = this.#world.receiver
    const uniqueId = idOfKey(desk.profile, createPayout.name, key)
    const request = { amount, currency, description: 'Salary', receiverType, receiverId, uniqueId } as const
    return receiptOf(await submit(desk, createPayout, request, { idempotencyKey: key }), desk)
  }

  async #ask(desk: Desk, process: ErrandProcess): Promise<unknown> {
    const [first, ...rest] = await desk.journal.list({ states: ['held'] })
    if (!first) return null
    const { approvals } = eyesOf(desk, process)
    return approvals.requestPayment(this.#world.dice.pick([first, ...rest]).journalId, hour, people.anna)
  }

  /** `own`: Anna tries it with what she has asked for herself. */
  #saying(kind: 'own' | 'yes'): Errand {
    const act = async (desk: Desk, _about: unknown, process: ErrandProcess) => {
      const { approvals } = eyesOf(desk, process)
      const [first, ...rest] = (await approvals.list()).filter(({ approval }) => approval.state === 'open')
      if (!first) return null
      const shown = this.#world.dice.pick([first, ...rest])
      if (kind === 'yes' && shown.row) this.#agreed.add(nameOf(shown.row.unique_id, BigInt(shown.row.amount_minor)))
      await approvals.decide(shown, 'approve', '', kind === 'own' ? people.anna : people.nino)
      return kind
    }
    return { name: kind === 'own' ? 'approve what one asked for' : 'approve', plan: `say ${kind}`, act, commands: 2 }
  }

  async #sendHeld(desk: Desk, about: (journalId: string) => void): Promise<unknown> {
    const [first, ...rest] = await desk.journal.list({ states: ['held'] })
    if (!first) return null
    const intent = this.#world.dice.pick([first, ...rest])
    about(intent.journalId)
    return receiptOf(await resubmit(desk, createPayout, intent), desk)
  }

  async check(ended: Ended): Promise<void> {
    if (ended.plan?.startsWith('say ')) {
      if (ended.told === '"own"') throw new Error('one has approved what one asked for')
      return
    }
    const told = JSON.parse(ended.told) as { readonly uniqueId?: string } | null
    await this.#singles.check(typeof told === 'string' ? { ...ended, told: 'null' } : ended)
  }

  ran(intent: IntentRow): Promise<boolean> {
    return this.#singles.ran(intent)
  }

  async checkBooks(atTheEnd: boolean): Promise<void> {
    await this.#singles.checkBooks(atTheEnd)
    const { payouts } = await this.#world.sandbox.ledger()
    const all = payouts.map(({ uniqueId, amount, currency }) => ({
      ...{ name: nameOf(uniqueId, unitsOf(amount.text)), currency, units: unitsOf(amount.text) },
    }))
    const sum = (units: readonly bigint[]) => units.reduce((one, other) => one + other, 0n)
    const alone = all.filter(({ name, currency }) => currency === 'GEL' && !this.#agreed.has(name))
    const large = alone.find(({ units }) => units >= from)
    if (large) throw new Error(`${large.name} was paid without another person`)
    // Over a day they are counted anew.
    if (this.#world.isLong) return
    const small = sum(alone.map(({ units }) => units))
    if (small >= from) throw new Error(`small ones of ${fromMinorUnits(small)} were paid without another person`)
    for (const each of currencies) {
      const paid = sum(all.filter(({ currency }) => currency === each).map(({ units }) => units))
      if (paid > most[each]) throw new Error(`${each} ${fromMinorUnits(paid)} were paid in a day`)
    }
  }
}

/** As the journal gives it, without the time that loading takes. */
function eyesOf({ random }: Desk, { leaseHolder, store, storeClock }: ErrandProcess): FourEyes {
  return new FourEyes(store, storeClock, random, leaseHolder, (row) => notHeldFailure(intentOf(row)))
}

function unitsOf(amount: string): bigint {
  const units = minorUnits(amount)
  if (units === null) throw new Error(`no sum: ${amount}`)
  return units
}

function nameOf(uniqueId: string, units: bigint): string {
  return `${uniqueId} of ${fromMinorUnits(units)}`
}
