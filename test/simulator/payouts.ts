/** Stories about payouts (area A): a repeat under the same id is the way out of every doubt. */
import { fromMinorUnits } from '../../src/lib/contract/core/decimal.ts'
import { createPayout, type PayoutRequest } from '../../src/lib/contract/payout/payout.ts'
import { payoutEnd } from '../../src/lib/contract/payout/status.ts'
import type { Desk } from '../../src/lib/desk/desk.ts'
import { idOfKey } from '../../src/lib/desk/new-intent.ts'
import { readPayout, waitForPayout } from '../../src/lib/desk/payouts.ts'
import { receiptOf } from '../../src/lib/desk/receipts.ts'
import { reconcile } from '../../src/lib/desk/reconcile.ts'
import { submit } from '../../src/lib/desk/submit.ts'
import { isTaken } from '../../src/lib/journal/conflict.ts'
import type { AttemptRow, IntentRow } from '../../src/lib/store/journal/schema.ts'
import { type Ended, type Errand, failing, isDenied, type Trade, toldStatus } from './trade.ts'
import type { World } from './world.ts'

/** A payment that a simulated person wants to make. */
interface Plan {
  readonly name: string
  readonly key: string | null
  /** The id where no key stands for it. */
  readonly id: string
  readonly request: Omit<PayoutRequest, 'uniqueId'>
}

const reaching = new Set([null, 'unknown'])

export class Payouts implements Trade {
  readonly part = 'payouts'
  readonly #world: World
  readonly #plans: Plan[] = []
  /** The ids that each plan was sent under: one, if its key means one. */
  readonly #ids = new Map<string, Set<string>>()

  constructor(world: World) {
    this.#world = world
  }

  async prepare(): Promise<void> {
    // Payouts need nothing but the balance that every world begins with.
  }

  next(): Errand {
    const { dice } = this.#world
    const kind = dice.pick(['new', 'new', 'new', 'again', 'again', 'other', 'look', 'reconcile'] as const)
    if (kind === 'look') return { name: 'look', plan: null, act: (desk, about) => this.#look(desk, about) }
    if (kind === 'reconcile')
      return { name: 'reconcile', plan: null, act: (desk, about) => this.#reconcile(desk, about) }
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
    const id = key === null ? dice.random().uuid() : ''
    const known = dice.chance(0.9)
    return {
      name: key ?? id,
      key,
      id,
      request: {
        amount: dice.pick(['12.50', '0.02', '99.99', '400000.00', '7000000.00']),
        currency: dice.pick(['GEL', 'GEL', 'USD', 'EUR']),
        description: dice.pick(['Salary', 'Salary', failing, 'sandbox:insufficient-balance']),
        receiverType: receiver.receiverType,
        receiverId: known ? receiver.receiverId : dice.random().uuid(),
      },
    }
  }

  #create({ name, key, id, request }: Plan): Errand {
    const act = async (desk: Desk) => {
      const uniqueId = key === null ? id : idOfKey(desk.profile, createPayout.name, key)
      this.#ids.set(name, (this.#ids.get(name) ?? new Set()).add(uniqueId))
      return receiptOf(await submit(desk, createPayout, { ...request, uniqueId }, { idempotencyKey: key }), desk)
    }
    return { name: `create ${name} ${request.amount}`, plan: name, act }
  }

  async #look(desk: Desk, about: (journalId: string) => void): Promise<unknown> {
    const { dice, fate, sandbox } = this.#world
    if (this.#world.isPlayed('lagging-copy') && fate.chance(0.5)) {
      // Somebody has found it at the service, whatever the journal knows of it.
      const [first, ...rest] = (await sandbox.ledger()).payouts
      return first ? readPayout(desk, fate.pick([first, ...rest]).transactionId) : null
    }
    const [intent] = await desk.journal.list({ states: ['accepted'], limit: 1 })
    if (!intent) return null
    about(intent.journalId)
    return dice.chance(0.5) ? readPayout(desk, intent.journalId) : waitForPayout(desk, intent.journalId)
  }

