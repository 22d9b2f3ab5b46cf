/** Known payees, as `--json` prints them. */
import { z } from 'zod'
import { utcMoment, warningTexts } from '../../result.ts'

const payee = {
  payeeId: z.string().regex(/^p-[0-9a-f]{12}$/),
  profile: z.string(),
  name: z.string(),
  account: z.string().describe('An IBAN, or the type and id of a registered receiver: as the payee of a receipt.'),
  addedAt: utcMoment,
}

export const payeeResult = z.strictObject(payee).meta({ title: 'A payee that is known' })

export const payeesListedResult = z.array(payeeResult).describe('By name.')

export const payeeAddedResult = z
  .strictObject({
    ...payee,
    isNew: z.boolean().describe('False where it was listed already, with this name and account.'),
    warnings: warningTexts,
  })
  .meta({ title: 'A payee, listed' })
