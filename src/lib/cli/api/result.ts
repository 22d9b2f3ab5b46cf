/** The answer to `api`, as `--json` prints it. */
import { z } from 'zod'
import { environmentWord, oneWordOf, warningTexts } from '../../result.ts'

export const apiResult = z.strictObject({
  method: z.literal('GET'),
  path: z.string().describe('As it was typed, its query behind it.'),
  part: oneWordOf(['payouts', 'orders', 'wallet']).describe(
    'The part of the service, whose address and keys it goes by.',
  ),
  answer: z.unknown().describe('As the service says it, opened where it was sealed; tokens of cards are hidden.'),
  profile: z.string(),
  environment: environmentWord,
  warnings: warningTexts,
})
