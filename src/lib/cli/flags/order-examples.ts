/** The smallest order of every kind as a command line that runs against the sandbox, for the help of `order create`. */
import type { OrderType } from '../../contract/operation.ts'
import { orderExamples } from '../../contract/order/examples.ts'
import { createOrder } from '../../contract/order/order.ts'
import { argvOf } from './fields.ts'

/** The profile that sends orders of a type in the sandbox. */
const profiles: Readonly<Record<OrderType, string>> = {
  DEFAULT: 'sandbox',
  TREASURY: 'sandbox-treasury',
  TRAFFIC_FINE: 'sandbox-traffic-fine',
}

/** Receivers of the sandbox in the place of those of the contract's examples. */
const receivers: Readonly<Record<string, string>> = {
  'f47ac10b-58cc-4372-a567-0e02b2c3d479': '5a9db0c0-0301-4a11-8c11-000000000301',
  '7c9e6679-7425-40de-944b-e07fc1f90ae7': '5a9db0c0-0311-4a11-8c11-000000000311',
}

function inSandbox(word: string): string {
  return Object.entries(receivers).reduce((text, [from, to]) => text.replaceAll(from, to), word)
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/(["\\$`])/g, '\\$1')}"`
}

export const orderExampleLines = orderExamples.map(({ title, orderType, request }) => {
  const token = request.cardToken === undefined ? [] : ['--card-token-file', 'card.token', '--wait']
  const words = ['order', 'create', '-p', profiles[orderType], ...argvOf(createOrder, request), ...token, '--yes']
  return { description: title, command: `<%= config.bin %> ${words.map(inSandbox).map(quoted).join(' ')}` }
})
