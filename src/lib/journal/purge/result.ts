/** The deeds of a purge, as `--json` prints it. */
import { z } from 'zod'
import { utcMoment } from '../../result.ts'

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
