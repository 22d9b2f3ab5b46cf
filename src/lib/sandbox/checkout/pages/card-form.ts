/** The card form. */
import { html, raw } from 'hono/html'
import type { TestCard } from '../../cards/test-card.ts'
import type { Html } from '../answer.ts'
import { cardTyped, codeLength } from '../entries/card.ts'
import { textField } from '../entries/field.ts'
import { grouped, slashed } from '../entries/groups.ts'
import type { CheckoutVisit } from '../visit.ts'

/** The texts that a click on a test card types. */
export function cardFilledIn(card: TestCard): Readonly<Record<string, string>> {
  return { number: grouped(card.number), expiry: card.expirationDate, cvv: '1234'.slice(0, codeLength(card)) }
}

/** A security code is typed again after a mistake, and only then. */
function codeShown({ typed, complaints }: CheckoutVisit): string {
  return complaints.length > 0 ? '' : (typed.get('cvv') ?? '')
}

export function cardFields(visit: CheckoutVisit): Html {
  const { say, typed, scene } = visit
  const value = (name: string) => typed.get(name) ?? ''
  const field = (id: string, of: { value: string; placeholder: string; longest: number }) =>
    textField({ id, label: say(id === 'number' || id === 'expiry' ? id : 'cvv'), digits: 'numeric', ...of }, visit)
  return html`${filledNotice(visit)}${field('number', { value: grouped(value('number')), placeholder: '1234 1234 1234 1234', longest: 25 })}
<div class="pair">${field('expiry', { value: slashed(value('expiry')), placeholder: say('expiryForm'), longest: 9 })}
${field('cvv', { value: codeShown(visit), placeholder: '123', longest: 4 })}</div>
${scene.request.saveCard === 'true' && !scene.request.subscriptionPlan ? keepBox(visit) : ''}`
}

/** Ticked until the payer takes it away; a form that was sent off without it keeps it so. */
function keepBox({ say, typed }: CheckoutVisit): Html {
  const kept = typed.has('method') ? typed.get('keep') === 'yes' : true
  return html`<div class="field"><label class="choice"><input type="checkbox" id="keep" name="keep" value="yes"${
    kept ? raw(' checked') : ''
  }> ${say('keepCard')}</label></div>`
}

/** Says what a click on a test card has done; the focus is on the button to pay then. */
function filledNotice({ say, filled, typed }: CheckoutVisit): Html | string {
  const card = filled === null ? null : cardTyped(typed)
  if (!card) return ''
  const name = `${card.cardBrand} … ${card.number.slice(-4)}`
  return html`<p class="filled" role="status">${say('filled', { card: name })}</p>`
}
