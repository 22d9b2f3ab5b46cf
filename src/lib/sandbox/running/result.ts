/** The line of a sandbox that stands, as `--json` prints it. */
import { z } from 'zod'

export const sandboxReadyResult = z
  .strictObject({
    event: z.literal('ready'),
    url: z.string(),
    pid: z.int(),
    dashboard: z
      .string()
      .nullable()
      .describe('The address of its window, with the token that opens it; null where this machine cannot reach it.'),
    authority: z
      .string()
      .nullable()
      .describe(
        'With --tls the file of the authority (PEM) that clients have to trust; new with every start. Else null.',
      ),
  })
  .describe('One line, as soon as it answers; the command ends with 130 or 143 when it is stopped.')
