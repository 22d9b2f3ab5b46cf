/** Known payees as people see them. */
import { accountInWords } from '../../contract/core/iban.ts'
import { payeeDetails } from '../../contract/payout/payee.ts'
import type { Payee } from '../../journal/payees.ts'

export const detailInWords = {
  beneficiaryIdentityNumber: 'identity number',
  beneficiaryAddress: 'address',
  birthDate: 'born',
  currency: 'currency',
} as const

export function payeeRows({ payeeId, profile, name, account, addedAt, ...details }: Payee) {
  return [
    ['name', name],
    ['account', accountInWords(account)],
    ...payeeDetails.map((each) => [detailInWords[each], details[each]] as const),
    ['payee id', payeeId],
    ['since', addedAt],
    ['profile', profile],
  ] as const
}
