/** How an order ended, and the way back to the shop. */
import { html } from 'hono/html'
import { orderEnd } from '../../../contract/order/status.ts'
import type { Html } from '../answer.ts'
import type { CheckoutVisit } from '../visit.ts'
import { documentOf } from './document.ts'
import { summary } from './summary.ts'
import { isTextKey, type Say, type TextKey } from './texts.ts'

const titles: Readonly<Record<string, TextKey>> = {
  SUCCESS: 'paid',
  WAITING_FOR_CONFIRM: 'held',
  FAILED: 'failed',
  CANCELED: 'canceled',
  EXPIRED: 'expired',
  REFUND_REQUESTED: 'refunding',
  PARTIALLY_REFUNDED: 'partlyRefunded',
  REFUNDED_FAILED: 'paid',
}

function titleOf(status: string, say: Say): string {
  const key = titles[status] ?? (status.startsWith('REFUNDED_BY_') ? 'refunded' : null)
  return key ? say(key) : say('unknownEnd', { status })
}

function explanation(status: string, reason: string | null, say: Say): string {
  if (status === 'SUCCESS') return say('paidText')
  if (status === 'WAITING_FOR_CONFIRM') return say('heldText')
  if (orderEnd(status) !== 'not-paid') return ''
  const why = status === 'FAILED' && reason !== null ? `${isTextKey(reason) ? say(reason) : reason} ` : ''
  return `${why}${say('nothingTaken')}`
}

/** Names that lead nowhere, kept for examples and tests (RFC 2606, RFC 6761); `localhost` leads to this machine. */
function isReserved(address: string): boolean {
  const { hostname } = new URL(address)
  return /(^|\.)(example|invalid|test|example\.(com|net|org))$/.test(hostname)
}

const secondsToRead = 5

/** Only after a payment has just ended one way or the other: whoever looks at an old order may read on. */
const leadsAway: readonly string[] = ['SUCCESS', 'WAITING_FOR_CONFIRM', 'FAILED']

export function endPage(visit: CheckoutVisit): Html {
  const { scene, say, language } = visit
  const { status, fail_reason } = scene.order
  const good = orderEnd(status) === 'paid' || status === 'WAITING_FOR_CONFIRM'
  const address = good ? scene.successAddress : scene.failAddress
  const next = leadsAway.includes(status) && !isReserved(address) ? { seconds: secondsToRead, address } : null
  const title = titleOf(status, say)
  const main = html`<section class="sheet"><div role="status">
<div class="mark${good ? '' : ' bad'}" aria-hidden="true">${good ? '✓' : '×'}</div>
<h1>${title}</h1><p>${explanation(status, fail_reason, say)}</p></div>
<p><a class="button main" href="${address}">${say('backToShop')}</a></p>
${next === null ? '' : html`<p class="quiet">${say('soon', { n: String(secondsToRead) })}</p>`}
</section>${summary(visit, 'end')}`
  return documentOf({ language, say, main, alone: false, title: `${title}: ${scene.recipient}`, next })
}

/** There is nothing here. */
export function plainPage({ language, say }: Pick<CheckoutVisit, 'language' | 'say'>, text: TextKey): Html {
  const main = html`<section class="sheet"><h1>${say(text)}</h1></section>`
  return documentOf({ language, say, main, alone: true, title: say(text) })
}
