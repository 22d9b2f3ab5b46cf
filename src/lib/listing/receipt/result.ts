/** The receipt of a payout for its beneficiary, as `--json` prints it: nothing stands in it that is not for them. */
import { z } from 'zod'
import { environmentWord, journalIdText, jsonAmount, utcMoment, warningTexts } from '../../result.ts'

export const paperStandings = ['paid', 'accepted', 'not-paid', 'not-sent', 'unknown', 'disputed'] as const

export const beneficiaryReceiptResult = z
  .strictObject({
    paid: z.boolean().describe('True only where the service says that it was executed, and nothing contradicts.'),
    standing: z
      .enum(paperStandings)
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
