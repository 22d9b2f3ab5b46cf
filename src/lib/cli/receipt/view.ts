/** The receipt for a beneficiary as text: what it says of the payment comes first. */
import { type BeneficiaryReceipt, groupedFacts, paperTitles } from '../../listing/receipt.ts'
import { momentInWords, type Zone } from '../time/zoned-time.ts'
import type { View } from '../views/view.ts'

export function beneficiaryReceiptView(receipt: BeneficiaryReceipt, zone: Zone): View {
  const { standing, statement, amount, currency, environment } = receipt
  return [
    {
      kind: 'text',
      text: [
        paperTitles[standing],
        ...(environment === 'live' ? [] : [`TEST (${environment}): no real money`]),
        statement,
      ].join('\n'),
    },
    {
      kind: 'facts',
      rows: [['Amount', `${currency} ${amount}`], ...groupedFacts(receipt, (iso) => momentInWords(iso, zone))],
    },
  ]
}
