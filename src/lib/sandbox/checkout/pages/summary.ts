/** The sum, its recipient and what it is for; below, the facts of the order besides. */
import { html } from 'hono/html'
import { fromMinorUnits, minorUnits } from '../../../contract/core/decimal.ts'
import { orderEnd } from '../../../contract/order/status.ts'
import { stageOf } from '../../orders/stage.ts'
import type { Html } from '../answer.ts'
import { propertyField, type ShownProperty } from '../entries/property.ts'
import { type Scene, timeText } from '../scene.ts'
import type { CheckoutVisit } from '../visit.ts'
import type { Say } from './texts/texts.ts'

/** While it is paid, what is editable stands in the form, and not here. */
export type SummaryPlace = 'pay' | 'step' | 'end'

function line(name: string, value: unknown): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function propertyText({ key, value }: ShownProperty, say: Say): string {
  if (key !== 'IS_FOREIGN') return value
  return say(value === 'true' ? 'yes' : 'no')
}

function rhythm({ request: { subscriptionPlan: plan } }: Scene, say: Say): string | null {
  if (!plan) return null
  const n = plan.intervalCount
  const one = minorUnits(n) === 100n
  if (plan.interval === 'WEEKLY') return one ? say('everyWeek') : say('everyWeeks', { n })
  return one ? say('everyMonth') : say('everyMonths', { n })
}

function beginning({ request: { subscriptionPlan: plan } }: Scene, say: Say): string {
  return plan?.startDate === undefined ? say('firstNow') : say('firstOn', { day: plan.startDate })
}

function chargedWhy({ order }: Scene, say: Say): string {
  const exchanged = order.currency !== order.acquiring_currency
  const commission = order.commission_type !== 'RECEIVER'
  return say(exchanged && commission ? 'withBoth' : exchanged ? 'withExchange' : 'withCommission')
}

/** The payer's charge, where it differs from the sum and is or will be taken. */
function chargedLine({ scene, say, tip }: CheckoutVisit): Html | string {
  const { sum, charged } = scene.sumsWith(tip)
  const over = orderEnd(scene.order.status)
  if (charged === sum || scene.request.subscriptionPlan || over === 'not-paid') return ''
  return html`<div><dt>${say(over === 'paid' ? 'wasCharged' : 'charged')}</dt><dd>${charged}</dd><dd class="why">${chargedWhy(scene, say)}</dd></div>`
}

/** Tips are part of the sum once they are known. */
function tipLine({ scene: { order }, say, tip }: CheckoutVisit): Html | string {
  const all = order.tip + tip
  return all === 0 ? '' : line(say('tip'), `${fromMinorUnits(BigInt(all))} ${order.currency}`)
}

function shownAt({ properties }: Scene, place: SummaryPlace): readonly ShownProperty[] {
  return properties.filter(({ editable }) => !(place === 'pay' && editable))
}

/** First of all: how much, to whom, what for. */
export function head({ scene, say, tip }: CheckoutVisit, place: SummaryPlace): Html {
  const every = rhythm(scene, say)
  const { sum } = scene.sumsWith(tip)
  const about = shownAt(scene, place).find(({ key }) => key === 'DESCRIPTION')
  return html`${place === 'end' ? html`<p class="sum">${sum}</p>` : html`<h1 class="sum">${sum}</h1>`}
<p class="shop"><span class="unseen">${say('recipient')}</span> ${scene.recipient}</p>
${about ? html`<p class="about"><span class="unseen">${say('DESCRIPTION')}</span> ${about.value}</p>` : ''}
${every === null ? '' : html`<p class="quiet">${every}, ${beginning(scene, say)}</p><p class="quiet">${say('planSaves')}</p>`}`
}

/** All else of the order, ids last. */
export function facts(visit: CheckoutVisit, place: SummaryPlace): Html {
  const { scene, say } = visit
  const { order, parts } = scene
  const others = shownAt(scene, place).filter(({ key }) => key !== 'DESCRIPTION')
  const payable = order.valid_until !== null && stageOf(order) === 'payable'
  return html`<dl>${place === 'end' && scene.endedAt !== null ? line(say('time'), timeText(scene.endedAt)) : ''}
${chargedLine(visit)}${tipLine(visit)}
${others.map((property) => html`<div id="${propertyField(property.key)}-text"><dt>${say(property.key)}</dt><dd>${propertyText(property, say)}</dd></div>`)}
${payable && order.valid_until !== null ? html`<div><dt class="whole">${say('payUntil', { time: timeText(order.valid_until) })}</dt></div>` : ''}</dl>
${
  parts.length === 0
    ? ''
    : html`<h2>${say('split')}</h2><dl>${parts.map(({ name, account, sum: part }) =>
        line(account ? `${say('account')} ${name}` : name, part),
      )}</dl>`
}`
}

/** The id, for whoever asks the shop about it. */
export function orderId({ scene, say }: CheckoutVisit): Html {
  return html`<p class="id">${say('order')} <span>${scene.request.integratorOrderId}</span></p>`
}
