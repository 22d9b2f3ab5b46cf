/** Everything that the checkout page says of an order, looked up in one go. */
import { usualLanguage } from '../../contract/assumed.ts'
import type { OrderRequest } from '../../contract/order/order.ts'
import { type OrderProperty, orderProperties, orderPropertyNames } from '../../contract/order/property.ts'
import type { ProviderField } from '../../contract/order/request.ts'
import { listRows } from '../../store/sandbox/rows.ts'
import type { OrderRow, Row, SandboxReader } from '../../store/sandbox/schema.ts'
import { readWorldState } from '../../store/sandbox/world.ts'
import { findReceiver, type Integrator, integratorOf } from '../accounts/fixtures.ts'
import { type ProviderLists, worldSettings } from '../accounts/settings.ts'
import { partsOf, sumsOf, termsOf } from '../areas/orders/money.ts'
import { type Method, propertiesOf } from '../areas/orders/payment.ts'
import { money, orderRequest } from '../ledger.ts'
import { type Language, languages } from './texts.ts'

/** The properties that a payer may see: hidden ones do not exist on the page. */
export type VisibleProperty = Exclude<
  OrderProperty,
  'SERVICE_PROVIDER_CODE' | 'SERVICE_CODE' | 'INTEGRATOR_PRODUCT_NAME'
>

export interface ShownProperty {
  readonly key: VisibleProperty
  readonly value: string
  readonly editable: boolean
}

const isVisible = (key: OrderProperty): key is VisibleProperty => !orderProperties[key].hidden

function shownProperties(order: OrderRow): readonly ShownProperty[] {
  const asked = orderRequest(order).orderProperties ?? {}
  const values = propertiesOf(order)
  return orderPropertyNames.filter(isVisible).flatMap((key) => {
    const value = values.get(key)
    return value === undefined ? [] : [{ key, value, editable: asked[key]?.isEditable === 'true' }]
  })
}

/** The ways in which an order may be paid. */
interface Offer {
  /** The first is shown first. */
  readonly methods: readonly Method[]
  /** True where the order has chosen: the payer goes straight there. */
  readonly preselected: boolean
  /** The pre-selected provider; null where the order leaves it open. */
  readonly provider: string | null
  /** The integrator's newest cards, because the sandbox does not know the payer. */
  readonly saved: readonly Row<'cards'>[]
  readonly providers: ProviderLists
}

/** Methods that lead to the page of a provider, and the field that names it. */
const providerFields = [
  ['open-banking', 'openBankingLinkProvider'],
  ['crypto', 'cryptoPaymentProvider'],
  ['installment', 'installmentPaymentProvider'],
] as const satisfies readonly (readonly [Method, ProviderField])[]

/** The providers among whom the payer may choose. */
export function providersFor({ providers }: Offer, method: Method): readonly string[] {
  const field = providerFields.find(([name]) => name === method)?.[1]
  return field === undefined ? [] : providers[field]
}

/** The provider of this method; null while the payer can choose among several. */
export function providerOf(offer: Offer, method: Method): string | null {
  if (offer.preselected) return offer.provider
  const [first = null, ...more] = providersFor(offer, method)
  return more.length === 0 ? first : null
}

const mostSaved = 3

/** A card that was saved twice is offered once. */
async function savedCards(db: SandboxReader, { integrator_id }: OrderRow): Promise<readonly Row<'cards'>[]> {
  const own = (await listRows(db, 'cards', { integrator_id })).toReversed()
  return own.filter(({ card }, at) => own.findIndex((other) => other.card === card) === at).slice(0, mostSaved)
}

async function offerOf(db: SandboxReader, order: OrderRow, request: OrderRequest): Promise<Offer> {
  const { providers } = worldSettings(await readWorldState(db))
  const chosen = { preselected: true, saved: [], providers }
  for (const [method, field] of providerFields) {
    const provider = request[field]
    if (provider !== undefined) return { ...chosen, methods: [method], provider }
  }
  const { directLinkProvider: bank } = request
  if (bank !== undefined) {
    const receiver = await findReceiver(db, request.receiverType, request.receiverId)
    return { ...chosen, methods: ['card'], provider: bank === 'DEFAULT' ? (receiver?.defaultBank ?? null) : bank }
  }
  const saved = await savedCards(db, order)
  // Only on a card can a sum be blocked.
  const others = request.payWithPreAuth === 'true' ? [] : providerFields.map(([method]) => method)
  const methods: readonly Method[] = ['card', ...(saved.length > 0 ? (['saved-card'] as const) : []), ...others]
  return { methods, preselected: false, provider: null, saved, providers }
}

