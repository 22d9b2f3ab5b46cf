/** Lost writes that were closed, as `--json` prints them. */
import { z } from 'zod'
import { comparable } from '../payout/comparison.ts'
import { doneResult, receiptResult } from '../receipt/result.ts'

export const reconciledResult = z.strictObject({
  ...receiptResult.shape,
  compared: z
    .array(
      z.strictObject({
        field: z.enum(comparable),
        journal: z.string().nullable(),
        service: z.string().nullable().describe('The description may come with the debtor fields in front of it.'),
        equal: z.boolean(),
      }),
    )
    .describe('What journal and service were compared in. A difference in any of them closes nothing (exit code 6).'),
  notShown: z
    .array(z.string())
    .describe('Fields that were sent and that the service does not show, so that nobody could compare them.'),
})

const resolved = z.union([receiptResult, doneResult])

export const resumedResult = z
  .union([resolved, z.array(resolved)])
  .describe('One receipt for `resume <id>`, a list without an id; it is empty when nothing was open.')
