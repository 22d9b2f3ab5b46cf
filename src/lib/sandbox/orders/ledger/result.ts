/** An order as the ledger tells of it. */
import { z } from 'zod'
import { jsonAmount, oneWordOf, uuidText } from '../../../result.ts'
import { sandboxMoment } from '../../clock/result.ts'

export const ledgerOrderResult = z.strictObject({
  integratorOrderId: z.string(),
  integratorId: uuidText,
  status: z.string(),
  amount: jsonAmount,
  currency: z.string(),
  tip: jsonAmount.describe('What the payer added.'),
  acquiringAmount: jsonAmount.describe(
    "What left the payer's card, the charges of a plan not counted, or is blocked on it; 0 before.",
  ),
  acquiringCurrency: z.string(),
  distributionCurrency: z.string(),
  commissionType: oneWordOf(['SENDER', 'RECEIVER', 'BOTH']),
  charges: z.int().min(0).describe("How often the payer's card was charged, the charges of a plan among them."),
  refunded: jsonAmount.describe("What was asked back and did not fail, in the order's currency."),
  refunds: z.int().min(0).describe('In how many refunds.'),
  returned: jsonAmount.describe('What the payer has back, in the acquiring currency.'),
  cardSaved: z.boolean(),
  splits: z
    .array(
      z.strictObject({
        receiverType: oneWordOf(['BRANCH', 'USER', 'IBAN']),
        receiverIdentifier: z.string(),
        amount: jsonAmount.describe("Its share, in the order's currency."),
        received: jsonAmount.describe('What is with it now, in the distribution currency.'),
        tip: z.boolean().describe('Whether it is the tip.'),
      }),
    )
    .describe("Who shares in it; the order's own receiver first."),
  subscriptionId: z.string().nullable().describe('Of an order with a plan.'),
  failReason: z.string().nullable().describe('Why the last try to pay failed.'),
  createdAt: sandboxMoment,
})
