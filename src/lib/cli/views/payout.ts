/** Payouts as people see them: receipts and reads. */
import { accountInWords } from '../../contract/core/iban.ts'
import { payoutStatusFacts } from '../../contract/payout/status.ts'
import type { PayoutRead } from '../../desk/payouts.ts'
import type { CreatedReceipt } from '../../desk/receipts.ts'
import { writeJson } from '../../json.ts'
import type { Block } from '../drawing/block.ts'
import { statusInWords } from './status.ts'
import type { View } from './view.ts'

export function receiptView(receipt: CreatedReceipt): View {
  const said = { accepted: 'accepted', exists: 'resolved as executed', refused: 'refused' }[receipt.outcome]
  const facts: Block = {
    kind: 'facts',
    title: receipt.replayed ? `Payout ${said} (an earlier run sent it; nothing was sent now)` : `Payout ${said}`,
    rows: [
      ['amount', `${receipt.currency} ${receipt.amount}`],
      ['to', accountInWords(receipt.payee)],
      ['payee', receipt.namedPayee ? `${receipt.namedPayee.name} (${receipt.namedPayee.payeeId})` : null],
      ['status', statusInWords(payoutStatusFacts, receipt.status)],
      ['says', receipt.statusDescription],
      ['transactionId', receipt.transactionId],
      ['uniqueId', receipt.uniqueId],
      ['createdAt', receipt.createdAt],
      ['journal', receipt.journalId],
      ['journal head', receipt.journalHead],
      ['profile', `${receipt.profile} (${receipt.environment})`],
    ],
  }
  return [facts]
}

/** The ten fields of A2 in its order, then whatever else the service sent. */
const a2 = [
  'transactionId',
  'status',
  'statusDescription',
  'amount',
  'toIban',
  'currency',
  'paymentDescription',
  'uniqueId',
  'createdAt',
  'commissionAmount',
] as const

export function payoutView(read: PayoutRead): View {
  const { journalId, profile, environment, warnings: _, ...sent } = read
  const known = new Set<string>(a2)
  const more = Object.entries(sent).filter(([name]) => !known.has(name))
  return [
    {
      kind: 'facts',
      rows: [
        ...a2.map(
          (name) =>
            [name, name === 'status' ? statusInWords(payoutStatusFacts, read.status) : (sent[name] ?? null)] as const,
        ),
        ...more.map(([name, value]) => [name, typeof value === 'object' ? writeJson(value) : String(value)] as const),
        ['journal', journalId],
        ['profile', `${profile} (${environment})`],
      ],
    },
  ]
}
