/** The same payment without a browser, for tests of an integration. */
import { html } from 'hono/html'
import { hint, hintInWords, paste } from '../../hint.ts'
import type { Html } from './answer.ts'
import type { Say } from './pages/texts/texts.ts'
import type { Scene } from './scene.ts'

export function fromTerminal({ request }: Scene, say: Say): Html {
  const line = (event: string, ...more: readonly string[]) =>
    hintInWords(hint`${paste('sandbox trigger', event, '--order', request.integratorOrderId, ...more)}`)
  const lines = [line('paid'), line('paid', '--card', 'declined'), line('expired')]
  return html`<h2>${say('fromTerminal')}</h2><pre>${lines.join('\n')}</pre>`
}
