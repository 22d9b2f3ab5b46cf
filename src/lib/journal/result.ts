/** The entries of the journal, as `--json` prints them. */
import { z } from 'zod'
import { environmentWord, foreignObject, journalIdText, jsonAmount, utcMoment, uuidText } from '../result.ts'
import { attemptOutcomes, intentStates } from './verdict.ts'

export const journalEntryResult = z
  .strictObject({
    journalId: journalIdText,
    operation: z
      .string()
      .describe('As faults and the journal name it: payout.create, order.refund, wallet.finalize and the like.'),
    state: z
      .enum(intentStates)
      .describe(
        '`unknown`: sent, no definite answer; `resume` resolves it. `exists`: the service has it, its transactionId is not known. `held`: over a limit, not sent; `resume` with its id sends it.',
      ),
    uniqueId: uuidText,
    key: z.string().nullable().describe('The --key it was given.'),
    amount: jsonAmount
      .nullable()
      .describe('Written with two decimals; read it as a decimal. Null where the write moves no sum of its own.'),
    currency: z
      .string()
      .nullable()
      .describe('Of a refund or a completion that of its order; null where nobody here knows it.'),
    payee: z.string().describe('An IBAN, the type and id of a receiver, or the order it is about.'),
    transactionId: z
      .string()
      .regex(/^[0-9]+$/)
      .nullable()
      .describe('As text: it may exceed 2^53.'),
    status: z.string().nullable().describe('The newest that was read.'),
    statusDescription: z.string().nullable(),
    createdAt: z.string().nullable().describe("The service's time, as received: it has no zone."),
    because: z.string().nullable().describe('Why it was resolved by something else than an answer.'),
    sumConfirmed: z
      .boolean()
      .nullable()
      .describe('Whether the sum that the service executed is known to be this one; null where nothing was executed.'),
    profile: z.string(),
    environment: environmentWord,
    service: z.string().describe('The address of the service, or sandbox:<worldId>.'),
    serviceId: z.string().describe("The service's own name: that of its first address, kept when it moves."),
    clientId: uuidText,
    openedAt: utcMoment,
    changedAt: utcMoment,
    request: foreignObject.describe('The fields that were sent, by their names in the specification.'),
    removedAt: utcMoment
      .nullable()
      .describe('When its personal data was removed: each such text is `removed` since. Null while it has them.'),
    answer: foreignObject.nullable().describe('What the service answered, where it is not a payout.'),
  })
  .meta({ title: 'A payment of the journal' })

export const exportEndResult = z
  .strictObject({
    entries: z.int().min(0).describe('Lines before this one.'),
    journalHead: z
      .string()
      .nullable()
      .describe('The head of the chain when the export began; null of an empty journal.'),
    exportedAt: utcMoment,
  })
  .meta({ title: 'The last line of an export' })

export const journalListResult = z.array(journalEntryResult).describe('The newest first.')

export const journalShownResult = z.strictObject({
  ...journalEntryResult.shape,
  attempts: z
    .array(
      z.strictObject({
        number: z.int().min(1),
        startedAt: utcMoment,
        endedAt: utcMoment.nullable().describe('Null when the process died before it could say.'),
        outcome: z.enum(attemptOutcomes).nullable().describe('Null when none was recorded, which counts as unknown.'),
        http: z.int().nullable().describe('HTTP status.'),
        statusCode: z.int().nullable().describe('Code of the service.'),
        exceptionGroup: z.int().nullable(),
        message: z.string().nullable().describe("The service's words."),
        why: z.string().nullable().describe('Why there was no definite answer.'),
        known: z.string().nullable().describe('The status in which its thing was read before it left.'),
        told: z.string().nullable().describe('The status that its answer told, though it meant nothing definite.'),
        decision: z.string().describe('The outcome and its reason in words, as --trace showed them.'),
      }),
    )
    .describe('Every attempt, the first one first, and what it proved.'),
})
