/**
 * Groups 2 and 3 of the codes of areas B, C and D (service.md#order-codes): what the state of an order or the integrator's
 * permissions forbid.
 */

import { fact, hint, paste } from '../../hint.ts'
import { type Permission, permissions } from '../permission.ts'
import type { CodeRows } from './code.ts'

const lookAtStatus = hint`See \`${paste('order status', fact('integratorOrderId'))}\`.`

export const businessCodes: CodeRows = {
  6003: ['order expired', 'the order was not paid in time', hint`Create a new one with \`${paste('order create')}\`.`],
  6006: ['not found or final', 'the order was not found, or its status does not allow this any more', lookAtStatus],
  6015: ['no longer valid', 'the order is no longer valid', lookAtStatus],
  6016: ['already paid', 'the order is paid already', lookAtStatus],
  6017: ['expired', 'the order has expired', hint`Create a new one with \`${paste('order create')}\`.`],
  6023: ['integratorOrderId exists', 'an order with this integratorOrderId exists at the service', lookAtStatus],
  6024: [
    'receiverType must be BRANCH',
    'the receiver of an order is always a branch',
    'Leave --receiver-type out: it is filled in.',
  ],
  6034: [
    'more than one provider',
    'an order may pre-select one way of paying only',
    'Keep one of --direct-link-provider, --open-banking-link-provider, --crypto-payment-provider and --installment-payment-provider.',
  ],
  6130: [
    'merchant balance too low',
    "the receiver's balance does not cover the refund",
    hint`Top the balance up, then run \`${paste('order refund')}\` again.`,
  ],
}

type OrderPermission = Exclude<Permission, 'debtor' | 'fromIban'>

/** Permission → name of the code, and what can be done without it. */
const withoutIt: Readonly<Record<OrderPermission, readonly [name: string, otherwise: string]>> = {
  create: ['create orders', 'Check --integrator-id of the profile'],
  currencies: ['multi-currency', 'Leave --acquiring-currency and --distribution-currency out'],
  saveCard: ['save card', 'Leave --save-card out'],
  validUntil: ['expiry date', 'Leave --valid-until out'],
  provider: ['direct link', 'Leave the provider out: the payer then chooses at checkout'],
  redirect: ['redirect address per order', 'Leave --success-redirect-uri and --fail-redirect-uri out'],
  additional: ['additional fields', 'Leave --tip-receiver-id and --tip-receiver-type out'],
  refund: ['refund', 'Have an operator of the service refund the order'],
  callback: ['callback address per order', 'Leave --callback-uri out'],
  split: ['split', 'Leave --split out'],
  cardToken: [
    'pay with saved card',
    'Leave --card-token-file and --card-from-order out: the payer then enters the card',
  ],
  plan: ['subscription', 'Leave --plan out'],
}

export const permissionCodes: CodeRows = Object.fromEntries(
  (Object.entries(withoutIt) as [OrderPermission, readonly [string, string]][]).map(([permission, words]) => {
    const { code, words: what } = permissions[permission]
    const [name, otherwise] = words
    return [code, [name, `the integrator is not permitted ${what}`, `${otherwise}, or ask the service to permit it.`]]
  }),
)
