/** The checkout pages on a server: where the address of an order leads, and the forms that payers send from there. */
import { readBody } from '../server/body.ts'
import { askedOf } from '../server/exchange.ts'
import { exchangeOf, responseOf, type SandboxPage } from '../server/page.ts'
import type { Service } from '../service.ts'
import { answerCheckout } from './checkout.ts'
import { checkoutPath } from './path.ts'

export function checkoutPage({ around }: Pick<Service, 'around'>): SandboxPage {
  return (app, { checkoutScript, tell }) => {
    app.on(['GET', 'POST'], `${checkoutPath}:order`, async (c) => {
      const body = await readBody(c.env.incoming)
      const { query, ...asked } = askedOf(exchangeOf(c), body)
      const method = asked.method === 'POST' ? 'POST' : 'GET'
      const http = { ...asked, method, query, headers: c.req.header() } as const
      const answer = await answerCheckout(http, await around(), (await checkoutScript?.()) ?? null)
      tell(c, answer.status)
      return responseOf(answer)
    })
  }
}
