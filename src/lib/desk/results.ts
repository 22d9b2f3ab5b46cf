/** Results of reads and writes, as `--json` prints them. */
import { z } from 'zod'
import { orderStatuses } from '../contract/order/status.ts'
import { payoutStatuses } from '../contract/payout/status.ts'
import type { Statuses } from '../contract/status.ts'
import { schemes } from '../envelope/scheme.ts'
import { journalHeadText, namedPayee } from '../journal/result.ts'
import { intentStates } from '../journal/verdict.ts'
import { parts } from '../profile/parts.ts'
import { environmentWord, journalIdText, jsonAmount, oneWordOf, utcMoment, uuidText, warningTexts } from '../result.ts'

const namesIn = (statuses: Statuses, isFinal: boolean) =>
  Object.keys(statuses)
    .filter((name) => (statuses[name]?.end !== null) === isFinal)
    .join(', ')
const openIn = (statuses: Statuses) => namesIn(statuses, false)
const endedIn = (statuses: Statuses) => namesIn(statuses, true)

const nullableText = z.string().nullable()
const transactionNumber = z.string().regex(/^[0-9]+$/)
const bigNumber = transactionNumber.describe('As text: it may exceed 2^53.')
const serviceTime = nullableText.describe("The service's time, as received: it has no zone.")
const newestStatus = nullableText.describe('As the service said it; new ones may come.')
const ownOrderId = uuidText.describe('Your id of the order.')
const anyOrderId = z.string().describe('Your id of the order.')
const sum = jsonAmount.describe('Written with two decimals; read it as a decimal.')
const sumAsReceived = jsonAmount.describe('With the digits received.')
const sumConfirmed = z.boolean().describe('As in the receipt of a payout.')
/** The profile that asked, and what it was told besides. */
const asked = { profile: z.string(), environment: environmentWord, warnings: warningTexts }

// --- Receipts

const outcomes = ['accepted', 'exists', 'refused'] as const
const replayed = z.boolean().describe('Recorded by an earlier run; this one sent nothing.')

const ofReceipt = {
  title: 'The receipt of a payout',
  description: 'The same again (`replayed`) when the same command runs a second time: nothing is sent then.',
}

export const receiptResult = z
  .strictObject({
    outcome: z
      .enum(outcomes)
      .describe(
        '`exists`: the service has this uniqueId, or you said so (`resume --settle executed`). `refused`: only by your own word, `resume --settle refused`.',
      ),
    transactionId: transactionNumber
      .nullable()
      .describe("The service's number, as text: it may exceed 2^53. Null when no answer ever told it."),
    status: newestStatus,
    statusDescription: nullableText,
    uniqueId: uuidText.describe('Your id of the payout.'),
    createdAt: serviceTime,
    amount: sum,
    currency: z.string(),
    payee: z.string().describe('An IBAN, or the type and id of a registered receiver.'),
    journalId: journalIdText,
    journalHead: journalHeadText,
    profile: z.string(),
    environment: environmentWord,
    idUnknown: z
      .boolean()
      .describe('The service has the payout and its transactionId is not known: `payout reconcile` closes it.'),
    sumConfirmed: z
      .boolean()
      .describe(
        'False where the service is only known to have the id (`exists`): another machine may have sent it with another sum.',
      ),
    replayed,
    warnings: warningTexts,
  })
  .meta({ id: 'receipt', ...ofReceipt })

/** The receipt of `payout create`. */
export const createdResult = receiptResult.extend({ namedPayee }).meta(ofReceipt)

/** The first members of the receipt of every other write. */
const writeResult = z.looseObject({
  outcome: z
    .enum(outcomes)
    .describe(
      '`exists`: the answer was lost, and the service has it, or you said so (`resume --settle executed`). `refused`: only by your own word, `resume --settle refused`.',
    ),
  operation: z.string().describe('As journal and faults name it.'),
  journalId: journalIdText,
  journalHead: journalHeadText,
  profile: z.string(),
  environment: environmentWord,
  replayed,
  warnings: warningTexts,
})

/** The receipt of a write that is no payout, with the members of its own. */
function writeReceipt<Shape extends z.core.$ZodLooseShape>(members: Shape) {
  return writeResult.extend(members).meta({
    title: 'The receipt',
    description:
      "Beside these members stand those of the service's answer, as it sent them. The same again (`replayed`) when the same command runs a second time: nothing is sent then.",
  })
}

/** The receipt of any write that is no payout, as `resume` tells it. */
export const doneResult = writeReceipt({
  status: newestStatus,
  amount: sum.nullable().describe('Null where the write moves no sum of its own.'),
  currency: z
    .string()
    .nullable()
    .describe('Of a refund or a completion that of its order; null where it is not known here.'),
  sumConfirmed: sumConfirmed.optional().describe('As of a payout; only where the write moves a sum of its own.'),
}).meta({ id: 'done' })

