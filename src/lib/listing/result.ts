/** The lists of payouts, orders and wallet orders, as `--json` prints them. */
import { z } from 'zod'
import { intentStates } from '../journal/verdict.ts'
import { environmentWord, journalIdText, jsonAmount, utcMoment, warningTexts } from '../result.ts'

export const listedRowResult = z
  .strictObject({
    journalId: journalIdText.describe('Every command about it takes this id.'),
    openedAt: utcMoment,
    name: z
      .string()
      .nullable()
      .describe('Of the beneficiary or the receiver, where the request or the answer has one.'),
    account: z.string().describe('An IBAN, the type and id of a receiver, or the address of a QR code.'),
    amount: jsonAmount
      .nullable()
      .describe(
        'Written with two decimals; read it as a decimal. Null of a wallet order whose amount is not known yet.',
      ),
    currency: z.string().nullable(),
    state: z.enum(intentStates).describe('What this journal knows of its creation, as in `journal list`.'),
    status: z.string().nullable().describe('The newest that was read from the service.'),
    statusDescription: z.string().nullable(),
    end: z
      .enum(['paid', 'not-paid'])
      .nullable()
      .describe('What that status says; null while it is not final, and while it is in doubt.'),
    moneyMoved: z
      .enum(['no', 'yes', 'unknown'])
      .describe(
        'As far as this journal knows. `unknown` also while an accepted payment is on its way (`end` is null, `unresolved` empty), until a status that is final was read.',
      ),
    open: z.boolean().describe('True while something about it may still come, or somebody has to look at it.'),
    inDoubt: z
      .string()
      .nullable()
      .describe('Why its status or its sum is not to be believed; null where nothing contradicts.'),
    because: z.string().nullable().describe('Why it stands as it does, where no answer says it.'),
    unresolved: z
      .array(z.strictObject({ journalId: journalIdText, operation: z.string() }))
      .describe('Writes about it of which nobody knows whether they were executed: `resume` resolves them.'),
    uniqueId: z.string().describe('Its id at the service: uniqueId, or integratorOrderId of an order.'),
    transactionId: z
      .string()
      .regex(/^[0-9]+$/)
      .nullable()
      .describe('Of a payout. As text: it may exceed 2^53.'),
    key: z.string().nullable().describe('The --key it was given.'),
    profile: z.string(),
    environment: environmentWord,
    readAt: utcMoment.nullable().describe('When this run read the status from the service; null where it did not.'),
  })
  .meta({ title: 'A row of a list' })

export const listedResult = z
  .strictObject({
    rows: z.array(listedRowResult).describe('The newest first.'),
    more: z.boolean().describe('True where the list was cut: --limit, --since and the like choose others.'),
    warnings: warningTexts,
  })
  .meta({ file: 'payout-list', title: 'payout list --json, order list --json, wallet list --json' })
  .describe(
    'With --fields the rows alone. With --output ndjson a row in each line, and behind them, if there are warnings, a line that holds these; with --output csv a sheet.',
  )

const countedSum = z.strictObject({ count: z.int().min(0), amount: jsonAmount })

const countedSums = {
  accepted: countedSum.describe('The service took them, and none of these ended unpaid as far as this journal knows.'),
  unknown: countedSum.describe('Their outcome is unknown, or something contradicts what is known.'),
  refused: countedSum.describe('Refused, or ended unpaid (REJECTED, FAILED, DELETED).'),
}

export const listTotalsResult = z
  .strictObject({
    rows: z
      .array(
        z.strictObject({
          day: z
            .string()
            .regex(/^\d{4}-\d{2}-\d{2}$/)
            .describe('The day on which they were made, local time.'),
          currency: z.string(),
          name: z.string().nullable().describe('Of the beneficiary, as the newest of them has it.'),
          account: z.string().describe('An IBAN, or the type and id of a receiver.'),
          ...countedSums,
        }),
      )
      .describe('The newest day first.'),
    totals: z.array(z.strictObject({ currency: z.string(), ...countedSums })).describe('Of all rows, by currency.'),
    warnings: warningTexts,
  })
  .meta({ file: 'payout-totals', title: 'payout list --totals --json' })
  .describe('Held, unsent and turned-away payouts count nowhere: the service executed none of them.')

