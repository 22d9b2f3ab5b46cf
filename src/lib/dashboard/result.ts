/** The line of a dashboard that stands, as `--json` prints it. */
import { z } from 'zod'

export const dashboardReadyResult = z
  .strictObject({
    event: z.literal('ready'),
    url: z.string().describe('With the token that opens it.'),
    pid: z.int(),
  })
  .describe('One line, as soon as it answers; the command ends with 130 or 143 when it is stopped.')
