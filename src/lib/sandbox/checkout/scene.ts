/** Everything that the checkout page says of an order, looked up in one go. */
import { usualLanguage } from '../../contract/assumed.ts'
import { createOrder, type OrderRequest } from '../../contract/order/order.ts'
import { type OrderProperty, orderProperties, orderPropertyNames } from '../../contract/order/property.ts'
import type { ProviderField } from '../../contract/order/request.ts'
import { validate } from '../../contract/validate.ts'
import { listRows } from '../../store/sandbox/rows.ts'
import type { OrderRow, Row, SandboxReader } from '../../store/sandbox/schema.ts'
import { readWorldState } from '../../store/sandbox/world.ts'
import { findReceiver, type Integrator, integratorOf } from '../accounts/fixtures.ts'
import { type ProviderLists, worldSettings } from '../accounts/settings.ts'
import { partsOf, sumsOf, termsOf } from '../areas/orders/money.ts'
import { type Method, propertiesOf } from '../areas/orders/payment.ts'
import { localMoment, serviceZone } from '../clock.ts'
import { money, orderRequest } from '../ledger.ts'
import { type Language, languages, type TextKey, type Translate } from './texts.ts'

// Order properties at the checkout page. Hidden ones do not exist here; those that are not editable are read from the
// order, whatever a form says; what the payer changed is judged by the contract's own rules.

/** The properties that a payer may see. */
type VisibleProperty = Exclude<OrderProperty, 'SERVICE_PROVIDER_CODE' | 'SERVICE_CODE' | 'INTEGRATOR_PRODUCT_NAME'>

export interface ShownProperty {
  readonly key: VisibleProperty
  readonly value: string
  readonly editable: boolean
}

function isVisible(key: OrderProperty): key is VisibleProperty {
  return !orderProperties[key].hidden
}

function shownProperties(order: OrderRow): readonly ShownProperty[] {
  const asked = orderRequest(order).orderProperties ?? {}
  const values = propertiesOf(order)
  return orderPropertyNames.filter(isVisible).flatMap((key) => {
    const value = values.get(key)
    return value === undefined ? [] : [{ key, value, editable: asked[key]?.isEditable === 'true' }]
  })
}

export const propertyField = (key: VisibleProperty) => `property-${key}`

interface EnteredProperties {
  /** The editable properties as the payer has left them. */
  readonly properties: Readonly<Partial<Record<OrderProperty, string>>>
  readonly wrong: readonly { readonly key: VisibleProperty; readonly why: TextKey }[]
}

function whyWrong(key: VisibleProperty, value: string): TextKey {
  if (value === '') return key === 'IS_FOREIGN' ? 'wrongChoice' : 'empty'
  return key === 'PERSONAL_NUMBER' ? 'wrongIdentity' : 'wrongValue'
}

/** Reads the editable properties of a form. A field that it leaves out stays as it was. */
export function enteredProperties(order: OrderRow, integrator: Integrator, typed: URLSearchParams): EnteredProperties {
  const editable = shownProperties(order).filter((each) => each.editable)
  const values = new Map(editable.map(({ key, value }) => [key, (typed.get(propertyField(key)) ?? value).trim()]))
  const request = orderRequest(order)
  const asked = request.orderProperties ?? {}
  const changed = Object.entries(asked).map(([key, property]) => {
    return [key, { ...property, value: values.get(key as VisibleProperty) ?? property.value }]
  })
  if (changed.length === 0) return { properties: {}, wrong: [] }
  const { permissions, orderType } = integrator
  // As of the moment the order was made: its other fields were judged then.
  const circumstances = { permits: new Set(permissions), orderType, now: order.created }
  const judged = validate(createOrder, { ...request, orderProperties: Object.fromEntries(changed) }, circumstances)
  const complaints = judged.ok ? [] : judged.violations.filter(({ field }) => field === 'orderProperties')
  const wrong = editable.flatMap(({ key }) => {
    const about = complaints.some(({ within }) => within[0] === key)
    return about ? [{ key, why: whyWrong(key, values.get(key) ?? '') }] : []
  })
  const properties = Object.fromEntries(values)
  const [first] = editable
  // A value of the payer can make a field wrong that only the integrator may write: IS_FOREIGN and the number.
  if (complaints.length > 0 && wrong.length === 0 && first) {
    return { properties, wrong: [{ key: first.key, why: 'wrongValue' }] }
  }
  return { properties, wrong }
}

