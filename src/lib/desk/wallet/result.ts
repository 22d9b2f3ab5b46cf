/** Reads and receipts of wallet orders, as `--json` prints them. */
import { z } from 'zod'
import { environmentWord, journalIdText, jsonAmount, uuidText, warningTexts } from '../../result.ts'
import { movedSum, writeReceipt } from '../receipt/result.ts'

export const walletCreatedResult = writeReceipt({
  uniqueId: z.string().describe('Your id of the order.'),
  status: z.string().nullable().describe('REGISTERED; new ones may come.'),
  amount: jsonAmount
    .nullable()
    .describe('With the digits received; null where the service did not fix it, or its answer was lost.'),
  minAmountAllowed: jsonAmount.nullable().describe('Where the service did not fix the amount.'),
  maxAmountAllowed: jsonAmount.nullable().describe('As minAmountAllowed.'),
  currency: z.string().nullable().describe('From the QR address, if it names one.'),
  receiverName: z.string().nullable(),
  finalizeBy: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    .describe(
      "Until when `wallet finalize` must be under way, UTC: five minutes after this was sent, less 5 s, on this machine's clock.",
    ),
  secondsLeft: z.int().min(0).describe('0 when it is over.'),
  warnings: warningTexts,
})

export const walletFinalizedResult = writeReceipt({
  uniqueId: uuidText.describe('Your id of the order.'),
  status: z.string().nullable().describe('SUCCESS; null where only ALREADY_FINALISED answered for a lost answer.'),
  ...movedSum,
  currency: z.string().nullable().describe('From the QR address that the journal knows, if it names one.'),
  warnings: warningTexts,
})

export const walletCanceledResult = writeReceipt({
  uniqueId: z.string().describe('Your id of the order.'),
  status: z.string().nullable().describe('As the service said it; new ones may come.'),
})

export const walletReadResult = z
  .looseObject({
    uniqueId: z.string(),
    amount: jsonAmount
      .nullable()
      .optional()
      .describe('With the digits received; absent or null while the payer has the choice.'),
    status: z
      .string()
      .describe(
        'REGISTERED (not final), SUCCESS, FAILED: over, deleted or rejected; CANCELED is read too. New ones may come.',
      ),
    createdAt: z.string().nullable().describe("The service's time, as received: it has no zone."),
    finalisedAt: z.string().nullable().describe('As createdAt.'),
    journalId: journalIdText
      .nullable()
      .describe('Of its creation; null for an order that this journal did not create.'),
    profile: z.string(),
    environment: environmentWord,
    warnings: warningTexts,
  })
  .describe(
    'What the service said, members that paydesk does not know included, and where paydesk knows the order from.',
  )
