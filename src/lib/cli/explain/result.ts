/** The meaning of a word of the service or of paydesk, as `--json` prints it. */
import { z } from 'zod'

export const explainedResult = z
  .array(
    z.strictObject({
      kind: z.enum(['code', 'status', 'state', 'exit-code']),
      word: z.string().describe('The code, status, state, or number of the exit code.'),
      about: z.string().describe('Whose word it is: of payouts, of orders, of the journal, of paydesk.'),
      name: z.string().nullable().describe('A name of a number.'),
      means: z.string(),
      moneyMoved: z.string().describe('In words.'),
      next: z.string().describe('What to do.'),
      exit: z.int().nullable().describe('The exit code of the command that ends in it; null where that depends.'),
    }),
  )
  .describe('Every meaning of the word: FAILED is a status of payouts, of orders and more.')
  .meta({ file: 'explain', title: 'explain --json, help <code> --json' })
