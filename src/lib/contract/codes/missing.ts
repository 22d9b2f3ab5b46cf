/** Group 5 of the codes of areas B, C and D (service.md#order-codes): objects that the service did not find. */
import { fact, hint, paste } from '../../hint.ts'
import type { CodeRows } from './code.ts'

const checkIntegrator = hint`Check --integrator-id of the profile with \`${paste('profile show')}\`, then \`${paste('profile check')}\`.`

export const missingCodes: CodeRows = {
  2158: [
    'branch account not found',
    'nobody is registered as the receiver of the order',
    'Correct --receiver-id: the service gives it to you.',
  ],
  6002: [
    'active check order not found',
    'there is no order to check that is still open',
    hint`See \`${paste('order status', fact('integratorOrderId'))}\`.`,
  ],
  6004: ['active integrator not found', 'the service knows no active integrator of this identity', checkIntegrator],
  6005: [
    'integrator order not found',
    'the integrator has no order of this id',
    hint`Check the integratorOrderId with \`${paste('journal list')}\`.`,
  ],
  6008: ['active integrator not found', 'the service knows no active integrator of this identity', checkIntegrator],
  6030: [
    'tip receiver not found',
    'nobody is registered to get the tip',
    'Correct --tip-receiver-id, or leave it out.',
  ],
  6044: [
    'active third party not found',
    'the service knows no active wallet integrator of this identity',
    hint`Check --wallet-identifier of the profile with \`${paste('profile show')}\`.`,
  ],
  6045: [
    'third-party order not found',
    'there is no wallet order of this id',
    hint`Check the uniqueId with \`${paste('journal list')}\`.`,
  ],
  6046: ['order not found', 'there is no order of this id', hint`Check the id with \`${paste('journal list')}\`.`],
  6075: [
    'card not found',
    'no card was saved with this order',
    hint`A card is saved only when an order with --save-card is paid: see \`${paste('order status', fact('integratorOrderId'))}\`.`,
  ],
  6093: [
    'DEFAULT direct-link provider not found',
    'the receiver has no default bank for card payments',
    'Name the bank with --direct-link-provider.',
  ],
  6100: [
    'subscription plan not found',
    'there is no subscription of this id',
    'Check the subscriptionId: the subscription callback carries it.',
  ],
  6112: ['plan history not found', 'the subscription has no payments yet', 'Try again after the first payment is due.'],
}
