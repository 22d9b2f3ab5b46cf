/** The page of an order whose payment is under way: the bank asks for a code or a yes, or takes its time. */
import { html } from 'hono/html'
import { choiceOf } from '../../orders/choice.ts'
import type { Html } from '../answer.ts'
import { textField } from '../entries/field.ts'
import { type CheckoutVisit, queryOf } from '../visit.ts'
import { documentOf } from './document.ts'
import { facts, head, orderId } from './summary.ts'

function codeForm(visit: CheckoutVisit): Html {
  const { say } = visit
  return html`<h2>${say('codeTitle')}</h2><p>${say('codeHelp')}</p>
${textField({ id: 'code', label: say('code'), value: '', digits: 'numeric', placeholder: '123456', longest: 9 }, visit)}`
}

function confirmation({ scene, say }: CheckoutVisit): Html {
  const provider = choiceOf(scene.order)?.provider
  return html`<h2>${say('atProvider')}</h2>${provider ? html`<p>${say('atProviderHelp', { provider })}</p>` : ''}`
}

/** The bank waits for the payer. */
export function stepPage(visit: CheckoutVisit): Html {
  const { scene, say, language, complaints } = visit
  const asks = scene.order.awaits === 'code'
  const title = say(asks ? 'codeTitle' : 'atProvider')
  const main = html`${head(visit, 'step')}${facts(visit, 'step')}
<form method="post" action="${queryOf(visit) || '?'}">
<button class="first" name="do" value="confirm" tabindex="-1" aria-hidden="true">${say('confirm')}</button>
${asks ? codeForm(visit) : confirmation(visit)}
<button class="main" name="do" value="confirm">${say('confirm')}</button>
<button class="second" name="do" value="refuse-step" formnovalidate>${say('decline')}</button>
</form>${orderId(visit)}`
  return documentOf({
    language,
    say,
    main,
    title: complaints.length > 0 ? `${say('error')}: ${title}` : title,
  })
}

/** A page for a payer who can only wait. */
export function waitPage(visit: CheckoutVisit): Html {
  const { say, language } = visit
  const main = html`<div role="status"><h1>${say('processing')}</h1>
<p>${say('processingText')}</p></div><p><a class="button" href="${queryOf(visit) || '?'}">${say('reload')}</a></p>`
  return documentOf({ language, say, main, title: say('processing'), next: { seconds: 3, address: '' } })
}
