/** The page of an order that can be paid: what for, then how. */
import { html, raw } from 'hono/html'
import type { Method } from '../../orders/choice.ts'
import type { Html } from '../answer.ts'
import { textField, yesNo } from '../entries/field.ts'
import { propertyField, type ShownProperty } from '../entries/property.ts'
import { timeText } from '../scene.ts'
import { type CheckoutVisit, queryOf } from '../visit.ts'
import { cardFields } from './card-form.ts'
import { documentOf } from './document.ts'
import { drawer, payFormId } from './drawer.ts'
import { providerInputs, providerName, savedCardFields } from './method-form.ts'
import { facts, head, orderId } from './summary.ts'
import { isTextKey, type TextKey } from './texts/texts.ts'
import { tipFields } from './tip.ts'

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

function methodFields(visit: CheckoutVisit): Html | string {
  if (visit.method === 'card') return cardFields(visit)
  return visit.method === 'saved-card' ? savedCardFields(visit) : providerInputs(visit)
}

/** The sum on the button is the one that is charged. */
function payWords({ scene, say, method, tip }: CheckoutVisit): string {
  if (method !== 'card' && method !== 'saved-card') {
    const provider = providerName(scene, method)
    if (scene.offer.preselected) return say('confirm')
    return provider === null ? say('continue') : say('continueTo', { provider })
  }
  const sum = scene.sumsWith(tip).charged
  const { subscriptionPlan: plan } = scene.request
  if (plan) return plan.startDate === undefined ? say('payPlanNow', { sum }) : say('payPlan')
  return say('paySum', { sum })
}

/** The last try failed and the order can still be paid. */
function lastTry({ scene: { order, failAddress }, say }: CheckoutVisit): Html | string {
  const { fail_reason: reason, due: payableUntil } = order
  if (reason === null || payableUntil === null) return ''
  const why = isTextKey(reason) ? say(reason) : reason
  return html`<div class="notice" role="status"><h2>${say('failed')}</h2><p>${why} ${say('nothingTaken')}</p>
<p>${say('tryAgain', { time: timeText(payableUntil) })}</p><p><a href="${failAddress}">${say('backToShop')}</a></p></div>`
}

/** The sum that the button says, and that nothing else is charged than it. */
function shownSum({ scene, tip }: CheckoutVisit): Html {
  return html`<input type="hidden" name="shown" value="${scene.sumsWith(tip).charged}">`
}

function notices(visit: CheckoutVisit): Html | string {
  const { complaints, sumChanged, say, scene, tip } = visit
  if (complaints.length > 0) return ''
  if (!sumChanged) return lastTry(visit)
  return html`<p class="notice" role="status">${say('sumChanged', { sum: scene.sumsWith(tip).charged })}</p>`
}

function form(visit: CheckoutVisit): Html {
  const { scene, say, method } = visit
  const atProvider = scene.offer.preselected && method !== 'card'
  // The first button of a form is what the Enter key presses, so paying comes first, unseen.
  return html`${notices(visit)}
<form method="post" id="${payFormId}" action="${queryOf(visit) || '?'}">
<button class="first" name="do" value="pay" tabindex="-1" aria-hidden="true">${payWords(visit)}</button>
<input type="hidden" name="method" value="${method}">${shownSum(visit)}
<h2${scene.offer.methods.length > 1 ? raw(' class="unseen"') : ''}>${heading(visit)}</h2>
${methodButtons(visit)}
${atProvider && scene.offer.provider !== null ? html`<p>${say('atProviderHelp', { provider: scene.offer.provider })}</p>` : ''}
${scene.properties.filter(({ editable }) => editable).map((property) => editableProperty(property, visit))}
${tipFields(visit)}
${methodFields(visit)}
<button class="main" name="do" value="pay"${visit.filled === null && !visit.sumChanged ? '' : raw(' autofocus')}>${payWords(visit)}</button>
${atProvider ? html`<button class="second" name="do" value="refuse" formnovalidate>${say('decline')}</button>` : ''}
</form>`
}

export function payPage(visit: CheckoutVisit): Html {
  const { scene, say, language, complaints, method, script } = visit
  const title = `${say('payment')}: ${scene.recipient}`
  return documentOf({
    ...{ language, say, script },
    title: complaints.length > 0 ? `${say('error')}: ${title}` : title,
    more: scene.offer.methods[0] === method ? '' : `&method=${method}`,
    main: html`${head(visit, 'pay')}${facts(visit, 'pay')}${form(visit)}${orderId(visit)}`,
    drawer: drawer(visit),
  })
}
