/** Known payees as people see them. */
import { groupedIban, hasGeorgianPattern } from '../../contract/core/iban.ts'
import type { Payee } from '../../journal/payees/payees.ts'

/** An IBAN in groups; a registered receiver as it is. */
export function accountInWords(account: string): string {
  return hasGeorgianPattern(account) ? groupedIban(account) : account
}

export function payeeRows({ payeeId, profile, name, account, addedAt }: Payee) {
  return [
    ['name', name],
    ['account', accountInWords(account)],
    ['payee id', payeeId],
    ['since', addedAt],
    ['profile', profile],
  ] as const
}
