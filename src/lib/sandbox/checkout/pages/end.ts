/** The end of an order, and the way back to the shop. */
import { html } from 'hono/html'
import { orderEnd } from '../../../contract/order/status.ts'
import type { OrderRow } from '../../../store/sandbox/schema/orders.ts'
import type { OrderStage } from '../../orders/stage.ts'
import type { Html } from '../answer.ts'
import type { CheckoutVisit } from '../visit.ts'
import { documentOf } from './document.ts'
import { summary } from './summary.ts'
import { isTextKey, type Say, type TextKey } from './texts/texts.ts'

/** An order that can still be paid has pages of its own. */
export type EndStage = Exclude<OrderStage, 'payable' | 'being-paid'>

const titles: Readonly<Record<EndStage, TextKey>> = {
  paid: 'paid',
  held: 'held',
  failed: 'failed',
  canceled: 'canceled',
  expired: 'expired',
  refunding: 'refunding',
  'partly-refunded': 'partlyRefunded',
  refunded: 'refunded',
  'refund-failed': 'paid',
}

function explanation({ status, fail_reason: reason }: OrderRow, stage: OrderStage, say: Say): string {
  if (stage === 'paid') return say('paidText')
  if (stage === 'held') return say('heldText')
  if (orderEnd(status) !== 'not-paid') return ''
  const why = stage === 'failed' && reason !== null ? `${isTextKey(reason) ? say(reason) : reason} ` : ''
  return `${why}${say('nothingTaken')}`
}

/** Names that lead nowhere, kept for examples and tests (RFC 2606, RFC 6761); `localhost` leads to this machine. */
function isReserved(address: string): boolean {
  const { hostname } = new URL(address)
  return /(^|\.)(example|invalid|test|example\.(com|net|org))$/.test(hostname)
}

const secondsToRead = 5

/** Only after a payment has just ended: the page of an older order stays. */
const leadsAway: readonly OrderStage[] = ['paid', 'held', 'failed']

export function endPage(visit: CheckoutVisit, stage: EndStage): Html {
  const { scene, say, language } = visit
  const { order } = scene
  const good = orderEnd(order.status) === 'paid' || stage === 'held'
  const address = good ? scene.successAddress : scene.failAddress
  const next = leadsAway.includes(stage) && !isReserved(address) ? { seconds: secondsToRead, address } : null
  const title = say(titles[stage])
  const main = html`<section class="sheet"><div role="status">
<div class="mark${good ? '' : ' bad'}" aria-hidden="true">${good ? '✓' : '×'}</div>
<h1>${title}</h1><p>${explanation(order, stage, say)}</p></div>
<p><a class="button main" href="${address}">${say('backToShop')}</a></p>
${next === null ? '' : html`<p class="quiet">${say('soon', { n: String(secondsToRead) })}</p>`}
</section>${summary(visit, 'end')}`
  return documentOf({ language, say, main, alone: false, title: `${title}: ${scene.recipient}`, next })
}

/** A page with nothing but these words. */
export function plainPage({ language, say }: Pick<CheckoutVisit, 'language' | 'say'>, text: TextKey): Html {
  const main = html`<section class="sheet"><h1>${say(text)}</h1></section>`
  return documentOf({ language, say, main, alone: true, title: say(text) })
}
