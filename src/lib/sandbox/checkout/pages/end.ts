/** The end of an order, and the way back to the shop. */
import { html } from 'hono/html'
import { orderEnd } from '../../../contract/order/status.ts'
import type { OrderRow } from '../../../store/sandbox/schema.ts'
import type { OrderStage } from '../../orders/stage.ts'
import type { Html } from '../answer.ts'
import type { CheckoutVisit } from '../visit.ts'
import { documentOf } from './document.ts'
import { facts, head, orderId } from './summary.ts'
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

const marks = { good: '✓', bad: '×', over: '–' } as const

/** Nothing went wrong with an order that was cancelled or whose time is over. */
function markOf(stage: EndStage, good: boolean): keyof typeof marks {
  if (good) return 'good'
  return stage === 'failed' ? 'bad' : 'over'
}

export function endPage(visit: CheckoutVisit, stage: EndStage): Html {
  const { scene, say, language } = visit
  const { order } = scene
  const good = orderEnd(order.status) === 'paid' || stage === 'held'
  const address = good ? scene.successAddress : scene.failAddress
  const next = leadsAway.includes(stage) && !isReserved(address) ? { seconds: secondsToRead, address } : null
  const title = say(titles[stage])
  const main = html`<div class="end"><div role="status">
<div class="mark ${markOf(stage, good)}" aria-hidden="true">${marks[markOf(stage, good)]}</div>
<h1>${title}</h1><p class="quiet">${explanation(order, stage, say)}</p></div>
${head(visit, 'end')}</div>${facts(visit, 'end')}
<p><a class="button main" href="${address}">${say('backToShop')}</a></p>
${next === null ? '' : html`<p class="quiet soon">${say('soon', { n: String(secondsToRead) })}</p>`}
${orderId(visit)}`
  return documentOf({ language, say, main, title: `${title}: ${scene.recipient}`, next })
}

/** A page with nothing but these words. */
export function plainPage({ language, say }: Pick<CheckoutVisit, 'language' | 'say'>, text: TextKey): Html {
  const main = html`<h1>${say(text)}</h1>`
  return documentOf({ language, say, main, title: say(text) })
}
