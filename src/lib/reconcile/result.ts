/** What `journal reconcile` prints with `--json`. */
import { z } from 'zod'
import { intentStates } from '../journal/verdict.ts'
import { journalIdText, jsonAmount, warningTexts } from '../result.ts'
import { itemKinds } from './match.ts'

const day = z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/)
const count = z.int().min(0)

const entry = z.strictObject({
  statement: z.string(),
  entry: z.string().describe("The bank's reference of the entry, or its number."),
  day: day.nullable().describe('Of booking.'),
  direction: z.enum(['debit', 'credit']),
  amount: jsonAmount.nullable().describe('Null where the bank tells the total of a batch only.'),
  currency: z.string().nullable(),
  charges: jsonAmount.nullable().describe('Inside the amount; null for none.'),
  account: z.string().nullable().describe('At the other side.'),
  name: z.string().nullable(),
  text: z.string().nullable(),
  endToEndId: z.string().nullable(),
  returnReason: z.string().nullable().describe('The reason code of money that came back.'),
})

export const reconciliationResult = z.strictObject({
  file: z.string(),
  format: z.enum(['camt.053', 'camt.054', 'csv']),
  from: day.nullable(),
  to: day.nullable(),
  days: count.describe('That the bank may take to book a payout (--days).'),
  entries: count.describe('Payments on the statement: a batch counts each of its payments.'),
  matched: count.describe('As they were paid here.'),
  returned: count.describe('Money of payouts that came back.'),
  different: count.describe(
    'The same payment with another sum, currency, account or end. With any of them the code is 7.',
  ),
  notInJournal: count.describe('On the statement, and not in this journal.'),
  notOnStatement: count.describe('Paid here, and not on the statement after --days.'),
  expected: count.describe('Paid here, and not on the statement yet: the bank has time left. No fault.'),
  ambiguous: count.describe('Several fit: nothing was chosen.'),
  other: count.describe('Not about payouts: money that came in, charges of the bank. No fault.'),
  applied: count.describe('Payouts of the journal that --apply resolved.'),
  opening: jsonAmount.nullable().describe('Of the first statement, where all are of one account; else null.'),
  closing: jsonAmount.nullable().describe('Of the last one.'),
  statements: z.array(
    z.strictObject({
      id: z.string(),
      account: z.string().nullable(),
      currency: z.string().nullable(),
      from: day.nullable(),
      to: day.nullable(),
      opening: jsonAmount.nullable(),
      closing: jsonAmount.nullable(),
    }),
  ),
  items: z.array(
    z.strictObject({
      kind: z.enum(itemKinds),
      by: z
        .enum(['key', 'uniqueId', 'transactionId', 'sum'])
        .nullable()
        .describe('What the payout was found by. `sum`: by sum, account and day, which resolves nothing.'),
      entry: entry.nullable().describe('Null for a payout that the statement does not show.'),
      journalId: journalIdText.nullable(),
      key: z.string().nullable(),
      state: z.enum(intentStates).nullable().describe('Of the payout, as the journal has it now.'),
      amount: jsonAmount.nullable().describe('Of the payout.'),
      currency: z.string().nullable(),
      candidates: z.array(journalIdText).describe('Payouts that fit, ten at most; none of them was chosen.'),
      reason: z.string(),
      applied: z.boolean().describe('True if --apply has resolved this payout.'),
      next: z
        .string()
        .nullable()
        .describe('A line that goes on: the operator’s word, or a payment anew. To be read before it is run.'),
    }),
  ),
  warnings: warningTexts,
})
