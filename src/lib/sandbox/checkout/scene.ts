/** Everything that the checkout page says of an order, looked up in one go. */
import { usualLanguage } from '../../contract/assumed.ts'
import type { OrderRequest } from '../../contract/order/order.ts'
import { sharesOf } from '../../store/sandbox/orders.ts'
import type { OrderRow, ShareRow } from '../../store/sandbox/schema/orders.ts'
import type { SandboxReader } from '../../store/sandbox/schema/schema.ts'
import { localMoment } from '../clock/clock.ts'
import { orderRequest } from '../ledger/accepted.ts'
import { sumsOf } from '../orders/money.ts'
import { termsOf } from '../orders/terms.ts'
import { type Integrator, integratorOf } from '../world/integrator.ts'
import { money } from '../world/money.ts'
import { findReceiver } from '../world/receiver.ts'
import { type ShownProperty, shownProperties } from './entries/property.ts'
import { type Offer, offerOf } from './offer.ts'
import { type Language, languages } from './pages/texts/texts.ts'

export interface Scene {
  readonly order: OrderRow
  readonly request: OrderRequest
  readonly integrator: Integrator
  readonly now: number
  readonly recipient: string
  /** The receivers that share in it, if more than one does; null where an account has no name. */
  readonly parts: readonly { readonly name: string; readonly account: boolean; readonly sum: string }[]
  /** The receiver of a tip; null where the order takes none. */
  readonly tipFor: string | null
  /** The sum of the payment in the order's currency, the tip included where it is known. With a plan, that of each time. */
  readonly sum: string
  /** The payer's charge, where it differs. */
  readonly charged: string | null
  readonly properties: readonly ShownProperty[]
  readonly offer: Offer
  /** The order's own language, else the receiver's. */
  readonly language: Language
  readonly successAddress: string
  readonly failAddress: string
}

export function sumText(units: number, currency: string): string {
  return `${money(units)} ${currency}`
}

/** A moment as the service writes it, to the minute: 2026-11-20 14:00. */
export function timeText(milliseconds: number): string {
  return localMoment(milliseconds).slice(0, 16).replace('T', ' ')
}

export function languageOf(name: string | null | undefined): Language | null {
  return languages.find((each) => each === name?.toUpperCase()) ?? null
}

async function nameOf(
  db: SandboxReader,
  { receiver_type, receiver }: ShareRow,
): Promise<{ name: string; account: boolean }> {
  // The owner of an account is not told; its beginning and end tell it from others.
  if (receiver_type === 'IBAN') return { name: `${receiver.slice(0, 4)}…${receiver.slice(-4)}`, account: true }
  return { name: (await findReceiver(db, receiver_type, receiver))?.name ?? receiver, account: false }
}

/** The payer's charge for these shares, in the acquiring currency; the tip joins them when it is paid. */
function chargedFor(order: OrderRow, shares: readonly ShareRow[]): number {
  if (order.acquired > 0) return order.acquired
  const parts = shares.map(({ amount, tip }) => ({ amount: BigInt(amount), tip: tip === 1 }))
  const tip = shares.some((share) => share.tip === 1) ? [] : [{ amount: BigInt(order.tip), tip: true }]
  return Number(sumsOf([...parts, ...tip], termsOf(order)).acquired)
}

export async function sceneOf(db: SandboxReader, order: OrderRow, now: number): Promise<Scene> {
  const request = orderRequest(order)
  const integrator = integratorOf(order.integrator_id)
  if (!integrator) throw new Error('the order belongs to no integrator')
  const shares = await sharesOf(db, order.order_id)
  const split = shares.filter(({ tip }) => tip === 0)
  const parts: Scene['parts'][number][] = []
  if (split.length > 1) {
    for (const share of split) {
      parts.push({ ...(await nameOf(db, share)), sum: sumText(share.amount, order.currency) })
    }
  }
  const { tipReceiverId, tipReceiverType, subscriptionPlan: plan } = request
  const takesTip = tipReceiverId !== undefined && tipReceiverType !== undefined && !plan
  const goods = order.paid > 0 ? order.paid : order.amount + order.tip
  const sum = sumText(plan ? split.reduce((all, { amount }) => all + amount, 0) : goods, order.currency)
  const charged = sumText(chargedFor(order, shares), order.acquiring_currency)
  const receiver = await findReceiver(db, request.receiverType, request.receiverId)
  return {
    ...{ order, request, integrator, now, parts, sum },
    recipient: receiver?.name ?? request.receiverId,
    tipFor: takesTip ? ((await findReceiver(db, tipReceiverType, tipReceiverId))?.name ?? tipReceiverId) : null,
    charged: charged === sum ? null : charged,
    properties: shownProperties(order),
    offer: await offerOf(db, order),
    language: languageOf(request.language) ?? languageOf(receiver?.language) ?? languageOf(usualLanguage) ?? 'EN',
    successAddress: request.successRedirectUri ?? integrator.defaults.successRedirectUri,
    failAddress: request.failRedirectUri ?? integrator.defaults.failRedirectUri,
  }
}
