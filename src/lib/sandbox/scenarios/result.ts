/** The result of a scenario, as `--json` prints it. */
import { z } from 'zod'

export const scenarioResult = z.strictObject({
  scenario: z.string().describe('Its title.'),
  passed: z.int().min(0).describe('How many steps hold.'),
  failed: z.int().min(0).describe('1 where one does not: it ends there, with exit code 5.'),
  steps: z.array(
    z.strictObject({
      step: z.int().min(1).describe('Counted from 1.'),
      line: z.int().min(1).describe('Where it stands in the file.'),
      name: z.string(),
      outcome: z.enum(['passed', 'failed', 'skipped']),
      problems: z.array(z.string()).describe('What does not hold, in words.'),
      milliseconds: z.number().min(0),
    }),
  ),
})
