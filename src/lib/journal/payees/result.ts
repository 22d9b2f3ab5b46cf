/** Known payees, as `--json` prints them. */
import { z } from 'zod'
import { utcMoment, warningTexts } from '../../result.ts'

const payee = {
  payeeId: z.string().regex(/^p-[0-9a-f]{12}$/),
  profile: z.string(),
  name: z.string(),
  account: z.string().describe('An IBAN, or the type and id of a registered receiver: as the payee of a receipt.'),
  beneficiaryIdentityNumber: z.string().nullable(),
  beneficiaryAddress: z.string().nullable(),
  birthDate: z.string().nullable().describe('dd.MM.yyyy'),
  currency: z.string().nullable().describe('The only one in which it is paid; null for any.'),
  addedAt: utcMoment,
}

export const payeeResult = z.strictObject(payee).meta({ title: 'A payee that is known' })

/** The payee that a payout was made to by its name. */
export const namedPayee = z
  .strictObject({ payeeId: payee.payeeId, name: payee.name })
  .optional()
  .describe('The listed payee that --payee named; left out without it.')

export const payeesListedResult = z.array(payeeResult).describe('By name.')

export const payeeEditedResult = z
  .strictObject({
    ...payee,
    changed: z.array(z.string()).describe('The fields of a payout to it that have another value now.'),
    warnings: warningTexts,
  })
  .meta({ title: 'A payee, changed' })

export const payeeAddedResult = z
  .strictObject({
    ...payee,
    isNew: z.boolean().describe('False where it was listed already, with this name and account.'),
    isCompleted: z.boolean().describe('True where it was listed already, and got details that it lacked.'),
    warnings: warningTexts,
  })
  .meta({ title: 'A payee, listed' })