const ofOrder = {
  journalId: journalIdText.nullable().describe('Of the order; null of one that this journal did not make.'),
  key: z.string().nullable(),
  state: z.enum(intentStates).nullable().describe('What this journal knows of the creation of the order.'),
  status: z.string().nullable().describe('The newest of the order that was read or heard; a callback is a hint.'),
  profile: z.string().nullable(),
}

export const savedCardsResult = z
  .array(
    z.strictObject({
      integratorOrderId: z.string().describe('The order that the card was to be saved with: `card get` takes it.'),
      cardMask: z.string().nullable().describe('Of a callback, as the next three; null where none told of a card.'),
      cardBrand: z.string().nullable(),
      provider: z.string().nullable(),
      expirationDate: z.string().nullable(),
      toldAt: utcMoment.nullable().describe('When a callback told of the card.'),
      ...ofOrder,
    }),
  )
  .describe('The newest order first, then those of callbacks alone. No row has a token.')

export const subscriptionsResult = z
  .array(
    z.strictObject({
      subscriptionId: z
        .string()
        .nullable()
        .describe('Null of an order with a plan whose subscription no callback has named together with it.'),
      integratorOrderId: z.string().nullable().describe('Null where no callback has named the order.'),
      plan: z.string().nullable().describe('Price and rhythm, as --confirm takes them.'),
      charges: z.int().min(0).describe('That callbacks told of.'),
      lastCharge: z
        .strictObject({ at: utcMoment, status: z.string().nullable(), amount: jsonAmount.nullable() })
        .nullable(),
      revoked: z.enum(['no', 'yes', 'unknown']).describe('From this journal, with `subscription revoke`.'),
      ...ofOrder,
    }),
  )
  .describe('Subscriptions that callbacks named, then orders with a plan, the newest first.')

// The receipt of a payout, as `--json` prints it: only what its beneficiary may know.

const receiptStandings = ['paid', 'accepted', 'not-paid', 'not-sent', 'unknown', 'disputed'] as const

export const beneficiaryReceiptResult = z
  .strictObject({
    paid: z.boolean().describe('True only where the service says that it was executed, and nothing contradicts.'),
    standing: z
      .enum(receiptStandings)
      .describe(
        '`accepted`: not executed yet. `not-paid`: taken, and ended without a payment. `not-sent`: refused, or kept here. `unknown`: sent, no definite answer. `disputed`: what is known of it contradicts itself.',
      ),
    statement: z.string().describe('The same in a sentence for the beneficiary.'),
    amount: jsonAmount,
    currency: z.string(),
    beneficiary: z.strictObject({
      name: z.string().nullable(),
      account: z.string().describe('An IBAN, or the type and id of a registered receiver.'),
    }),
    description: z.string().nullable(),
    payer: z.string().nullable().describe('Where the payment names one.'),
    transactionId: z
      .string()
      .regex(/^[0-9]+$/)
      .nullable()
      .describe("The service's number of it, by which the bank finds it. As text: it may exceed 2^53."),
    reference: journalIdText.describe('The id by which the sender finds it.'),
    orderedAt: utcMoment,
    knownAt: utcMoment.describe('The moment of which this receipt speaks.'),
    serviceTime: z.string().nullable().describe("The service's time, as received: it has no zone."),
    environment: environmentWord,
    journalHead: z.string().nullable().describe('`journal verify --head` says whether the journal still holds it.'),
    warnings: warningTexts,
  })
  .meta({ file: 'payout-receipt', title: 'payout receipt --json' })
