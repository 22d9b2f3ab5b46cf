/** Reads and receipts of orders, subscriptions, users and cards, as `--json` prints them. */
import { z } from 'zod'
import { intentStates } from '../../journal/verdict.ts'
import {
  environmentWord,
  journalIdText,
  jsonAmount,
  oneWordOf,
  utcMoment,
  uuidText,
  warningTexts,
} from '../../result.ts'
import { movedSum, writeReceipt } from '../receipt/result.ts'

export const orderCreatedResult = writeReceipt({
  integratorOrderId: uuidText.describe('Your id of the order.'),
  urlForQR: z
    .string()
    .nullable()
    .optional()
    .describe('Where the payer pays. Absent where the answer was lost; a charge of a saved card may have none.'),
  status: z.string().nullable().describe('Null until it was read: with --wait, or by `order status`.'),
  amount: jsonAmount.describe('Written with two decimals; read it as a decimal. 0 with a plan.'),
  subscriptionPlan: z
    .looseObject({})
    .optional()
    .describe('The plan as it was sent: its amount is the price. Absent without one.'),
  currency: z.string(),
  warnings: warningTexts,
  sumConfirmed: z.boolean().describe('As in the receipt of a payout.'),
})

export const orderCanceledResult = writeReceipt({
  integratorOrderId: uuidText.describe('Your id of the order.'),
  status: z.string().nullable().describe('As the service said it; new ones may come.'),
})

export const orderRefundedResult = writeReceipt({
  integratorOrderId: uuidText.describe('Your id of the order.'),
  status: z.string().nullable().describe('As the service said it; new ones may come.'),
  ...movedSum,
})

export const orderCompletedResult = writeReceipt({
  integratorOrderId: uuidText.describe('Your id of the order.'),
  status: z.string().nullable().describe('As the service said it; new ones may come.'),
  ...movedSum,
})

const refundResult = z.strictObject({
  at: utcMoment.describe('When this machine asked for it, or heard of it.'),
  amount: jsonAmount.nullable().describe('Of a callback the amount that it tells, which may be that of the order.'),
  currency: z.string().nullable(),
  state: z.enum(intentStates).nullable().describe('What this journal knows of its request; null of a callback.'),
  status: z.string().nullable().describe('As a callback said it: a hint; null of a request.'),
  journalId: journalIdText.nullable().describe('Null of a callback.'),
  callbackId: z.string().nullable().describe('Null of a request.'),
})

export const orderReadResult = z
  .looseObject({
    integratorOrderId: z.string(),
    status: z
      .string()
      .describe(
        'INITIAL, PROCESSING, WAITING_FOR_CONFIRM, TO_BE_SIGNED (not final), SUCCESS, FAILED, CANCELED, EXPIRED, REFUND_REQUESTED, PARTIALLY_REFUNDED, REFUNDED_BY_…, REFUNDED_FAILED (final for `order wait`; FAILED only when its validUntil is over); new ones may come and are not final.',
      ),
    initialCurrency: z.string().nullable().optional().describe('Only if the service sent it, as the next three.'),
    acquiringCurrency: z.string().nullable().optional(),
    acquiringAmount: jsonAmount
      .nullable()
      .optional()
      .describe("What the payer's card was charged, with the digits received."),
    transactionId: z.string().nullable().optional().describe('As text: it may exceed 2^53.'),
    refunds: z
      .array(refundResult)
      .describe(
        'Those that this journal asked for, and of `order status` those that callbacks tell of; the oldest first.',
      ),
    journalId: journalIdText.nullable().describe('Null for an order that this journal did not create.'),
    profile: z.string(),
    environment: environmentWord,
    warnings: warningTexts,
  })
  .describe(
    'What the service said, members that paydesk does not know included, and where paydesk knows the order from. With `order wait` and exit code 8 the last that was seen.',
  )
  .meta({ file: 'order-status', title: 'order status --json, order wait --json' })

export const orderDiffResult = z
  .strictObject({
    integratorOrderId: uuidText,
    equal: z.boolean().describe('Whether nothing that can be compared differs.'),
    compared: z.array(
      z.strictObject({
        field: oneWordOf(['status', 'amount', 'currency', 'acquiringCurrency']),
        journal: z.string().nullable(),
        service: z
          .string()
          .nullable()
          .describe('Of the amount: that of the status where it differs, else what the card was charged.'),
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

export const cardReadResult = z
  .looseObject({
    token: z.string(),
    provider: z.string().nullable(),
    cardMask: z.string().nullable().describe('[hidden] where the service gave something else than a masked number.'),
    expirationDate: z.string().nullable().describe('MM/YY.'),
    cardBrand: z.string().nullable(),
    integratorOrderId: uuidText.describe('The order it was saved with.'),
    profile: z.string(),
    environment: environmentWord,
  })
  .describe(
    'The record as the service sent it, members that paydesk does not know included. Whoever knows the token can charge the card.',
  )

export const subscriptionHistoryResult = z
  .array(
    z.looseObject({
      time: z.string().nullable().optional().describe('As received.'),
      status: z
        .string()
        .describe('ACQUIRING_IN_PROCESS, COMPLETED, FAILED, REFUNDED_…, PARTIALLY_REFUNDED; new ones may come.'),
      refundTime: z.string().nullable().optional(),
      refundedAmount: jsonAmount.nullable().optional(),
      failReason: z.string().nullable(),
    }),
  )
  .describe('The payments as the service lists them, members that paydesk does not know included.')

export const subscriptionRevokedResult = writeReceipt({
  subscriptionId: z.string(),
})

export const userRegisteredResult = writeReceipt({
  userId: z
    .string()
    .nullable()
    .optional()
    .describe('A USER receiver from now on, as text. Absent where the answer was lost.'),
})
