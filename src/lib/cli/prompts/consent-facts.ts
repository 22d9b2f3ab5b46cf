/** Facts of a request that its sum and its payee do not tell: from which account, in whose name, who gives back which part. */
import { accountInWords } from '../../contract/core/iban.ts'
import { isMembers, type Members } from '../../contract/core/members.ts'

const parts = (details: unknown) => (Array.isArray(details) ? details.filter(isMembers) : [])

/** Lines for a person; none where the request has nothing of it. */
export function consentFacts(request: Members): readonly string[] {
  const { fromIban, debtorName, debtorIban, debtorIdentityNumber, refundDetails } = request
  const payer = [debtorName, debtorIban && accountInWords(String(debtorIban)), debtorIdentityNumber].filter(Boolean)
  return [
    ...(fromIban ? [`debits ${accountInWords(String(fromIban))}`] : []),
    ...(payer.length > 0 ? [`names the payer to the bank: ${payer.join(', ')}`] : []),
    ...parts(refundDetails).map(
      ({ receiverType, receiverIdentifier, amount }) =>
        `given back by ${receiverType} ${receiverIdentifier}: ${amount}`,
    ),
  ]
}