// --- Payouts and balances

export const payoutReadResult = z
  .looseObject({
    transactionId: bigNumber,
    status: z
      .string()
      .describe(
        `${openIn(payoutStatuses)} (not final), ${endedIn(payoutStatuses)} (final); new ones may come and are not final.`,
      ),
    statusDescription: nullableText,
    amount: sumAsReceived,
    toIban: nullableText.describe('Null for a registered receiver.'),
    currency: z.string(),
    paymentDescription: nullableText,
    uniqueId: z.string(),
    createdAt: serviceTime,
    commissionAmount: jsonAmount.nullable().optional().describe('Only if the service sent it.'),
    journalId: journalIdText.nullable().describe('Null for a payout that this journal does not know.'),
    ...asked,
  })
  .describe(
    'What the service said, members that paydesk does not know included, and where paydesk knows the payout from. With `payout wait` and exit code 8 the last that was seen.',
  )
  .meta({ file: 'payout-get', title: 'payout get --json, payout wait --json' })

/** The fields of a payout that A2 can show. */
export const comparable = ['uniqueId', 'amount', 'currency', 'toIban', 'description'] as const

/** The members of a comparison of the journal with the service. */
const difference = (fields: readonly string[], service: z.ZodNullable<z.ZodString>) => ({
  equal: z.boolean().describe('Whether nothing that can be compared differs.'),
  compared: z.array(
    z.strictObject({
      field: oneWordOf(fields),
      journal: nullableText,
      service,
      equal: z.boolean().nullable().describe('Null where they cannot be compared.'),
      note: nullableText.describe('Why they cannot be compared.'),
    }),
  ),
  journalId: journalIdText,
  ...asked,
})

export const payoutDiffResult = z
  .strictObject({
    transactionId: bigNumber,
    uniqueId: uuidText,
    ...difference(['status', 'uniqueId', 'amount', 'currency', 'toIban', 'description', 'createdAt'], nullableText),
  })
  .describe('The exit code is 0 whether or not they agree.')

export const balancesResult = z.array(
  z.strictObject({
    currency: z.string(),
    amount: jsonAmount.nullable().describe('With the digits received; null without an account.'),
    note: nullableText.describe('Why there is no amount.'),
  }),
)

// --- Orders, subscriptions, users and cards

export const orderCreatedResult = writeReceipt({
  integratorOrderId: ownOrderId,
  urlForQR: z
    .string()
    .nullable()
    .optional()
    .describe('Where the payer pays. Absent where the answer was lost; a charge of a saved card may have none.'),
  status: nullableText.describe('Null until it was read: with --wait, or by `order status`.'),
  amount: jsonAmount.describe('Written with two decimals; read it as a decimal. 0 with a plan.'),
  subscriptionPlan: z
    .looseObject({})
    .optional()
    .describe('The plan as it was sent: its amount is the price. Absent without one.'),
  currency: z.string(),
  warnings: warningTexts,
  sumConfirmed,
})

const changedOrder = { integratorOrderId: ownOrderId, status: newestStatus }

export const orderCanceledResult = writeReceipt(changedOrder)

const movedPart = { ...changedOrder, amount: sum, sumConfirmed }

export const orderRefundedResult = writeReceipt(movedPart)

export const orderCompletedResult = writeReceipt(movedPart)

const refundResult = z.strictObject({
  at: utcMoment.describe('When this machine asked for it, or heard of it.'),
  amount: jsonAmount.nullable().describe('Of a callback the amount that it tells, which may be that of the order.'),
  currency: nullableText,
  state: z.enum(intentStates).nullable().describe('What this journal knows of its request; null of a callback.'),
  status: nullableText.describe('As a callback said it: a hint; null of a request.'),
  journalId: journalIdText.nullable().describe('Null of a callback.'),
  callbackId: nullableText.describe('Null of a request.'),
})

export const orderReadResult = z
  .looseObject({
    integratorOrderId: z.string(),
    status: z
      .string()
      .describe(
        `${openIn(orderStatuses)} (not final), ${endedIn(orderStatuses)}, other REFUNDED_BY_… (final for \`order wait\`; FAILED only when its validUntil is over); new ones may come and are not final.`,
      ),
    initialCurrency: nullableText.optional().describe('Only if the service sent it, as the next three.'),
    acquiringCurrency: nullableText.optional(),
    acquiringAmount: jsonAmount
      .nullable()
      .optional()
      .describe("What the payer's card was charged, with the digits received."),
    transactionId: nullableText.optional().describe('As text: it may exceed 2^53.'),
    refunds: z
      .array(refundResult)
      .describe(
        'Those that this journal asked for, and of `order status` those that callbacks tell of; the oldest first.',
      ),
    journalId: journalIdText.nullable().describe('Null for an order that this journal did not create.'),
    ...asked,
  })
  .describe(
    'What the service said, members that paydesk does not know included, and where paydesk knows the order from. With `order wait` and exit code 8 the last that was seen.',
  )
  .meta({ file: 'order-status', title: 'order status --json, order wait --json' })