  async #reconcile(desk: Desk, about: (journalId: string) => void): Promise<unknown> {
    const [intent] = await desk.journal.list({ states: ['exists', 'unknown'], limit: 1 })
    const { payouts } = await this.#world.sandbox.ledger()
    const found = payouts.find(({ uniqueId }) => uniqueId === intent?.uniqueId) ?? payouts[0]
    if (!intent || !found) return null
    about(intent.journalId)
    return reconcile(desk, intent.uniqueId, found.transactionId)
  }

  async check(ended: Ended): Promise<void> {
    const { exit, plan, told } = ended
    const { payouts } = await this.#world.sandbox.ledger()
    if (exit === 0) checkSums(JSON.parse(told), payouts)
    if (exit === 7) this.#checkConflict(ended)
    if (plan === null) return
    const isOver = payoutEnd(toldStatus(ended) ?? '') === 'not-paid'
    if (exit === 0 && isOver) throw new Error(`told as done, though it has ended unpaid: ${told}`)
    if (!isDenied(ended) || !this.#world.alone) return
    // Money of a payout that ends unpaid comes back, and "no" is true of it: in the ledger it may be on its way there.
    const back = (payout: Ledger[number]) => payoutEnd(payout.status) === 'not-paid' || this.#fails(plan)
    const ran = payouts.filter(({ uniqueId }) => this.#ids.get(plan)?.has(uniqueId) && !this.#isDeceived(uniqueId))
    const executed = ran.some((payout) => !(isOver && back(payout)))
    if (executed) throw new Error(`told as failed (${exit}), but it ran: ${told}`)
  }

  /** A service that knows the id may have it from this very request, sent twice on its way: "no" would be too much. */
  #checkConflict({ told, moneyMoved }: Ended): void {
    const { error } = JSON.parse(told) as { error: { service: { statusCode: number } | null } }
    if (error.service?.statusCode === 5017 && moneyMoved !== 'unknown') throw new Error(`there already: ${told}`)
  }

  async ran({ unique_id, status, body }: IntentRow): Promise<boolean> {
    // Answered with its end already: in the ledger it is on its way there.
    if (payoutEnd(status ?? '') === 'not-paid' && body.includes(failing)) return false
    const { payouts } = await this.#world.sandbox.ledger()
    // Money of a payout in FAILED, REJECTED or DELETED came back: "no" is true of it.
    const moved = payouts.filter(({ status }) => payoutEnd(status) !== 'not-paid')
    return moved.some(({ uniqueId }) => uniqueId === unique_id && !this.#isDeceived(uniqueId))
  }

  #fails(name: string): boolean {
    return this.#plans.some((plan) => plan.name === name && plan.request.description === failing)
  }

  /** Executed, although the service told the desk in definite words that it was not. */
  #isDeceived(uniqueId: string): boolean {
    return this.#world.deceived.has(uniqueId)
  }

  async checkBooks(atTheEnd: boolean): Promise<void> {
    const { payouts } = await this.#world.sandbox.ledger()
    for (const { uniqueId, executions } of payouts) {
      if (executions > 1) throw new Error(`${uniqueId} was executed ${executions} times`)
    }
    const inLedger = new Set(payouts.map(({ uniqueId }) => uniqueId))
    if (inLedger.size !== payouts.length) throw new Error('one uniqueId stands twice in the ledger')
    for (const [name, ids] of this.#ids) {
      const runs = payouts.filter(({ uniqueId }) => ids.has(uniqueId)).length
      if (runs > 1) throw new Error(`${name} was paid ${runs} times, under ${[...ids].join(', ')}`)
    }
    const intents = await this.#world.intents()
    const ids = (states: readonly string[]) =>
      new Set(intents.filter(({ state }) => states.includes(state)).map(({ unique_id }) => unique_id))
    const accepted = ids(['accepted', 'exists'])
    const taken = intents.filter(isTaken).map(({ unique_id }) => unique_id)
    const open = new Set([...ids(['unknown']), ...taken])
    for (const id of accepted) if (!inLedger.has(id)) throw new Error(`${id} is called accepted, but it did not run`)
    for (const id of inLedger) {
      if (!accepted.has(id) && !open.has(id) && !this.#isDeceived(id))
        throw new Error(`${id} ran, but no journal calls it accepted or unknown`)
    }
    await this.#checkProofs(atTheEnd)
    const seen = [...inLedger].filter((id) => accepted.has(id) || !this.#isDeceived(id))
    if (atTheEnd && open.size === 0 && accepted.size !== seen.length) throw new Error('the books differ at the end')
  }

  /** The journals' state of a payout must follow from its attempts, and from the payout that was executed. */
  async #checkProofs(atTheEnd: boolean): Promise<void> {
    const { payouts } = await this.#world.sandbox.ledger()
    for (const intent of await this.#world.intents()) {
      const { id, unique_id, state, amount_minor, currency } = intent
      const attempts = await this.#world.attempts(id)
      const last = attempts.at(-1)
      // An attempt that had no answer when the last one began may have got one since.
      const wasOpen = ({ ended_at }: AttemptRow) =>
        ended_at !== null && last !== undefined && ended_at > last.started_at
      const reached = attempts.slice(0, -1).some((each) => reaching.has(each.outcome) || wasOpen(each))
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

interface Told {
  readonly uniqueId?: string
  readonly amount?: { readonly text: string }
  readonly sumConfirmed?: boolean
}

type Ledger = Awaited<ReturnType<World['sandbox']['ledger']>>['payouts']

/** A payout that is told as paid was paid, and with this sum; an unconfirmed sum must be told as such. */
function checkSums(told: Told | readonly Told[] | null, payouts: Ledger): void {
  for (const { uniqueId, amount, sumConfirmed } of [told ?? []].flat()) {
    const ran = payouts.find((payout) => payout.uniqueId === uniqueId?.toLowerCase())
    if (!ran) throw new Error(`${uniqueId} is told as paid, but it was not`)
    if (sumConfirmed !== false && amount && Number(amount.text) !== Number(ran.amount.text)) {
      throw new Error(`${uniqueId} is told as paid with ${amount.text}, but ${ran.amount.text} was paid`)
    }
  }
}
