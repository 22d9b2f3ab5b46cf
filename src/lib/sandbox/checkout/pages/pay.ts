/** The page of an order that can be paid: what for on one side, how on the other. */
import { html, raw } from 'hono/html'
import type { Method } from '../../orders/choice.ts'
import type { Html } from '../answer.ts'
import { problems, textField, yesNo } from '../entries/field.ts'
import { propertyField, type ShownProperty } from '../entries/property.ts'
import { timeText } from '../scene.ts'
import { fromTerminal } from '../terminal.ts'
import { type CheckoutVisit, queryOf } from '../visit.ts'
import { cardFields, testCardList } from './card-form.ts'
import { documentOf } from './document.ts'
import { providerInputs, providerName, savedCardFields } from './method-form.ts'
import { summary } from './summary.ts'
import { isTextKey, type Say, type TextKey } from './texts/texts.ts'

const methodNames: Readonly<Record<Method, TextKey>> = {
  card: 'card',
  'saved-card': 'savedCard',
  'open-banking': 'openBanking',
  crypto: 'crypto',
  installment: 'installment',
}

/** Buttons, so that changing the method keeps what was typed. */
function methodButtons({ scene, say, method }: CheckoutVisit): Html | string {
  const { methods } = scene.offer
  if (methods.length === 1) return ''
  const button = (each: Method) =>
    html`<button name="do" value="method:${each}" formnovalidate${
      each === method ? raw(' aria-current="true"') : ''
    }>${say(methodNames[each])}</button>`
  return html`<div class="methods">${methods.map(button)}</div>`
}

function heading({ scene: { offer }, say, method }: CheckoutVisit): string {
  if (offer.methods.length > 1) return say('method')
  const name = say(methodNames[method])
  return offer.provider === null ? name : `${name}: ${offer.provider}`
}

function editableProperty(property: ShownProperty, visit: CheckoutVisit): Html {
  const id = propertyField(property.key)
  const value = visit.typed.get(id) ?? property.value
  if (property.key === 'IS_FOREIGN') return yesNo(id, visit.say('IS_FOREIGN'), value, visit)
  return textField({ id, label: visit.say(property.key), value }, visit)
}

function tipField(visit: CheckoutVisit): Html | string {
  const { scene, say, typed } = visit
  if (scene.tipFor === null) return ''
  const label = `${say('tip')} (${scene.order.currency})`
  const help = say('tipFor', { name: scene.tipFor })
  const value = typed.get('tip') ?? ''
  return textField({ id: 'tip', label, value, help, optional: true, digits: 'decimal', longest: 12 }, visit)
}

function methodFields(visit: CheckoutVisit): Html | string {
  if (visit.method === 'card') return cardFields(visit)
  return visit.method === 'saved-card' ? savedCardFields(visit) : providerInputs(visit)
}

function payWords({ scene, say, method }: CheckoutVisit): string {
  if (method !== 'card' && method !== 'saved-card') {
    const provider = providerName(scene, method)
    if (scene.offer.preselected) return say('confirm')
    return provider === null ? say('continue') : say('continueTo', { provider })
  }
  if (scene.request.subscriptionPlan) return say('payPlan')
  return scene.tipFor === null ? say('paySum', { sum: scene.sum }) : say('pay')
}

/** The last try failed and the order can still be paid. */
function lastTry({ scene: { order, failAddress }, say }: CheckoutVisit): Html | string {
  const { fail_reason: reason, valid_until } = order
  if (reason === null || valid_until === null) return ''
  const why = isTextKey(reason) ? say(reason) : reason
  return html`<div class="notice" role="status"><h2>${say('failed')}</h2><p>${why} ${say('nothingTaken')}</p>
<p>${say('tryAgain', { time: timeText(valid_until) })}</p><p><a href="${failAddress}">${say('backToShop')}</a></p></div>`
}

const labelled: Readonly<Record<string, TextKey>> = {
  number: 'number',
  expiry: 'expiry',
  cvv: 'cvv',
  tip: 'tip',
  bank: 'bank',
  saved: 'savedCard',
  personalNumber: 'PERSONAL_NUMBER',
  isForeign: 'IS_FOREIGN',
}

function labels(visit: CheckoutVisit, say: Say): ReadonlyMap<string, string> {
  const properties = visit.scene.properties.map(({ key }) => [propertyField(key), say(key)] as const)
  return new Map([...Object.entries(labelled).map(([field, key]) => [field, say(key)] as const), ...properties])
}

function form(visit: CheckoutVisit): Html {
  const { scene, say, method, complaints } = visit
  const atProvider = scene.offer.preselected && method !== 'card'
  // The first button of a form is what the Enter key presses, so paying comes first, unseen.
  return html`<section class="sheet" aria-labelledby="how">
${problems(visit, labels(visit, say))}
${complaints.length === 0 ? lastTry(visit) : ''}
<form method="post" action="${queryOf(visit) || '?'}">
<button class="first" name="do" value="pay" tabindex="-1" aria-hidden="true">${payWords(visit)}</button>
<input type="hidden" name="method" value="${method}">
<h2 id="how">${heading(visit)}</h2>
${methodButtons(visit)}
${atProvider && scene.offer.provider !== null ? html`<p>${say('atProviderHelp', { provider: scene.offer.provider })}</p>` : ''}
${scene.properties.filter(({ editable }) => editable).map((property) => editableProperty(property, visit))}
${tipField(visit)}
${methodFields(visit)}
<button class="main" name="do" value="pay"${visit.filled === null ? '' : raw(' autofocus')}>${payWords(visit)}</button>
${atProvider ? html`<button class="second" name="do" value="refuse" formnovalidate>${say('decline')}</button>` : ''}
${method === 'card' ? testCardList(visit) : ''}
</form>
</section>`
}

export function payPage(visit: CheckoutVisit): Html {
  const { scene, say, language, complaints, method } = visit
  const title = `${say('payment')}: ${scene.recipient}`
  return documentOf({
    ...{ language, say, alone: false },
    title: complaints.length > 0 ? `${say('error')}: ${title}` : title,
    more: scene.offer.methods[0] === method ? '' : `&method=${method}`,
    main: html`${summary(visit, 'pay')}${form(visit)}`,
    footer: fromTerminal(scene, say),
  })
}
