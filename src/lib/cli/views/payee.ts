/** Known payees as people see them. */
import { accountInWords } from '../../contract/core/iban.ts'
import type { Payee } from '../../journal/payees/payees.ts'

export function payeeRows({ payeeId, profile, name, account, addedAt }: Payee) {
  return [
    ['name', name],
    ['account', accountInWords(account)],
    ['payee id', payeeId],
    ['since', addedAt],
    ['profile', profile],
  ] as const
}
