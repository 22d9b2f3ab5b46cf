/** The summary of a payment: its recipients with their parts, and the facts of the order besides. */
import { html } from 'hono/html'
import { fromMinorUnits, minorUnits } from '../../../contract/core/decimal.ts'
import { orderEnd } from '../../../contract/order/status.ts'
import { stageOf } from '../../orders/stage.ts'
import type { Html } from '../answer.ts'
import { propertyField, type ShownProperty } from '../entries/property.ts'
import { type Scene, timeText } from '../scene.ts'
import type { CheckoutVisit } from '../visit.ts'
import type { Say } from './texts/texts.ts'

function line(name: string, value: unknown): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

export function propertyText({ key, value }: ShownProperty, say: Say): string {
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

function chargedWhy({ tipFor, order }: Scene, say: Say): string {
  const exchanged = order.currency !== order.acquiring_currency
  const commission = order.commission_type !== 'RECEIVER'
  const why = say(exchanged && commission ? 'withBoth' : exchanged ? 'withExchange' : 'withCommission')
  return tipFor !== null && stageOf(order) === 'payable' ? `${why}; ${say('plusTip')}` : why
}

/** Tips are part of the sum once they are known. */
function tipLine({ order }: Scene, say: Say): Html | string {
  return order.tip === 0 ? '' : line(say('tip'), `${fromMinorUnits(BigInt(order.tip))} ${order.currency}`)
}

/** The payer's charge, where it differs from the sum and is or will be taken. */
function chargedLine(scene: Scene, say: Say): Html | string {
  const { charged, order } = scene
  const over = orderEnd(order.status)
  if (charged === null || over === 'not-paid') return ''
  return html`<div><dt>${say(over === 'paid' ? 'wasCharged' : 'charged')}</dt><dd>${charged}</dd><dd class="why">${chargedWhy(scene, say)}</dd></div>`
}

/** While it is paid the recipient is what the page is about; then editable properties stand in the form, and not here. */
export function summary({ scene, say }: Pick<CheckoutVisit, 'scene' | 'say'>, at: 'pay' | 'step' | 'end'): Html {
  const { order, request, recipient, sum, parts } = scene
  const every = rhythm(scene, say)
  const properties = scene.properties.filter(({ editable }) => !(at === 'pay' && editable))
  return html`<section class="sheet summary" aria-labelledby="recipient">
<p class="quiet">${say('recipient')}</p>
${at === 'end' ? html`<h2 class="recipient" id="recipient">${recipient}</h2>` : html`<h1 id="recipient">${recipient}</h1>`}
<p class="sum">${sum}</p>
${every === null ? '' : html`<p>${every}, ${beginning(scene, say)}</p><p class="quiet">${say('planSaves')}</p>`}
<dl>
${chargedLine(scene, say)}
${tipLine(scene, say)}
<div><dt>${say('order')}</dt><dd class="why">${request.integratorOrderId}</dd></div>
${properties.map((property) => html`<div id="${propertyField(property.key)}-text"><dt>${say(property.key)}</dt><dd>${propertyText(property, say)}</dd></div>`)}
</dl>
${
  parts.length === 0
    ? ''
    : html`<h2>${say('split')}</h2><dl>${parts.map(({ name, account, sum: part }) =>
        line(account ? `${say('account')} ${name}` : name, part),
      )}</dl>`
}
${
  order.valid_until !== null && stageOf(order) === 'payable'
    ? html`<p class="quiet">${say('payUntil', { time: timeText(order.valid_until) })}</p>`
    : ''
}
</section>`
}