// In which ways an order may be paid at the checkout page.

interface Offer {
  /** The first is shown first. */
  readonly methods: readonly Method[]
  /** The order has chosen: the payer goes straight there. */
  readonly preselected: boolean
  /** The pre-selected provider; null where the order leaves it open. */
  readonly provider: string | null
  readonly saved: readonly Row<'cards'>[]
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
async function savedCards(db: SandboxReader, { integrator_id }: OrderRow): Promise<readonly Row<'cards'>[]> {
  const own = (await listRows(db, 'cards', { integrator_id })).toReversed()
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

async function offerOf(db: SandboxReader, order: OrderRow): Promise<Offer> {
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

interface SceneSums {
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
  { receiver_type, receiver }: Row<'shares'>,
): Promise<{ name: string; account: boolean }> {
  // The owner of an account is not told; its beginning and end tell it from others.
  if (receiver_type === 'IBAN') return { name: `${receiver.slice(0, 4)}…${receiver.slice(-4)}`, account: true }
  return { name: (await findReceiver(db, receiver_type, receiver))?.name ?? receiver, account: false }
}

/** The payer's charge for these shares, in the acquiring currency; the tip joins them when it is paid. */
function chargedFor(order: OrderRow, shares: readonly Row<'shares'>[], more: number): number {
  if (order.acquired > 0) return order.acquired
  const tip = shares.some((share) => share.tip === 1) ? [] : [{ amount: BigInt(order.tip + more), tip: true }]
  return Number(sumsOf([...partsOf(shares), ...tip], termsOf(order)).acquired)
}

function sumsFor(order: OrderRow, shares: readonly Row<'shares'>[], ofPlan: boolean, more: number): SceneSums {
  const each = shares.reduce((all, { amount, tip }) => (tip === 0 ? all + amount : all), 0)
  const goods = order.paid > 0 ? order.paid : order.amount + order.tip + more
  return {
    sum: sumText(ofPlan ? each : goods, order.currency),
    charged: sumText(chargedFor(order, shares, more), order.acquiring_currency),
  }
}

/** The first message of itself about the payment tells when it ended: it was written down in that move. */
async function endOf(db: SandboxReader, { order_id }: OrderRow): Promise<number | null> {
  const told = await listRows(db, 'callbacks', { order_id })
  return told.find(({ kind, note }) => kind === 'payment' && note === null)?.created ?? null
}

export async function sceneOf(db: SandboxReader, order: OrderRow, now: number): Promise<Scene> {
  const request = orderRequest(order)
  const integrator = integratorOf(order.integrator_id)
  if (!integrator) throw new Error('the order belongs to no integrator')
  const shares = await listRows(db, 'shares', { order_id: order.order_id })
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

export interface CheckoutVisit {
  readonly scene: Scene
  readonly language: Language
  /** True if the payer has chosen the language, so that the next address keeps it. */
  readonly choseLanguage: boolean
  readonly say: Translate
  readonly method: Method
  /** The tip that was typed, in minor units; 0 where none was, or nothing that is a sum. */
  readonly tip: number
  readonly typed: URLSearchParams
  readonly complaints: readonly EntryComplaint[]
  /** The test card that was just filled in. */
  readonly filled: string | null
  /** True if the payer was about to pay another sum than the button had said. */
  readonly sumChanged: boolean
  readonly script: string | null
}

/** The query that keeps what the payer has chosen. */
export function queryOf({ language, choseLanguage }: Pick<CheckoutVisit, 'language' | 'choseLanguage'>): string {
  return choseLanguage ? `?lang=${language}` : ''
}

// A complaint about a field of a form, to be told in the payer's language.

export interface EntryComplaint {
  /** The id of the field, which is its name too. */
  readonly field: string
  readonly text: TextKey
  readonly values?: Readonly<Record<string, string>>
}

export function complaintAbout(field: string, complaints: readonly EntryComplaint[], say: Translate): string | null {
  const complaint = complaints.find((each) => each.field === field)
  return complaint ? say(complaint.text, complaint.values) : null
}
