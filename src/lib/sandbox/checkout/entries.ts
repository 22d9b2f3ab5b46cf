/** Reads the payment form: a payment that can be tried, or complaints about it. */
import { isIdentityNumber, unitsOf } from '../../contract/core/rules.ts'
import { type TestCard, testCard, testCards, usualCard } from '../areas/cards.ts'
import type { Method, PayerChoice } from '../areas/orders/payment.ts'
import { largestSum } from '../ledger.ts'
import { type EntryComplaint, enteredProperties, propertyField, providersOf, type Scene } from './scene.ts'

// Judges the card form as a bank would: the number of a test card, its own date, a code of its length.

/** The number of digits in the security code of a card. */
export function codeLength({ cardBrand }: TestCard): number {
  return cardBrand === 'AMEX' ? 4 : 3
}

/** A date as people type it: 1/29, 01 29, 01/2029. Null where it is none. */
function readExpiry(typed: string): string | null {
  const [, month = '', year = ''] = /^(0?[1-9]|1[0-2])\s*(?:[/.-]\s*)?(?:20)?(\d{2})$/.exec(typed.trim()) ?? []
  return month === '' ? null : `${month.padStart(2, '0')}/${year}`
}

export function cardTyped(typed: URLSearchParams): TestCard | null {
  const number = (typed.get('number') ?? '').replace(/[\s-]/g, '')
  return testCards.find((card) => card.number === number) ?? null
}

export function judgeCard(typed: URLSearchParams): TestCard | readonly EntryComplaint[] {
  const card = cardTyped(typed)
  const expiry = readExpiry(typed.get('expiry') ?? '')
  const code = (typed.get('cvv') ?? '').trim()
  const complaints: EntryComplaint[] = []
  if (!card) complaints.push({ field: 'number', text: 'wrongNumber' })
  if (expiry === null) complaints.push({ field: 'expiry', text: 'wrongExpiry' })
  else if (card && expiry !== card.expirationDate) {
    complaints.push({ field: 'expiry', text: 'otherExpiry', values: { date: card.expirationDate } })
  }
  const length = card ? codeLength(card) : null
  if (!/^\d{3,4}$/.test(code) || (length !== null && code.length !== length)) {
    complaints.push({ field: 'cvv', text: 'wrongCvv', values: { n: length === null ? '3–4' : String(length) } })
  }
  return card && complaints.length === 0 ? card : complaints
}

interface Payment {
  readonly card: TestCard
  readonly saved: boolean
  readonly tip: number
  readonly choice: PayerChoice
  /** The payer's next step before it is paid. */
  readonly awaits: 'code' | 'confirmation' | null
}

/** The method that the form or the address names, if the order offers it; else the first. */
export function methodOf({ offer }: Scene, named: string | null): Method {
  return offer.methods.find((each) => each === named) ?? offer.methods[0] ?? 'card'
}

type Means = Pick<Payment, 'card' | 'saved' | 'awaits'> & { readonly provider: string | null }

/** Stands for money that comes from elsewhere: the other side says yes. */
function usualTestCard(): TestCard {
  const card = testCard(usualCard)
  if (!card) throw new Error('the usual test card is gone')
  return card
}

function byCard({ offer }: Scene, typed: URLSearchParams): Means | readonly EntryComplaint[] {
  const card = judgeCard(typed)
  if ('length' in card) return card
  return { card, saved: false, provider: offer.provider, awaits: card.secondStep > 0 ? 'code' : null }
}

function bySavedCard({ offer }: Scene, typed: URLSearchParams): Means | readonly EntryComplaint[] {
  const kept = offer.saved.find((each) => each.card === typed.get('saved'))
  const card = kept && testCard(kept.card)
  return card ? { card, saved: true, provider: kept.provider, awaits: null } : [{ field: 'saved', text: 'wrongChoice' }]
}

function identityComplaints(typed: URLSearchParams): readonly EntryComplaint[] {
  const foreign = typed.get('isForeign')
  const number = (typed.get('personalNumber') ?? '').trim()
  const complaints: EntryComplaint[] = []
  if (number === '') complaints.push({ field: 'personalNumber', text: 'empty' })
  else if (foreign !== 'true' && !isIdentityNumber(number)) {
    complaints.push({ field: 'personalNumber', text: 'wrongIdentity' })
  }
  if (foreign !== 'true' && foreign !== 'false') complaints.push({ field: 'isForeign', text: 'wrongChoice' })
  return complaints
}

/** Open banking, crypto, instalments: at the pre-selected provider's already, or on the way there. */
function byProvider({ offer }: Scene, method: Method, typed: URLSearchParams): Means | readonly EntryComplaint[] {
  if (offer.preselected) return { card: usualTestCard(), saved: false, provider: offer.provider, awaits: null }
  const known = providersOf(offer, method)
  const provider = known.length === 1 ? known[0] : known.find((each) => each === typed.get('bank'))
  const complaints = [
    ...(provider === undefined ? [{ field: 'bank', text: 'wrongChoice' } as const] : []),
    ...(method === 'installment' ? identityComplaints(typed) : []),
  ]
  if (provider === undefined || complaints.length > 0) return complaints
  return { card: usualTestCard(), saved: false, provider, awaits: 'confirmation' }
}

function meansOf(scene: Scene, method: Method, typed: URLSearchParams): Means | readonly EntryComplaint[] {
  if (method === 'card') return byCard(scene, typed)
  return method === 'saved-card' ? bySavedCard(scene, typed) : byProvider(scene, method, typed)
}

/** Minor units; null where it is no sum. A comma is how many people write it. */
function readTip(typed: string): number | null {
  if (typed === '') return 0
  const units = unitsOf(typed.replace(',', '.'))
  return units === null || units > largestSum ? null : Number(units)
}

/** The tip as far as it can be read: for the sum on the button. */
export function tipTyped({ tipFor }: Scene, typed: URLSearchParams): number {
  return tipFor === null ? 0 : (readTip((typed.get('tip') ?? '').trim()) ?? 0)
}

/** The payment, or what is wrong with the form. */
export function readPayment(scene: Scene, typed: URLSearchParams): Payment | readonly EntryComplaint[] {
  const method = methodOf(scene, typed.get('method'))
  const { properties, wrong } = enteredProperties(scene.order, scene.integrator, typed)
  const tip = scene.tipFor === null ? 0 : readTip((typed.get('tip') ?? '').trim())
  const means = meansOf(scene, method, typed)
  const complaints: readonly EntryComplaint[] = [
    ...wrong.map(({ key, why }) => ({ field: propertyField(key), text: why })),
    ...(tip === null ? [{ field: 'tip', text: 'wrongTip' } as const] : []),
    ...('length' in means ? means : []),
  ]
  if (complaints.length > 0 || tip === null || 'length' in means) return complaints
  const { provider, ...how } = means
  // A plan is nothing without its card.
  const keepsCard = scene.request.subscriptionPlan !== undefined || typed.get('keep') === 'yes'
  return { ...how, tip, choice: { method, provider, keepsCard, properties } }
}
