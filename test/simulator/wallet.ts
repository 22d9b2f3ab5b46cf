/** Stories about the wallet (area C): orders that live five minutes, and finalizes of which only one may move money. */
import { cancelWalletOrder, createWalletOrder, finalizeWalletOrder } from '../../src/lib/contract/wallet/wallet.ts'
import { doneOf } from '../../src/lib/desk/receipts.ts'
import { submit } from '../../src/lib/desk/submit.ts'
import { readWallet } from '../../src/lib/desk/wallet.ts'
import type { Profile } from '../../src/lib/profile/profile.ts'
import type { IntentRow } from '../../src/lib/store/journal/schema.ts'
import { type Ended, type Errand, isDenied, type Trade } from './trade.ts'
import type { World } from './world.ts'

const lifetime = 5 * 60_000

export class Wallet implements Trade {
  readonly part = 'wallet'
  readonly #world: World
  readonly #profile: Profile
  readonly #orders: string[] = []
  #addresses: readonly string[] = []

  constructor(world: World, profile: Profile) {
    this.#world = world
    this.#profile = profile
  }

  async prepare(): Promise<void> {
    const { qrAddresses } = await this.#world.sandbox.wholeWorld()
    this.#addresses = qrAddresses.map(({ uri }) => uri)
  }

  next(): Errand {
    const { dice } = this.#world
    const [first, ...rest] = this.#orders
    const kind = dice.pick(['create', 'create', 'finalize', 'finalize', 'finalize', 'cancel', 'look'] as const)
    if (kind === 'create' || !first) return this.#create()
    const uniqueId = dice.pick([first, ...rest])
    if (kind === 'finalize') return this.#finalize(uniqueId)
    if (kind === 'cancel') return this.#cancel(uniqueId)
    return { name: `details ${uniqueId}`, plan: null, act: (desk) => readWallet(desk, uniqueId) }
  }

