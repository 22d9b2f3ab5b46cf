/** Reads the payment form: a payment that can be tried, or the complaints about it. */
import { isIdentityNumber, unitsOf } from '../../../contract/core/rules.ts'
import { type TestCard, testCard, usualCard } from '../../cards/test-card.ts'
import type { Method, PayerChoice } from '../../orders/choice.ts'
import { largestSum } from '../../world/money.ts'
import { providersOf } from '../offer.ts'
import type { Scene } from '../scene.ts'
import { judgeCard } from './card.ts'
import type { EntryComplaint } from './complaint.ts'
import { enteredProperties, propertyField } from './property.ts'

export interface Payment {
  readonly card: TestCard
  readonly saved: boolean
  readonly tip: number
  readonly choice: PayerChoice
  /** The payer's next step before it is paid. */
  readonly awaits: 'code' | 'confirmation' | null
}

export type PaymentEntry =
  | { readonly ok: true; readonly payment: Payment }
  | { readonly ok: false; readonly complaints: readonly EntryComplaint[] }

/** The method that the form or the address names, if the order offers it; else the first. */
export function methodOf({ offer }: Scene, named: string | null): Method {
  return offer.methods.find((each) => each === named) ?? offer.methods[0] ?? 'card'
}

type Means = Pick<Payment, 'card' | 'saved' | 'awaits'> & { readonly provider: string | null }

/** Stands for money that comes from elsewhere: the other side says yes. */
function accepted(): TestCard {
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
  if (offer.preselected) return { card: accepted(), saved: false, provider: offer.provider, awaits: null }
  const known = providersOf(offer, method)
  const provider = known.length === 1 ? known[0] : known.find((each) => each === typed.get('bank'))
  const complaints = [
    ...(provider === undefined ? [{ field: 'bank', text: 'wrongChoice' } as const] : []),
    ...(method === 'installment' ? identityComplaints(typed) : []),
  ]
  if (provider === undefined || complaints.length > 0) return complaints
  return { card: accepted(), saved: false, provider, awaits: 'confirmation' }
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

export function readPayment(scene: Scene, typed: URLSearchParams): PaymentEntry {
  const method = methodOf(scene, typed.get('method'))
  const { properties, wrong } = enteredProperties(scene.order, scene.integrator, typed)
  const tip = scene.tipFor === null ? 0 : readTip((typed.get('tip') ?? '').trim())
  const means = meansOf(scene, method, typed)
  const complaints: readonly EntryComplaint[] = [
    ...wrong.map(({ key, why }) => ({ field: propertyField(key), text: why })),
    ...(tip === null ? [{ field: 'tip', text: 'wrongTip' } as const] : []),
    ...('length' in means ? means : []),
  ]
  if (complaints.length > 0 || tip === null || 'length' in means) return { ok: false, complaints }
  const { provider, ...how } = means
  // A plan is nothing without its card.
  const keepsCard = scene.request.subscriptionPlan !== undefined || typed.get('keep') === 'yes'
  return { ok: true, payment: { ...how, tip, choice: { method, provider, keepsCard, properties } } }
}
