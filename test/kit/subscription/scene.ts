/** Subscriptions in the sandbox. No answer shows their ids, so they come from the ledger. */

import { ledger, ordered, play } from '../order/scene.ts'
import type { Surroundings } from '../program/paydesk.ts'

export async function subscribed(around: Surroundings): Promise<string> {
  const id = await ordered(around, {
    amount: '0',
    'direct-link-provider': 'BOG',
    'save-card': true,
    plan: 'weekly:1:9.90',
  })
  await play(around, id)
  const entry = (await ledger(around)).orders.find(({ integratorOrderId }) => integratorOrderId === id)
  return String(entry?.subscriptionId)
}
