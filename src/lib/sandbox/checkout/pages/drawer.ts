/** The drawer of the sandbox below the card: whatever only a test has. It looks like no part of the payment, for it is none. */
import { html } from 'hono/html'
import { type TestCard, testCards } from '../../cards/test-card.ts'
import type { Html } from '../answer.ts'
import { grouped } from '../entries/groups.ts'
import { fromTerminal } from '../terminal.ts'
import type { CheckoutVisit } from '../visit.ts'
import { isTextKey, type Say } from './texts/texts.ts'

/** The form of the payment, which buttons in the drawer belong to. */
export const payFormId = 'payment'

function whatHappens({ name, outcome }: TestCard, say: Say): string {
  const key = `card-${name}`
  return isTextKey(key) ? say(key) : outcome
}

function testCardList(say: Say): Html {
  const button = (card: TestCard) =>
    html`<li><button form="${payFormId}" name="do" value="fill:${card.name}" formnovalidate><b>${card.cardBrand} ${grouped(card.number)}</b> <span>${whatHappens(card, say)}</span></button></li>`
  return html`<p class="quiet">${say('testCardsHelp')}</p><ul>${testCards.map(button)}</ul>`
}

export function drawer({ scene, say, method }: CheckoutVisit): Html {
  const byCard = method === 'card'
  return html`<aside class="drawer" aria-label="${say('drawer')}"><details>
<summary><span>${say('drawer')}</span> ${say(byCard ? 'testCards' : 'fromTerminal')}</summary>
${byCard ? testCardList(say) : ''}
${fromTerminal(scene, say)}
</details></aside>`
}
