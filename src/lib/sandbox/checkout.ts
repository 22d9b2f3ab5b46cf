/** What stands at an order's checkout address until the sandbox has a page there: how to play the payer. */
import { orderById } from '../store/sandbox-orders.ts'
import type { Reader } from '../store/sandbox-schema.ts'
import { testCards } from './card/test-card.ts'
import { requestOf } from './order/terms.ts'
import { money } from './world.ts'

/** Where payers go, below the server's address. */
export const checkoutPath = '/checkout/'

export async function checkoutText(db: Reader, orderId: string): Promise<string | null> {
  const order = await orderById(db, orderId.toLowerCase())
  if (!order) return null
  const { integratorOrderId } = requestOf(order)
  const pay = `paydesk sandbox trigger paid --order ${integratorOrderId}`
  const lines = [
    'paydesk sandbox: no real money',
    '',
    `Order ${integratorOrderId}: ${order.currency} ${money(order.amount)}, ${order.status}`,
    '',
    'Play the payer:',
    `  ${pay}`,
    `  ${pay} --card ${testCards.map(({ name }) => name).join('|')}`,
    `  ${pay.replace('paid', 'declined')}`,
    `  ${pay.replace('paid', 'expired')}`,
  ]
  return `${lines.join('\n')}\n`
}
