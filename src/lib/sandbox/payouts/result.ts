/** A payout as the ledger tells of it. */
import { z } from 'zod'
import { jsonAmount, uuidText } from '../../result.ts'

export const ledgerPayoutResult = z.strictObject({
  uniqueId: z.string(),
  transactionId: z
    .string()
    .regex(/^[0-9]+$/)
    .describe('As text: it exceeds 2^53.'),
  amount: jsonAmount,
  currency: z.string(),
  status: z.string(),
  executions: z.int().min(0).max(1).describe('How often money left for it; 0 while the balance does not cover it.'),
  clientId: uuidText,
  createdAt: z.string().describe("The sandbox's time, without a zone as the service's."),
})

export const statementResult = z.strictObject({
  file: z.string(),
  date: z
    .string()
    .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/)
    .describe('At the service.'),
  statements: z.int().min(1).describe('One for each account that something was booked on.'),
  entries: z.int().min(0),
  damaged: z.array(z.string()).describe('What is wrong on purpose.'),
})
