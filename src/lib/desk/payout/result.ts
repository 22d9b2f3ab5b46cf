/** Results of reads of payouts and balances, as `--json` prints them. */
import { z } from 'zod'
import { environmentWord, journalIdText, jsonAmount, oneWordOf, uuidText, warningTexts } from '../../result.ts'

export const payoutReadResult = z
  .looseObject({
    transactionId: z
      .string()
      .regex(/^[0-9]+$/)
      .describe('As text: it may exceed 2^53.'),
    status: z
      .string()
      .describe(
        'INITIAL, PENDING, INITIAL_INSUFFICIENT_BALANCE (not final), SUCCESS, REJECTED, FAILED, DELETED (final); new ones may come and are not final.',
      ),
    statusDescription: z.string().nullable(),
    amount: jsonAmount.describe('With the digits received.'),
    toIban: z.string().nullable().describe('Null for a registered receiver.'),
    currency: z.string(),
    paymentDescription: z.string().nullable(),
    uniqueId: z.string(),
    createdAt: z.string().nullable().describe("The service's time, as received: it has no zone."),
    commissionAmount: jsonAmount.nullable().optional().describe('Only if the service sent it.'),
    journalId: journalIdText.nullable().describe('Null for a payout that this journal does not know.'),
    profile: z.string(),
    environment: environmentWord,
    warnings: warningTexts,
  })
  .describe(
    'What the service said, members that paydesk does not know included, and where paydesk knows the payout from. With `payout wait` and exit code 8 the last that was seen.',
  )
  .meta({ file: 'payout-get', title: 'payout get --json, payout wait --json' })

export const payoutDiffResult = z
  .strictObject({
    transactionId: z
      .string()
      .regex(/^[0-9]+$/)
      .describe('As text: it may exceed 2^53.'),
    uniqueId: uuidText,
    equal: z.boolean().describe('Whether nothing that can be compared differs.'),
    compared: z.array(
      z.strictObject({
        field: oneWordOf(['status', 'uniqueId', 'amount', 'currency', 'toIban', 'description', 'createdAt']),
        journal: z.string().nullable(),
        service: z.string().nullable(),
        equal: z.boolean().nullable().describe('Null where they cannot be compared.'),
        note: z.string().nullable().describe('Why they cannot be compared.'),
      }),
    ),
    journalId: journalIdText,
    profile: z.string(),
    environment: environmentWord,
    warnings: warningTexts,
  })
  .describe('The exit code is 0 whether or not they agree.')

export const balancesResult = z.array(
  z.strictObject({
    currency: z.string(),
    amount: jsonAmount.nullable().describe('With the digits received; null without an account.'),
    note: z.string().nullable().describe('Why there is no amount.'),
  }),
)
