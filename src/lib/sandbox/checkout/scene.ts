/** Everything that the checkout page says of an order, looked up in one go. */
import { usualLanguage } from '../../contract/assumed.ts'
import type { OrderRequest } from '../../contract/order/order.ts'
import { listSentCallbacks } from '../../store/sandbox/callbacks.ts'
import { sharesOf } from '../../store/sandbox/orders.ts'
import type { OrderRow, SandboxReader, ShareRow } from '../../store/sandbox/schema.ts'
import { localMoment, serviceZone } from '../clock/clock.ts'
import { orderRequest } from '../ledger/accepted.ts'
import { sumsOf } from '../orders/money.ts'
import { termsOf } from '../orders/terms.ts'
import { type Integrator, integratorOf } from '../world/integrator.ts'
import { money } from '../world/money.ts'
import { findReceiver } from '../world/receiver.ts'
import { type ShownProperty, shownProperties } from './entries/property.ts'
import { type Offer, offerOf } from './offer.ts'
import { type Language, languages } from './pages/texts/texts.ts'

export interface SceneSums {
  /** In the order's currency, the tip included. With a plan, that of each time. */
  readonly sum: string
  /** The payer's charge, in the acquiring currency. */
  readonly charged: string
}

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
  /** The sums of the payment with a tip that is not yet part of it, in minor units of the order's currency. */
  readonly sumsWith: (tip: number) => SceneSums
  /** The end of the payment, be it good or bad; null where there was none. */
  readonly endedAt: number | null
  readonly properties: readonly ShownProperty[]
  readonly offer: Offer
  /** The order's own language, else the receiver's. */
  readonly language: Language
  readonly successAddress: string
  readonly failAddress: string
}

function sumText(units: number, currency: string): string {
  return `${money(units)} ${currency}`
}

/** A moment as the service writes it, to the minute, with its zone: 2026-11-20 14:00 (UTC+4). */
export function timeText(milliseconds: number): string {
  return `${localMoment(milliseconds).slice(0, 16).replace('T', ' ')} (${serviceZone})`
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
function chargedFor(order: OrderRow, shares: readonly ShareRow[], more: number): number {
  if (order.acquired > 0) return order.acquired
  const parts = shares.map(({ amount, tip }) => ({ amount: BigInt(amount), tip: tip === 1 }))
  const tip = shares.some((share) => share.tip === 1) ? [] : [{ amount: BigInt(order.tip + more), tip: true }]
  return Number(sumsOf([...parts, ...tip], termsOf(order)).acquired)
}

function sumsFor(order: OrderRow, shares: readonly ShareRow[], ofPlan: boolean, more: number): SceneSums {
  const each = shares.reduce((all, { amount, tip }) => (tip === 0 ? all + amount : all), 0)
  const goods = order.paid > 0 ? order.paid : order.amount + order.tip + more
  return {
    sum: sumText(ofPlan ? each : goods, order.currency),
    charged: sumText(chargedFor(order, shares, more), order.acquiring_currency),
  }
}

/** The first message of itself about the payment tells when it ended: it was written down in that move. */
async function endOf(db: SandboxReader, { order_id }: OrderRow): Promise<number | null> {
  const told = await listSentCallbacks(db, [order_id])
  return told.find(({ kind, note }) => kind === 'payment' && note === null)?.created ?? null
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
  const receiver = await findReceiver(db, request.receiverType, request.receiverId)
  return {
    ...{ order, request, integrator, now, parts },
    sumsWith: (tip) => sumsFor(order, shares, plan !== undefined, tip),
    endedAt: await endOf(db, order),
    recipient: receiver?.name ?? request.receiverId,
    tipFor: takesTip ? ((await findReceiver(db, tipReceiverType, tipReceiverId))?.name ?? tipReceiverId) : null,
    properties: shownProperties(order),
    offer: await offerOf(db, order),
    language: languageOf(request.language) ?? languageOf(receiver?.language) ?? languageOf(usualLanguage) ?? 'EN',
    successAddress: request.successRedirectUri ?? integrator.defaults.successRedirectUri,
    failAddress: request.failRedirectUri ?? integrator.defaults.failRedirectUri,
  }
}
