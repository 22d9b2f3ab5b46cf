/** The results of the commands of batches, in the words in which `--json` prints them. */
import { z } from 'zod'
import { journalHeadText } from '../journal/result.ts'
import { environmentWord, journalIdText, jsonAmount, oneWordOf, utcMoment, uuidText, warningTexts } from '../result.ts'
import { fileFormats } from './read/row.ts'
import { rowStates, standings } from './row-state.ts'

const planIdText = z.string().regex(/^b-[0-9a-f]{12}$/)
const rows = (what: string) => z.int().describe(`Rows ${what}.`)
const totals = z.record(z.string(), jsonAmount).describe('The sums of all rows of the plan, by currency.')

/** Of a plan that may have been discarded. */
const discardedMoment = utcMoment
  .nullable()
  .describe('When it was discarded: it sends no new row since, until its file is planned again. Null while it was not.')

const about = {
  planId: planIdText,
  rows: z.int().describe('Rows of the file; the counts of a result add up to it.'),
  totals,
}

const largest = z
  .record(z.string(), z.object({ row: z.int(), amount: jsonAmount }))
  .describe('The largest row, by currency; of several alike the first.')

const facts = {
  ...about,
  hash: z.string().describe('Of name, client and rows: the same plan has the same.'),
  name: z.string(),
  file: z.string(),
  format: z.enum(fileFormats),
  profile: z.string(),
  environment: environmentWord,
  plannedAt: utcMoment,
  expiresAt: utcMoment.describe('Until then new rows are sent; later the file has to be planned again.'),
  discardedAt: discardedMoment,
}

export const approvalOfPlan = z
  .object({
    needs: z.int().min(1).describe('How many others have to approve it.'),
    approvalId: z
      .string()
      .nullable()
      .describe('The request that is open for it; null where none is: `approval request` makes one.'),
    because: z.string(),
  })
  .nullable()
  .describe(
    'The approval that its new rows wait for, as the rules and the day stand now; null where they wait for none.',
  )

/** The end of `batch plan`. */
export const planResult = z.object({
  ...facts,
  largest,
  approval: approvalOfPlan,
  replayed: rows('that were sent before, and are not sent again'),
  left: rows('that a run of it still sends or resolves'),
  consent: z.string().describe('The words that --confirm takes.'),
  renewed: z.boolean().describe('The plan was there, too old to send anything, and is good for another day.'),
  firstTime: z
    .int()
    .describe('Beneficiaries that are not listed as known, and that nothing was paid to so far from this journal.'),
  fits: z.boolean().describe('Whether its new rows fit the limits of the profile as they stand now.'),
  known: z.int().describe('Beneficiaries that are listed as known (`payee list`).'),
  otherAccounts: rows('whose payee is known with another account, or whose account is known as that of another payee'),
  balances: z
    .array(
      z.object({
        currency: z.string(),
        amount: jsonAmount.nullable(),
        needed: jsonAmount,
        covers: z.boolean().nullable(),
      }),
    )
    .describe('The balance beside what the plan needs, where the service tells it.'),
  warnings: warningTexts,
})

const isWorked = z.boolean().describe('A run or workers may send rows of it.')

/** The rows of a plan by state. */
export const countResult = z.object({
  ...about,
  accepted: rows('that the service has taken'),
  exists: rows('that the service has, as it says of their id'),
  notPaid: rows('among the accepted and the existing that have ended without a payment, as far as is known here'),
  refused: rows('that were refused'),
  turnedAway: rows('that were turned away (401, 429)'),
  unsent: rows('that did not leave this machine'),
  unknown: rows('without a definite answer'),
  held: rows('over a limit: each is sent by its own id, `resume <journalId>`'),
  sending: rows('that another run has in flight'),
  planned: rows('that were not sent yet'),
  replayed: rows('that were sent before the plan was made'),
  conflicts: rows(
    'among the refused and the unknown whose key or id somebody else has, in this journal or at the service: no run sends them',
  ),
  stopped: z
    .string()
    .nullable()
    .describe(
      'The reason why a run ended before its last row; null where it did not; “by ^C” and “by SIGTERM” are signals.',
    ),
  journalHead: journalHeadText,
  warnings: warningTexts,
})

/** One line of `batch list`. */
export const planListResult = z.array(z.object({ ...facts, isStale: z.boolean(), isDiscarded: z.boolean() }))

/** A plan and its rows. */
export const shownResult = z.object({
  ...facts,
  largest,
  approval: approvalOfPlan,
  shown: z.array(
    z.object({
      row: z.int().describe('As a spreadsheet counts: the header is 1.'),
      state: oneWordOf(rowStates),
      key: z.string().nullable(),
      uniqueId: uuidText,
      amount: jsonAmount,
      currency: z.string(),
      payee: z.string(),
      transactionId: z.string().nullable(),
      status: z.string().nullable().describe('The newest status of the service that is known here.'),
      journalId: journalIdText.nullable(),
      because: z.string().nullable(),
    }),
  ),
  moreRows: z.int().describe('Rows of the plan, or of its --state, beside these.'),
  warnings: warningTexts,
})

const sums = {
  rows: z.int(),
  totals: z.record(z.string(), jsonAmount).describe('The sums of these rows, by currency.'),
}

