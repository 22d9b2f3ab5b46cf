/** The forms of the methods that need no card number. */
import { html } from 'hono/html'
import type { Method } from '../../orders/choice.ts'
import type { Html } from '../answer.ts'
import { radios, textField, yesNo } from '../entries/field.ts'
import { providersOf } from '../offer.ts'
import type { Scene } from '../scene.ts'
import type { CheckoutVisit } from '../visit.ts'

/** The provider of this method; null while the payer can choose among several. */
export function providerName({ offer }: Scene, method: Method): string | null {
  if (offer.preselected) return offer.provider
  const known = providersOf(offer, method)
  return known.length === 1 ? (known[0] ?? null) : null
}

export function savedCardFields(visit: CheckoutVisit): Html {
  const { say, typed, scene } = visit
  // Named by the card behind it, which is offered once: its token would be a secret in the wrong page.
  const options = scene.offer.saved.map(({ card, card_brand, card_mask, expiration_date }) => ({
    value: card,
    label: `${card_brand} ${card_mask}, ${say('validUntil', { date: expiration_date })}`,
  }))
  const chosen = typed.get('saved') ?? options[0]?.value ?? ''
  return radios('saved', say('savedCard'), options, chosen, visit, say('savedHelp'))
}

function identityFields(visit: CheckoutVisit): Html {
  const { say, typed, scene } = visit
  const number = typed.get('personalNumber') ?? scene.request.personalNumber ?? ''
  const foreign = typed.get('isForeign') ?? scene.request.isForeign ?? ''
  const label = say('PERSONAL_NUMBER')
  return html`${textField({ id: 'personalNumber', label, value: number, longest: 20 }, visit)}
${yesNo('isForeign', say('IS_FOREIGN'), foreign, visit)}`
}

export function providerInputs(visit: CheckoutVisit): Html | string {
  const { say, typed, method, scene } = visit
  if (scene.offer.preselected) return ''
  const known = providersOf(scene.offer, method)
  const options = known.map((value) => ({ value, label: value }))
  const banks = known.length > 1 ? radios('bank', say('bank'), options, typed.get('bank') ?? '', visit) : ''
  return html`${banks}${method === 'installment' ? identityFields(visit) : ''}`
}
