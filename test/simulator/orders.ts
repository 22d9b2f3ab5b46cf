/**
 * Stories about orders (area B): refunds and charges of a saved card, which no service recognises when they come
 * again; cancellations and completions, which it does.
 */
import { getCard } from '../../src/lib/contract/card.ts'
import { minorUnits } from '../../src/lib/contract/core/decimal.ts'
import type { WriteOperation } from '../../src/lib/contract/operation.ts'
import { cancelOrder, completeOrder, createOrder, type OrderRequest } from '../../src/lib/contract/order/order.ts'
import { refundOrder } from '../../src/lib/contract/order/refund.ts'
import { orderEnd } from '../../src/lib/contract/order/status.ts'
import type { Desk } from '../../src/lib/desk/desk.ts'
import { idOfKey } from '../../src/lib/desk/new-intent.ts'
import { readOrder } from '../../src/lib/desk/orders.ts'
import { call } from '../../src/lib/desk/read.ts'
import { doneOf } from '../../src/lib/desk/receipts.ts'
import { submit } from '../../src/lib/desk/submit.ts'
import { isTaken } from '../../src/lib/journal/conflict.ts'
import type { Profile } from '../../src/lib/profile/profile.ts'
import type { IntentRow } from '../../src/lib/store/journal/schema.ts'
import type { Machine } from './machine.ts'
import { runErrand } from './operator.ts'
import { type Ended, type Errand, isDenied, type Trade, toldStatus } from './trade.ts'
import type { World } from './world.ts'

interface Plan {
  readonly kind: 'refund' | 'charge' | 'create'
  readonly key: string | null
  /** Only where a key is sent to the service, or all have one journal, may another machine run it too. */
  readonly machine: Machine | null
  readonly amount: string
  /** The id of a plan without a key. Null: every run makes its own, as for a person typing the command again. */
  readonly id: string | null
}

const units = (amount: string) => Number(minorUnits(amount))

export class Orders implements Trade {
  readonly part = 'orders'
  readonly #world: World
  readonly #profile: Profile
  readonly #plans: Plan[] = []
  /** Ids of what was made in calm weather. */
  #paid = ''
  #open = ''
  #held = ''
  #token = ''
  #receiverId = ''

  constructor(world: World, profile: Profile) {
    this.#world = world
    this.#profile = profile
  }

