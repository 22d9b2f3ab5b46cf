/** The tip: shares of the sum by a click, or any sum. */
import { html } from 'hono/html'
import type { Html } from '../answer.ts'
import { textField } from '../entries/field.ts'
import type { CheckoutVisit } from '../visit.ts'

/** In percent; 0 for none. */
export const tipShares = [0, 10, 15, 20]

/** Buttons, so that the sum on the button to pay is right at once. */
export function tipFields(visit: CheckoutVisit): Html | string {
  const { scene, say, typed } = visit
  if (scene.tipFor === null) return ''
  const field = textField(
    {
      id: 'tip',
      label: `${say('tip')} (${scene.order.currency})`,
      value: typed.get('tip') ?? '',
      help: say('tipFor', { name: scene.tipFor }),
      placeholder: '0.00',
      ...{ optional: true, digits: 'decimal', longest: 12 },
    },
    visit,
  )
  const button = (share: number) =>
    html`<button name="do" value="tip:${share}" formnovalidate>${share === 0 ? say('noTip') : `${share} %`}</button>`
  return html`${field}<div class="shares">${tipShares.map(button)}</div>`
}
