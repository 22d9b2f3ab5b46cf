/** The result of `completion`, as `--json` prints it. */
import { z } from 'zod'
import type { ResultOf } from '../../result.ts'
import { shells } from './scripts.ts'

export const completionResult = z
  .strictObject({
    shell: z.enum(shells),
    script: z.string().describe('The text that the shell is to run at its start.'),
  })
  .describe('What a shell needs to complete commands, flags, values, and live profiles, plans and ids.')

export type Completion = ResultOf<typeof completionResult>