  async prepare(): Promise<void> {
    const { receivers } = await this.#world.sandbox.wholeWorld()
    const branch = receivers.find(({ receiverType, use }) => receiverType === 'BRANCH' && use === 'orders')
    if (!branch) throw new Error('the sandbox has no branch for orders')
    this.#receiverId = branch.receiverId
    const [machine] = this.#world.machines
    if (!machine) throw new Error('there is no machine')
    const setUp = async (name: string, act: (desk: Desk) => Promise<unknown>) => {
      const ended = await runErrand(this.#world, this.#profile, machine, { name, plan: null, act }, `setup ${name}`, 0)
      if (ended?.exit !== 0) throw new Error(`${name} failed in calm weather: ${ended?.told}`)
    }
    await setUp('orders', async (desk) => {
      this.#paid = await this.#order(desk, '100.00', { saveCard: 'true', directLinkProvider: 'BOG' })
      this.#held = await this.#order(desk, '50.00', { payWithPreAuth: 'true' })
      this.#open = await this.#order(desk, '30.00', {})
    })
    for (const order of [this.#paid, this.#held]) await this.#world.sandbox.trigger({ what: 'paid', order })
    await this.#world.timeline.sleep(60_000)
    await setUp('card', async (desk) => {
      const { token } = await call(desk, getCard, { integratorOrderId: this.#paid })
      this.#token = token
      this.#world.secrets.add(token)
    })
  }

  async #order(desk: Desk, amount: string, more: Readonly<Record<string, string>>): Promise<string> {
    const integratorOrderId = desk.random.uuid()
    await submit(desk, createOrder, { ...this.#base(amount), ...more, integratorOrderId })
    return integratorOrderId
  }

  #base(amount: string): Omit<OrderRequest, 'integratorOrderId'> {
    return {
      amount,
      receiverId: this.#receiverId,
      receiverType: 'BRANCH',
      integratorId: this.#profile.clientId,
    }
  }

  next(machine: Machine): Errand {
    const { dice, fate } = this.#world
    if (this.#world.isPlayed('lagging-copy') && fate.chance(0.3)) {
      const order = fate.pick([this.#paid, this.#open, this.#held])
      return { name: `status ${order}`, plan: null, act: (desk) => readOrder(desk, order) }
    }
    const kind = dice.pick(['new', 'new', 'again', 'again', 'again', 'cancel', 'complete'] as const)
    if (kind === 'cancel') return this.#about(cancelOrder, this.#open, {})
    if (kind === 'complete') return this.#about(completeOrder, this.#held, { amount: dice.pick(['50.00', '40.00']) })
    const mine = this.#plans.filter((plan) => plan.machine === null || plan.machine === machine)
    const [first, ...rest] = mine
    if (kind === 'again' && first) return this.#run(dice.pick([first, ...rest]))
    const plan = this.#newPlan(machine)
    this.#plans.push(plan)
    return this.#run(plan)
  }

  #newPlan(machine: Machine): Plan {
    const { dice } = this.#world
    const number = this.#plans.length
    const kind = dice.pick(['refund', 'refund', 'charge', 'charge', 'create'] as const)
    const hasKey = dice.chance(0.6) || this.#world.isLong
    const key = hasKey ? `plan:${number}` : null
    const amount = `${kind === 'refund' ? 0 : 1}.${11 + number}`
    // A team has one journal: whoever types the key means the same refund.
    const anyone = key !== null && this.#world.isPlayed('team')
    if (kind === 'refund') return { kind, key, machine: anyone ? null : machine, amount, id: null }
    if (key !== null) return { kind, key, machine: null, amount, id: null }
    // The guard looks at charges only: an order typed twice without a key is made twice.
    if (kind === 'create') return { kind, key, machine: null, amount, id: dice.random().uuid() }
    return { kind, key, machine, amount, id: dice.chance(0.5) ? null : dice.random().uuid() }
  }

  #run(plan: Plan): Errand {
    const { kind, key, amount, id } = plan
    const options = { idempotencyKey: key }
    const name = `${kind} ${amount}`
    if (kind === 'refund') {
      const request = { integratorId: this.#profile.clientId, integratorOrderId: this.#paid, amount }
      return {
        name,
        plan: name,
        act: async (desk) => doneOf(await submit(desk, refundOrder, request, options), desk),
      }
    }
    const charge = kind === 'charge' ? { cardToken: this.#token } : {}
    return {
      name,
      plan: name,
      act: async (desk) => {
        const own = key === null ? id : idOfKey(desk.profile, createOrder.name, key)
        const request = { ...this.#base(amount), ...charge, integratorOrderId: own ?? desk.random.uuid() }
        return doneOf(await submit(desk, createOrder, request, options), desk)
      },
    }
  }

  #about(operation: WriteOperation, order: string, more: Readonly<Record<string, string>>): Errand {
    const request = { integratorId: this.#profile.clientId, integratorOrderId: order, ...more }
    return {
      name: operation.name,
      plan: operation.name,
      act: async (desk) => doneOf(await submit(desk, operation, request), desk),
    }
  }

  async #statusOf(order: string): Promise<string | undefined> {
    const query = (id: string) =>
      this.#world.service.read((db) =>
        db.selectFrom('orders').select('status').where('integrator_order_id', '=', id).executeTakeFirst(),
      )
    return (await query(order))?.status
  }

  /** The number of executions of a plan. */
  async #executions(plan: string): Promise<number> {
    if (plan === cancelOrder.name) return (await this.#statusOf(this.#open)) === 'CANCELED' ? 1 : 0
    if (plan === completeOrder.name) return (await this.#statusOf(this.#held)) === 'SUCCESS' ? 1 : 0
    const [kind, amount = ''] = plan.split(' ')
    const table = kind === 'refund' ? 'refunds' : 'orders'
    const found = await this.#world.service.read((db) =>
      db.selectFrom(table).select('order_id').where('amount', '=', units(amount)).execute(),
    )
    if (kind !== 'charge') return found.length
    const charges = await this.#world.service.read((db) =>
      db
        .selectFrom('order_postings')
        .select('order_id')
        .where('kind', '=', 'charge')
        .where('order_id', 'in', ['none', ...found.map(({ order_id }) => order_id)])
        .execute(),
    )
    return charges.length
  }

  async ran(intent: IntentRow): Promise<boolean> {
    // An order that ended unpaid moved nothing.
    if (intent.operation === createOrder.name && intent.status !== null && orderEnd(intent.status) === 'not-paid') {
      return false
    }
    const plan = this.#planOf(intent)
    return plan !== null && (await this.#executions(plan)) > 0
  }

  async check(ended: Ended): Promise<void> {
    const { exit, plan, told } = ended
    if (plan === null || !isDenied(ended) || !this.#world.alone) return
    // An order that was made and ended unpaid moved nothing.
    if (/^(create|charge) /.test(plan) && orderEnd(toldStatus(ended) ?? '') === 'not-paid') return
    if ((await this.#executions(plan)) > 0) throw new Error(`told as failed (${exit}), but it ran: ${plan} ${told}`)
  }

  async checkBooks(atTheEnd: boolean): Promise<void> {
    const intents = await this.#world.intents()
    const puzzled = await this.#world.puzzles()
    const plans = this.#plans.map((plan) => `${plan.kind} ${plan.amount}`)
    for (const plan of [...plans, cancelOrder.name, completeOrder.name]) {
      const runs = await this.#executions(plan)
      if (runs > 1) throw new Error(`${plan} was executed ${runs} times`)
      const mine = intents.filter((intent) => this.#planOf(intent) === plan)
      const states = mine.map(({ state }) => state)
      const left = mine.filter(({ state, unique_id }) => state === 'unknown' && !puzzled.has(unique_id))
      const done = states.some((state) => state === 'accepted' || state === 'exists')
      if (done && runs === 0) throw new Error(`${plan} is called done, but it did not run`)
      if (runs === 1 && !done && !states.includes('unknown') && !mine.some(isTaken)) {
        throw new Error(`${plan} ran, but no journal calls it done or unknown`)
      }
      // A refund whose answer was lost may stay for the operator; everything else a read resolves.
      if (atTheEnd && left.length > 0 && !plan.startsWith('refund')) throw new Error(`${plan} stays unknown`)
    }
  }

  #planOf({ operation, amount_minor, unique_id }: IntentRow): string | null {
    if (operation === cancelOrder.name || operation === completeOrder.name) return operation
    const amount = `${amount_minor.slice(0, -2) || '0'}.${amount_minor.slice(-2)}`
    if (operation === refundOrder.name) return `refund ${amount}`
    const setUp = [this.#paid, this.#open, this.#held].includes(unique_id)
    const plan = this.#plans.find((each) => each.kind !== 'refund' && each.amount === amount)
    return setUp || !plan ? null : `${plan.kind} ${amount}`
  }
}
