/** A beneficiary by itself: the fields of a payout that name one and lead to its account, under the same rules. */
import { z } from 'zod'
import { field } from '../core/field.ts'
import { freeText } from '../core/scalar.ts'
import { createPayout } from './payout.ts'
import { newPayout } from './request.ts'

const { toIban, receiverId, receiverType } = newPayout.shape

export const payeeAlone = {
  ...createPayout,
  request: z.strictObject({
    beneficiaryName: field(freeText, {
      help: 'full legal name of the beneficiary, as in the bank records',
      question: 'Who is it? The full legal name, as the bank has it.',
      example: 'Nino Beridze',
    }),
    toIban,
    receiverId,
    receiverType,
  }),
}