  #create(): Errand {
    const { dice } = this.#world
    const again = this.#orders.at(-1)
    const uniqueId = again !== undefined && dice.chance(0.3) ? again : dice.random().uuid()
    if (!this.#orders.includes(uniqueId)) this.#orders.push(uniqueId)
    const [first = '', ...rest] = this.#addresses
    // The same id always means the same address: another one would be another order.
    const at = Number.parseInt(uniqueId.slice(0, 6), 16) % (rest.length + 1)
    const request = { identifier: this.#profile.clientId, uniqueId, uri: [first, ...rest][at] ?? first }
    return {
      name: `create ${uniqueId}`,
      plan: `create ${uniqueId}`,
      act: async (desk) => doneOf(await submit(desk, createWalletOrder, request), desk),
    }
  }

  #finalize(uniqueId: string): Errand {
    const amount = this.#world.dice.pick(['25.00', '25.00', '7.50', '5.00', '90.00', '99999.00'])
    const order = { identifier: this.#profile.clientId, uniqueId, amount }
    return {
      name: `finalize ${uniqueId} ${amount}`,
      plan: `finalize ${uniqueId}`,
      act: async (desk) => {
        const deadline = desk.clock.now() + Math.min(desk.settings.timeout, lifetime)
        return doneOf(await submit(desk, finalizeWalletOrder, { ...order, finalStatus: 'SUCCESS' }, { deadline }), desk)
      },
    }
  }

  #cancel(uniqueId: string): Errand {
    const request = { identifier: this.#profile.clientId, uniqueId }
    return {
      name: `cancel ${uniqueId}`,
      plan: `cancel ${uniqueId}`,
      act: async (desk) => doneOf(await submit(desk, cancelWalletOrder, request), desk),
    }
  }

  /** The sums that were paid, in tetri. */
  async #payments(uniqueId: string): Promise<readonly number[]> {
    const found = await this.#world.service.read((db) =>
      db.selectFrom('wallet_postings').select('units').where('unique_id', '=', uniqueId).execute(),
    )
    return found.map(({ units }) => units)
  }

  async #statusOf(uniqueId: string): Promise<string | null> {
    const found = await this.#world.service.read((db) =>
      db.selectFrom('wallet_orders').select('status').where('unique_id', '=', uniqueId).executeTakeFirst(),
    )
    return found?.status ?? null
  }

  async check(ended: Ended): Promise<void> {
    const { exit, plan, told } = ended
    if (plan === null || !isDenied(ended) || !this.#world.alone) return
    const [what = '', uniqueId = ''] = plan.split(' ')
    if (await this.#wasDone(`wallet.${what}`, uniqueId)) {
      throw new Error(`told as failed (${exit}), but it ran: ${plan} ${told}`)
    }
  }

  async ran({ operation, unique_id, state }: IntentRow): Promise<boolean> {
    // An order that is known to be made has moved nothing yet: a look at it that fails may say so.
    const isMade = operation === createWalletOrder.name && (state === 'accepted' || state === 'exists')
    return !isMade && (await this.#wasDone(operation, unique_id))
  }

  async #wasDone(operation: string, uniqueId: string): Promise<boolean> {
    const status = await this.#statusOf(uniqueId)
    if (operation === finalizeWalletOrder.name) return (await this.#payments(uniqueId)).length > 0
    if (operation === createWalletOrder.name) return status !== null && status !== 'REJECTED'
    return operation === cancelWalletOrder.name && status === 'CANCELED'
  }

  #sums(intents: readonly IntentRow[], uniqueId: string, states: readonly string[]): readonly number[] {
    const meant = ({ operation, unique_id, state }: IntentRow) =>
      operation === finalizeWalletOrder.name && unique_id === uniqueId && states.includes(state)
    return intents.filter(meant).map(({ amount_minor }) => Number(amount_minor))
  }

  /** Two machines may finalize one order with different sums: only one of them is paid, and only that one may be called so. */
  #checkSums(intents: readonly IntentRow[], uniqueId: string, paid: number | undefined): void {
    for (const sum of this.#sums(intents, uniqueId, ['accepted', 'exists'])) {
      if (sum !== paid) throw new Error(`${uniqueId} is called paid with ${sum}, but ${paid} was paid`)
    }
  }

  /**
   * Sums that are left to the operator: another client finalized the order with another sum than the one whose answer
   * was lost.
   */
  #openFinalizes(intents: readonly IntentRow[], uniqueId: string): readonly number[] {
    return this.#sums(intents, uniqueId, ['unknown'])
  }

  async checkBooks(atTheEnd: boolean): Promise<void> {
    const intents = await this.#world.intents()
    const puzzled = await this.#world.puzzles()
    const of = (operation: string, uniqueId: string) =>
      intents.filter((each) => each.operation === operation && each.unique_id === uniqueId).map(({ state }) => state)
    const isDone = (states: readonly string[]) => states.some((state) => state === 'accepted' || state === 'exists')
    for (const uniqueId of this.#orders) {
      const payments = await this.#payments(uniqueId)
      if (payments.length > 1) throw new Error(`${uniqueId} was paid ${payments.length} times`)
      const finalized = of(finalizeWalletOrder.name, uniqueId)
      if (isDone(finalized) && payments.length === 0) throw new Error(`${uniqueId} is called paid, but it is not`)
      this.#checkSums(intents, uniqueId, payments[0])
      if (payments.length === 1 && !isDone(finalized) && !finalized.includes('unknown')) {
        throw new Error(`${uniqueId} was paid, but no journal calls it paid or unknown`)
      }
      const status = await this.#statusOf(uniqueId)
      const created = of(createWalletOrder.name, uniqueId)
      if (isDone(created) && status === null) throw new Error(`${uniqueId} is called registered, but it is not`)
      if (status !== null && status !== 'REJECTED' && !isDone(created) && !created.includes('unknown')) {
        throw new Error(`${uniqueId} was registered, but no journal calls it registered or unknown`)
      }
      const canceled = of(cancelWalletOrder.name, uniqueId)
      if (isDone(canceled) && status === 'SUCCESS') throw new Error(`${uniqueId} is called canceled, but it was paid`)
      // What was told with another sum waits for the operator, and with it all else about the order.
      const isPuzzled = puzzled.has(uniqueId)
      const sums = isPuzzled ? [] : this.#openFinalizes(intents, uniqueId)
      const left = sums.filter((sum) => payments.length === 0 || sum === payments[0])
      // While a payment of it is left to the operator, so is its cancellation.
      const ended = finalized.includes('unknown') ? [] : canceled
      const others = isPuzzled ? [] : [...created, ...ended]
      if (atTheEnd && (others.includes('unknown') || left.length > 0)) {
        throw new Error(`something about ${uniqueId} stays unknown`)
      }
    }
  }
}