/** The files of `batch results`. */
export const resultsResult = z.object({
  ...about,
  isWorked,
  sending: rows('of unknown.csv that a run or a worker has on its way'),
  papers: z
    .array(z.object({ path: z.string(), ...sums }))
    .describe('ok.csv, refused.csv, unknown.csv and unsent.csv; together they are the plan, to the last cent.'),
  report: z.string().nullable().describe('The path of pain.002.xml; null where the file was no pain.001.'),
  notPaid: rows('of ok.csv that have ended without a payment since they were accepted'),
  replayed: rows('that were sent before the plan was made, and not since: nothing moved for them now'),
  journalHead: journalHeadText,
  warnings: warningTexts,
})

/** The end of `batch wait`. */
export const waitResult = z.object({
  ...about,
  paid: rows('that the service has executed (SUCCESS)'),
  accepted: rows('that were accepted and are not final yet'),
  notPaid: rows('that were accepted and have ended without a payment'),
  exists: rows('that the service has by its own word; their sums are not confirmed'),
  sending: rows('that a run or a worker has on its way'),
  unknown: rows('without a definite answer'),
  refused: rows('that were refused'),
  unsent: rows('that were not sent'),
  discardedAt: discardedMoment,
  paidTotals: z.record(z.string(), jsonAmount).describe('The sums of the rows that are paid, by currency.'),
  replayed: rows('that were sent before the plan was made, and not since: nothing moved for them now'),
  replayedTotals: z.record(z.string(), jsonAmount).describe('The sums of these rows, by currency.'),
  warnings: warningTexts,
})

const rowFacts = {
  row: z.int().describe('As a spreadsheet counts: the header is 1.'),
  state: oneWordOf(rowStates),
}

/** The whole of a plan: `batch report --json`. */
export const reportResult = z.object({
  ...facts,
  at: utcMoment,
  isWorked,
  journalHead: journalHeadText,
  standings: z
    .array(z.object({ standing: oneWordOf(standings), ...sums }))
    .describe('All rows, each once: what was accepted by how it has ended since.'),
  replayed: rows('that were sent before the plan was made, and not since: nothing moved for them now'),
  warnings: warningTexts,
  next: z.array(z.string()).describe('What is left to do, for a person.'),
  path: z.string().nullable().describe('The file of --out; null without one.'),
  lines: z
    .array(
      z.object({
        ...rowFacts,
        standing: oneWordOf(standings),
        status: z.string().nullable().describe('The newest status of the service that is known here.'),
        key: z.string().nullable(),
        uniqueId: uuidText,
        amount: jsonAmount,
        currency: z.string(),
        payee: z.string(),
        transactionId: z.string().nullable(),
        journalId: journalIdText.nullable(),
        code: z.int().nullable().describe('The code of a refusal.'),
        why: z.string().nullable(),
        sentBefore: utcMoment
          .nullable()
          .describe('When it was sent before the plan was made: nothing moved for it now. Null where it was not.'),
        sentByPlan: planIdText.nullable().describe('The plan that sent it then; null where none is known here.'),
      }),
    )
    .describe('The first rows, --limit of them; --format csv and ndjson give all.'),
  moreLines: z.int().describe('Rows that are not listed.'),
})

// The status of a plan, as `batch status --json` prints it: once, or a line for each change with --watch.

const sum = (what: string) => jsonAmount.describe(`Of the rows ${what}.`)

export const statusResult = z.object({
  ...countResult.shape,
  at: utcMoment.describe('By the clock of the store, as all times of this document.'),
  discardedAt: discardedMoment,
  isWorked: z.boolean().describe('A run or workers may send rows of it.'),
  isOver: z
    .boolean()
    .describe('Nobody sends more of it by itself: all is sent, its run has ended, or it was stopped or taken back.'),
  withWorkers: z
    .object({
      handedAt: utcMoment,
      endedAt: utcMoment.nullable(),
      rate: z.number().nullable().describe('Rows a second of the whole fleet at most.'),
      present: z.int().describe('Workers of its client that are there.'),
      working: z.int().describe('Those of them that have rows of it in work.'),
    })
    .nullable()
    .describe(
      'Null where the plan was never handed to the workers of a team; `stopped` says why they take no more of it.',
    ),
  rowsPerSecond: z.number().nullable().describe('Over the last seconds of --watch; null without it, and at first.'),
  unknownSince: utcMoment.nullable().describe('The oldest row without a definite answer was opened then.'),
  money: z
    .array(
      z.object({
        currency: z.string(),
        total: sum('of the plan'),
        accepted: sum('of ok.csv: the service has taken them, those that ended without a payment among them'),
        notPaid: sum('among the accepted that have ended without a payment'),
        exists: sum('that only exist at the service, by its own word; in unknown.csv'),
        sending: sum('that are on their way'),
        unknown: sum('without a definite answer; in unknown.csv'),
        conflict: sum('that were refused because somebody else has their key or id; in unknown.csv'),
        refused: sum('of refused.csv'),
        left: sum('of unsent.csv, that were not sent: planned, held, unsent and turned away'),
      }),
    )
    .describe('By currency; all but `notPaid` add up to the total. The papers of `batch results` have the same sums.'),
})
