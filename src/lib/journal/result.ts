/** The results about the journal, as `--json` prints them. */
import { z } from 'zod'
import {
  environmentWord,
  foreignObject,
  journalIdText,
  jsonAmount,
  utcMoment,
  uuidText,
  warningTexts,
} from '../result.ts'
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
        decision: z.string().describe('The outcome and its reason in words, as --trace showed them.'),
      }),
    )
    .describe('Every attempt, the first one first, and what it proved.'),
})

/** The head that a receipt or a report bears. */
export const journalHeadText = z
  .string()
  .regex(/^[1-9][0-9]*-[0-9a-f]{24}$/)
  .nullable()
  .describe('The head of the journal by then; `journal verify --head` says whether the journal still holds it.')

export const verifiedJournalResult = z
  .strictObject({
    intact: z.boolean().describe('False with any finding; the exit code is 1 then.'),
    rows: z.int().describe('Rows that were looked at: payments, attempts, payees.'),
    links: z.int().describe('Links of the chain, one for each commit that changed a row.'),
    head: journalHeadText.describe('The head of the journal now; null of an empty one.'),
    sealingLinks: z
      .int()
      .describe('So many links seal rows of an earlier build as they stood: what was changed before does not show.'),
    findings: z
      .array(
        z.strictObject({
          kind: z.enum([
            ...(['head-missing', 'head-differs', 'link-changed', 'links-missing'] as const),
            ...(['row-changed', 'row-removed', 'row-added'] as const),
          ]),
          link: z.int().nullable().describe('The link that it is about; of a row the newest one that names it.'),
          row: z
            .string()
            .nullable()
            .describe('Table and key, such as `intents:j-3f9a1c2b7d10` or `attempts:j-3f9a1c2b7d10/1`.'),
          words: z.string(),
        }),
      )
      .describe('What is not as paydesk wrote it: at most 1000.'),
    moreFindings: z.int().describe('Findings that are not listed.'),
  })
  .meta({ title: 'The journal, verified' })

const count = z.int().min(0)

export const purgedResult = z
  .strictObject({
    before: utcMoment.describe('Payouts that were last touched before it were looked at.'),
    dryRun: z.boolean(),
    removed: count.describe('Payouts whose personal data was removed, or would be.'),
    kept: z
      .strictObject({
        open: count.describe('Unknown, held, in flight, turned away, or contradicted: somebody has to look at them.'),
        notEnded: count.describe('Accepted, and no status that was read is final: `payout list --refresh` reads it.'),
        approved: count.describe('An approval that others signed names the account.'),
        young: count.describe('By the time since this machine started they are younger than 30 days.'),
      })
      .describe('Payouts of that time that stay whole, and why.'),
    removedAt: utcMoment.nullable().describe('`removedAt` of these payouts in the journal; null for a dry run.'),
    erased: z
      .boolean()
      .nullable()
      .describe(
        'True: the file was written anew, and nothing of it is left there. False: another program read it meanwhile; run it again. Null for a dry run and for the store of a team, whose server frees the space.',
      ),
  })
  .meta({ title: 'A purge of the journal' })

export const confirmedServerResult = z
  .strictObject({
    isNew: z.boolean().describe('False where there was nothing to confirm: nothing was changed.'),
    system: z.string().describe('The identifier of the database system.'),
    timeline: z.string().describe('Another one begins with each promotion or recovery.'),
    because: z.string(),
  })
  .meta({ title: 'A server that the store of a team is whole on' })

export const importedJournalResult = z
  .strictObject({
    payments: z.int().min(0),
    attempts: z.int().min(0),
    payees: z.int().min(0).describe('Those that the team knew already are counted, too.'),
    head: z.string().describe('The head of the person’s journal: what it covers was brought along.'),
  })
  .meta({ title: 'A journal that was brought into the store of a team' })

const payee = {
  payeeId: z.string().regex(/^p-[0-9a-f]{12}$/),
  profile: z.string(),
  name: z.string(),
  account: z.string().describe('An IBAN, or the type and id of a registered receiver: as the payee of a receipt.'),
  beneficiaryIdentityNumber: z.string().nullable(),
  beneficiaryAddress: z.string().nullable(),
  birthDate: z.string().nullable().describe('dd.MM.yyyy'),
  currency: z.string().nullable().describe('The only one in which it is paid; null for any.'),
  addedAt: utcMoment,
}

export const payeeResult = z.strictObject(payee).meta({ title: 'A payee that is known' })

/** The payee that a payout was made to by its name. */
export const namedPayee = z
  .strictObject({ payeeId: payee.payeeId, name: payee.name })
  .optional()
  .describe('The listed payee that --payee named; left out without it.')

export const payeesListedResult = z.array(payeeResult).describe('By name.')

export const payeeEditedResult = z
  .strictObject({
    ...payee,
    changed: z.array(z.string()).describe('The fields of a payout to it that have another value now.'),
    warnings: warningTexts,
  })
  .meta({ title: 'A payee, changed' })

export const payeeAddedResult = z
  .strictObject({
    ...payee,
    isNew: z.boolean().describe('False where it was listed already, with this name and account.'),
    isCompleted: z.boolean().describe('True where it was listed already, and got details that it lacked.'),
    warnings: warningTexts,
  })
  .meta({ title: 'A payee, listed' })