export const orderDiffResult = z
  .strictObject({
    integratorOrderId: uuidText,
    ...difference(
      ['status', 'amount', 'currency', 'acquiringCurrency'],
      z
        .string()
        .nullable()
        .describe('Of the amount: that of the status where it differs, else what the card was charged.'),
    ),
  })
  .describe('The exit code is 0 whether or not they agree.')

export const cardReadResult = z
  .looseObject({
    token: z.string(),
    provider: nullableText,
    cardMask: nullableText.describe('[hidden] where the service gave something else than a masked number.'),
    expirationDate: nullableText.describe('MM/YY.'),
    cardBrand: nullableText,
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
      time: nullableText.optional().describe('As received.'),
      status: z
        .string()
        .describe('ACQUIRING_IN_PROCESS, COMPLETED, FAILED, REFUNDED_…, PARTIALLY_REFUNDED; new ones may come.'),
      refundTime: nullableText.optional(),
      refundedAmount: jsonAmount.nullable().optional(),
      failReason: nullableText,
    }),
  )
  .describe('The payments as the service lists them, members that paydesk does not know included.')

export const subscriptionRevokedResult = writeReceipt({ subscriptionId: z.string() })

export const userRegisteredResult = writeReceipt({
  userId: z
    .string()
    .nullable()
    .optional()
    .describe('A USER receiver from now on, as text. Absent where the answer was lost.'),
})

// --- Wallet orders

export const walletCreatedResult = writeReceipt({
  uniqueId: anyOrderId,
  status: nullableText.describe('REGISTERED; new ones may come.'),
  amount: jsonAmount
    .nullable()
    .describe('With the digits received; null where the service did not fix it, or its answer was lost.'),
  minAmountAllowed: jsonAmount.nullable().describe('Where the service did not fix the amount.'),
  maxAmountAllowed: jsonAmount.nullable().describe('As minAmountAllowed.'),
  currency: nullableText.describe('From the QR address, if it names one.'),
  receiverName: nullableText,
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
  uniqueId: ownOrderId,
  status: nullableText.describe('SUCCESS; null where only ALREADY_FINALISED answered for a lost answer.'),
  amount: sum,
  sumConfirmed,
  currency: nullableText.describe('From the QR address that the journal knows, if it names one.'),
  warnings: warningTexts,
})

export const walletCanceledResult = writeReceipt({
  uniqueId: anyOrderId,
  status: newestStatus,
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
    createdAt: serviceTime,
    finalisedAt: nullableText.describe('As createdAt.'),
    journalId: journalIdText
      .nullable()
      .describe('Of its creation; null for an order that this journal did not create.'),
    ...asked,
  })
  .describe(
    'What the service said, members that paydesk does not know included, and where paydesk knows the order from.',
  )

// --- Lost writes that were closed

export const reconciledResult = z.strictObject({
  ...receiptResult.shape,
  compared: z
    .array(
      z.strictObject({
        field: z.enum(comparable),
        journal: nullableText,
        service: nullableText.describe('The description may come with the debtor fields in front of it.'),
        equal: z.boolean(),
      }),
    )
    .describe('What journal and service were compared in. A difference in any of them closes nothing (exit code 6).'),
  notShown: z
    .array(z.string())
    .describe('Fields that were sent and that the service does not show, so that nobody could compare them.'),
})

const resolved = z.union([receiptResult, doneResult])

export const resumedResult = z
  .union([resolved, z.array(resolved)])
  .describe('One receipt for `resume <id>`, a list without an id; it is empty when nothing was open.')

// --- The check of a profile, and a token that is lent

export const checkResult = z
  .strictObject({
    profile: z.string(),
    environment: environmentWord,
    address: z.string().describe('Of payouts, else of the first part.'),
    clientId: nullableText.describe('Null for a profile without payouts.'),
    balances: balancesResult.describe('None for a profile without payouts.'),
    parts: z.array(
      z.strictObject({
        part: z.enum(parts),
        address: z.string(),
        identity: z.string().describe('Client id, integrator id, or identifier of the wallet.'),
        scheme: z.enum(schemes).nullable().describe('How it is sealed; null for payouts.'),
        works: z.literal(true),
        says: z.string().describe('What that was seen by, in words.'),
      }),
    ),
  })
  .describe('Every part that was tried works; the first that does not is the error: exit code 4, 5, 9 or 11.')

export const lentTokenResult = z
  .strictObject({
    token: z.string().describe('Whoever has it acts as the client of the profile.'),
    expiresAt: utcMoment.describe('When paydesk takes a new one: a little before the service gives it up.'),
    profile: z.string(),
    environment: environmentWord,
  })
  .describe('Without --json stdout holds the token alone.')
