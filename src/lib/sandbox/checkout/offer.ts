/** In which ways an order may be paid at the checkout page. */

import type { OrderRequest } from '../../contract/order/order.ts'
import type { ProviderField } from '../../contract/order/request.ts'
import { listCards } from '../../store/sandbox/cards.ts'
import type { CardRow, OrderRow, SandboxReader } from '../../store/sandbox/schema.ts'
import { readWorldState } from '../../store/sandbox/world.ts'
import { orderRequest } from '../ledger/accepted.ts'
import type { Method } from '../orders/choice.ts'
import { findReceiver } from '../world/receiver.ts'
import { type ProviderLists, worldSettings } from '../world/settings.ts'

export interface Offer {
  /** The first is shown first. */
  readonly methods: readonly Method[]
  /** The order has chosen: the payer goes straight there. */
  readonly preselected: boolean
  /** The pre-selected provider; null where the order leaves it open. */
  readonly provider: string | null
  readonly saved: readonly CardRow[]
  readonly providers: ProviderLists
}

/** Methods that lead to the page of a provider, and the field that names it. */
const fieldOf: Readonly<Partial<Record<Method, ProviderField>>> = {
  'open-banking': 'openBankingLinkProvider',
  crypto: 'cryptoPaymentProvider',
  installment: 'installmentPaymentProvider',
}

/** The providers among whom the payer may choose. */
export function providersOf({ providers }: Offer, method: Method): readonly string[] {
  const field = fieldOf[method]
  return field === undefined ? [] : providers[field]
}

const mostSaved = 3

/**
 * Offers the integrator's newest cards, because the sandbox does not know the payer. A card that was saved twice is shown
 * once.
 */
async function savedCards(db: SandboxReader, { integrator_id }: OrderRow): Promise<readonly CardRow[]> {
  const own = (await listCards(db)).filter((card) => card.integrator_id === integrator_id).toReversed()
  return own.filter(({ card }, at) => own.findIndex((other) => other.card === card) === at).slice(0, mostSaved)
}

async function preselection(
  db: SandboxReader,
  request: OrderRequest,
): Promise<Pick<Offer, 'methods' | 'provider'> | null> {
  const { directLinkProvider, openBankingLinkProvider, cryptoPaymentProvider, installmentPaymentProvider } = request
  if (openBankingLinkProvider !== undefined) return { methods: ['open-banking'], provider: openBankingLinkProvider }
  if (cryptoPaymentProvider !== undefined) return { methods: ['crypto'], provider: cryptoPaymentProvider }
  if (installmentPaymentProvider !== undefined) {
    return { methods: ['installment'], provider: installmentPaymentProvider }
  }
  if (directLinkProvider === undefined) return null
  if (directLinkProvider !== 'DEFAULT') return { methods: ['card'], provider: directLinkProvider }
  const receiver = await findReceiver(db, request.receiverType, request.receiverId)
  return { methods: ['card'], provider: receiver?.defaultBank ?? null }
}

export async function offerOf(db: SandboxReader, order: OrderRow): Promise<Offer> {
  const request = orderRequest(order)
  const { providers } = worldSettings(await readWorldState(db))
  const chosen = await preselection(db, request)
  if (chosen) return { ...chosen, preselected: true, saved: [], providers }
  const saved = await savedCards(db, order)
  const withSaved: readonly Method[] = saved.length > 0 ? ['card', 'saved-card'] : ['card']
  // Only on a card can a sum be blocked.
  const others: readonly Method[] = request.payWithPreAuth === 'true' ? [] : ['open-banking', 'crypto', 'installment']
  return { methods: [...withSaved, ...others], preselected: false, provider: null, saved, providers }
}
