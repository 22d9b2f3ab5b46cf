/** A new payout at a terminal: first one of the payees that are listed as known, where there are any, then what is missing. */
import { accountInWords } from '../../contract/core/iban.ts'
import type { Members } from '../../contract/core/members.ts'
import type { Operation } from '../../contract/operation.ts'
import { membersOf, type NamedAccount } from '../../contract/payout/payee.ts'
import { contradictions, refuse } from '../flags/fields.ts'
import { type Asker, askForMissing } from './ask.ts'

const somebodyElse = 'somebody else'

/** `known`: asked for only where nothing that is given names the beneficiary. */
export async function askForPayout(
  asker: Asker,
  operation: Operation,
  given: Members,
  known: () => Promise<readonly NamedAccount[]>,
): Promise<Record<string, unknown>> {
  const isNamed = ['beneficiaryName', 'toIban', 'receiverId', 'receiverType'].some((name) => given[name] !== undefined)
  const payees = isNamed ? [] : await known()
  if (payees.length === 0) return askForMissing(asker, operation, given)
  const labels = payees.map(({ name, account }) => `${name}, ${accountInWords(account)}`)
  const chosen = await asker.choice('Who is paid?', [...labels, somebodyElse])
  const payee = payees[labels.indexOf(chosen)]
  const members = payee ? membersOf(payee) : {}
  const otherwise = contradictions(operation, given, members, 'the list of payees')
  if (otherwise.length > 0) throw refuse(operation, otherwise)
  return askForMissing(asker, operation, { ...given, ...members })
}
