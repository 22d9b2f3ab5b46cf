/** The receipts of writes, as `--json` prints them. */
import { z } from 'zod'
import { journalHeadText, namedPayee } from '../../journal/result.ts'
import { environmentWord, journalIdText, jsonAmount, uuidText, warningTexts } from '../../result.ts'

const outcomes = ['accepted', 'exists', 'refused'] as const

export const receiptResult = z
  .strictObject({
    outcome: z
      .enum(outcomes)
      .describe(
        '`exists`: the service has this uniqueId, or you said so (`resume --settle executed`). `refused`: only by your own word, `resume --settle refused`.',
      ),
    transactionId: z
      .string()
      .regex(/^[0-9]+$/)
      .nullable()
      .describe("The service's number, as text: it may exceed 2^53. Null when no answer ever told it."),
    status: z.string().nullable().describe('As the service said it; new ones may come.'),
    statusDescription: z.string().nullable(),
    uniqueId: uuidText.describe('Your id of the payout.'),
    createdAt: z.string().nullable().describe("The service's time, as received: it has no zone."),
    amount: jsonAmount.describe('Written with two decimals; read it as a decimal.'),
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
    replayed: z.boolean().describe('Recorded by an earlier run; this one sent nothing.'),
    warnings: warningTexts,
  })
  .meta({
    id: 'receipt',
    title: 'The receipt of a payout',
    description: 'The same again (`replayed`) when the same command runs a second time: nothing is sent then.',
  })

/** The receipt of `payout create`. */
export const createdResult = receiptResult.extend({ namedPayee }).meta({
  title: 'The receipt of a payout',
  description: 'The same again (`replayed`) when the same command runs a second time: nothing is sent then.',
})

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
  replayed: z.boolean().describe('Recorded by an earlier run; this one sent nothing.'),
  warnings: warningTexts,
})

/** A sum that the write itself moves. */
export const movedSum = {
  amount: jsonAmount.describe('Written with two decimals; read it as a decimal.'),
  sumConfirmed: z.boolean().describe('As in the receipt of a payout.'),
}

/** The receipt of a write that is no payout, with the members of its own. */
export function writeReceipt<Shape extends z.core.$ZodLooseShape>(members: Shape) {
  return writeResult.extend(members).meta({
    title: 'The receipt',
    description:
      "Beside these members stand those of the service's answer, as it sent them. The same again (`replayed`) when the same command runs a second time: nothing is sent then.",
  })
}

/** The receipt of any write that is no payout, as `resume` tells it. */
export const doneResult = writeReceipt({
  status: z.string().nullable().describe('As the service said it; new ones may come.'),
  amount: movedSum.amount.nullable().describe('Null where the write moves no sum of its own.'),
  currency: z
    .string()
    .nullable()
    .describe('Of a refund or a completion that of its order; null where it is not known here.'),
  sumConfirmed: movedSum.sumConfirmed
    .optional()
    .describe('As of a payout; only where the write moves a sum of its own.'),
}).meta({ id: 'done' })
