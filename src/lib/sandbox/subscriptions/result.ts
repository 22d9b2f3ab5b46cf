/** A subscription as the ledger tells of it. */
import { z } from 'zod'
import { jsonAmount, oneWordOf, uuidText } from '../../result.ts'
import { sandboxMoment } from '../clock/result.ts'

export const ledgerSubscriptionResult = z.strictObject({
  subscriptionId: uuidText,
  integratorId: uuidText,
  integratorOrderId: z.string(),
  status: oneWordOf(['WAITING_FOR_CARD', 'ACTIVE', 'REVOKED', 'ENDED']).describe('ENDED: its order was never paid.'),
  interval: oneWordOf(['MONTHLY', 'WEEKLY']),
  intervalCount: z.int().min(1),
  amount: jsonAmount,
  completed: z.int().min(0).describe('Charges that succeeded.'),
  failed: z.int().min(0).describe('Charges that failed.'),
  nextChargeAt: z.string().nullable(),
  createdAt: sandboxMoment,
})
