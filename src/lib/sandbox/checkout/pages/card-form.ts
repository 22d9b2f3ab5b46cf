/** The card form, and the test cards that fill it. */
import { html, raw } from 'hono/html'
import { type TestCard, testCards } from '../../cards/test-card.ts'
import type { Html } from '../answer.ts'
import { cardTyped, codeLength, grouped } from '../entries/card.ts'
import { textField } from '../entries/field.ts'
import type { CheckoutVisit } from '../visit.ts'
import { isTextKey, type Say } from './texts/texts.ts'

/** The texts that a click on a test card types. */
export function cardFilledIn(card: TestCard): Readonly<Record<string, string>> {
  return { number: grouped(card.number), expiry: card.expirationDate, cvv: '1234'.slice(0, codeLength(card)) }
}

export function cardFields(visit: CheckoutVisit): Html {
  const { say, typed } = visit
  const value = (name: string) => typed.get(name) ?? ''
  // A security code is typed again after a mistake; that of a test card was never typed.
  const cvv = visit.filled === null ? '' : value('cvv')
  return html`${filledNotice(visit)}${textField({ id: 'number', label: say('number'), value: value('number'), digits: 'numeric', longest: 25 }, visit)}
<div class="pair">${textField({ id: 'expiry', label: say('expiry'), value: value('expiry'), longest: 9 }, visit)}
${textField({ id: 'cvv', label: say('cvv'), value: cvv, help: say('cvvHelp'), helpBelow: true, digits: 'numeric', longest: 4 }, visit)}</div>
${visit.scene.request.saveCard === 'true' && !visit.scene.request.subscriptionPlan ? keepBox(visit) : ''}`
}

/** Ticked until the payer takes it away; a form that was sent off without it keeps it so. */
function keepBox({ say, typed }: CheckoutVisit): Html {
  const kept = typed.has('method') ? typed.get('keep') === 'yes' : true
  return html`<div class="field"><label class="choice"><input type="checkbox" id="keep" name="keep" value="yes"${
    kept ? raw(' checked') : ''
  }> ${say('keepCard')}</label></div>`
}

function whatHappens({ name, outcome }: TestCard, say: Say): string {
  const key = `card-${name}`
  return isTextKey(key) ? say(key) : outcome
}

/** Says what a click on a test card has done; the focus is on the button to pay then. */
function filledNotice({ say, filled, typed }: CheckoutVisit): Html | string {
  const card = filled === null ? null : cardTyped(typed)
  if (!card) return ''
  const name = `${card.cardBrand} … ${card.number.slice(-4)}`
  return html`<p class="notice filled" role="status">${say('filled', { card: name })}</p>`
}

export function testCardList({ say }: CheckoutVisit): Html {
  const button = (card: TestCard) =>
    html`<li><button name="do" value="fill:${card.name}" formnovalidate><b>${card.cardBrand} ${grouped(card.number)}</b> <span>${whatHappens(card, say)}</span></button></li>`
  return html`<section class="tests" aria-labelledby="tests"><h2 id="tests">${say('testCards')}</h2>
<p class="quiet">${say('testCardsHelp')}</p>
<ul>${testCards.map(button)}</ul></section>`
}
