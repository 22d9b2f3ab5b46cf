/** The facts of a receipt, in the order in which a beneficiary reads them. */
import { accountInWords } from '../../contract/core/iban.ts'
import type { BeneficiaryReceipt } from './receipt.ts'

/** Moments (ISO, UTC) in the words of the place where the receipt is made. */
export type ReceiptTimes = (iso: string) => string

/** Name and value; what the payment does not have is left out. */
export function groupedFacts(receipt: BeneficiaryReceipt, times: ReceiptTimes): readonly (readonly [string, string])[] {
  const { beneficiary, description, payer, transactionId, reference, orderedAt, knownAt, serviceTime, journalHead } =
    receipt
  const facts: readonly (readonly [string, string | null])[] = [
    ['To', beneficiary.name],
    ['Account', accountInWords(beneficiary.account)],
    ['For', description],
    ['From', payer],
    ['Ordered', times(orderedAt)],
    ['Taken by the service', serviceTime === null ? null : `${serviceTime} (time of the service, zone not told)`],
    ['Transaction', transactionId],
    ['Reference', reference],
    ['As known', times(knownAt)],
    ['Journal head', journalHead],
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}
