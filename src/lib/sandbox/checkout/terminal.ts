/** The same payment without a browser, for tests of an integration. */
import { html } from 'hono/html'
import type { Html } from './answer.ts'
import type { Say } from './pages/texts/texts.ts'
import type { Scene } from './scene.ts'

export function fromTerminal({ request }: Scene, say: Say): Html {
  const paid = `paydesk sandbox trigger paid --order ${request.integratorOrderId}`
  const lines = [paid, `${paid} --card declined`, paid.replace('paid', 'expired')]
  return html`<details><summary>${say('fromTerminal')}</summary><pre>${lines.join('\n')}</pre></details>`
}
