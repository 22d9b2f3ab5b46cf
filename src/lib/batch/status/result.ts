/** The status of a plan, as `batch status --json` prints it: once, or a line for each change with --watch. */
import { z } from 'zod'
import { jsonAmount, utcMoment } from '../../result.ts'
import { countResult, discardedMoment } from '../result.ts'

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