interface Sums {
  /** In the order's currency, the tip included. With a plan, that of each time. */
  readonly sum: string
  /** The payer's charge, in the acquiring currency. */
  readonly charged: string
}

function sumsFor(order: OrderRow, shares: readonly Row<'shares'>[], isPlan: boolean, newTip: number): Sums {
  const ofPlan = shares.reduce((all, { amount, tip }) => (tip === 0 ? all + amount : all), 0)
  const goods = order.paid > 0 ? order.paid : order.amount + order.tip + newTip
  // A tip joins the shares when it is paid.
  const tip = shares.some((share) => share.tip === 1) ? [] : [{ amount: BigInt(order.tip + newTip), tip: true }]
  const charged = order.acquired || Number(sumsOf([...partsOf(shares), ...tip], termsOf(order)).acquired)
  return {
    sum: `${money(isPlan ? ofPlan : goods)} ${order.currency}`,
    charged: `${money(charged)} ${order.acquiring_currency}`,
  }
}

export interface CheckoutOrder {
  readonly order: OrderRow
  readonly request: OrderRequest
  readonly integrator: Integrator
  readonly now: number
  readonly recipient: string
  /** The receivers that share in it, if more than one does; of an account its beginning and end. */
  readonly parts: readonly { readonly name: string; readonly account: boolean; readonly sum: string }[]
  /** The receiver of a tip; null where the order takes none. */
  readonly tipFor: string | null
  /** The sums of the payment with a tip that is not yet part of it, in minor units of the order's currency. */
  readonly sumsWith: (tip: number) => Sums
  /** The end of the payment, be it good or bad; null where there was none. */
  readonly endedAt: number | null
  readonly properties: readonly ShownProperty[]
  readonly offer: Offer
  /** The order's own language, else the receiver's. */
  readonly language: Language
  readonly successAddress: string
  readonly failAddress: string
}

export function languageOf(name: string | null | undefined): Language | null {
  return languages.find((each) => each === name?.toUpperCase()) ?? null
}

export async function describeForPayer(db: SandboxReader, order: OrderRow, now: number): Promise<CheckoutOrder> {
  const { order_id } = order
  const request = orderRequest(order)
  const integrator = integratorOf(order.integrator_id)
  if (!integrator) throw new Error('the order belongs to no integrator')
  const nameOf = async (type: unknown, id: string) => (await findReceiver(db, type, id))?.name ?? id
  const shares = await listRows(db, 'shares', { order_id })
  const parts = shares
    .filter(({ tip }) => tip === 0)
    .map(async ({ receiver_type, receiver, amount }) => {
      const sum = `${money(amount)} ${order.currency}`
      const ends = `${receiver.slice(0, 4)}…${receiver.slice(-4)}`
      if (receiver_type === 'IBAN') return { name: ends, account: true, sum }
      return { name: await nameOf(receiver_type, receiver), account: false, sum }
    })
  const { tipReceiverId, tipReceiverType, subscriptionPlan: plan } = request
  const takesTip = tipReceiverId !== undefined && tipReceiverType !== undefined && !plan
  const receiver = await findReceiver(db, request.receiverType, request.receiverId)
  // The first callback of itself about the payment was written in the move that ended it.
  const callbacks = await listRows(db, 'callbacks', { order_id })
  return {
    ...{ order, request, integrator, now },
    parts: parts.length > 1 ? await Promise.all(parts) : [],
    sumsWith: (tip) => sumsFor(order, shares, plan !== undefined, tip),
    endedAt: callbacks.find(({ kind, note }) => kind === 'payment' && note === null)?.created ?? null,
    recipient: receiver?.name ?? request.receiverId,
    tipFor: takesTip ? await nameOf(tipReceiverType, tipReceiverId) : null,
    properties: shownProperties(order),
    offer: await offerOf(db, order, request),
    language: languageOf(request.language) ?? languageOf(receiver?.language) ?? languageOf(usualLanguage) ?? 'EN',
    successAddress: request.successRedirectUri ?? integrator.defaults.successRedirectUri,
    failAddress: request.failRedirectUri ?? integrator.defaults.failRedirectUri,
  }
}
