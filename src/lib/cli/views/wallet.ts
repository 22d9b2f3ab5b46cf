/** Bank-wallet orders as people see them. */
import { JsonNumber } from '../../contract/core/decimal.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { walletCreationFacts, walletStatusFacts } from '../../contract/wallet/status.ts'
import type { Done } from '../../desk/receipts.ts'
import { secondsInWords, type WalletCreated, type WalletRead } from '../../desk/wallet.ts'
import { writeJson } from '../../json.ts'
import type { Block, Cell } from '../drawing/block.ts'
import { statusInWords } from './status.ts'
import type { View } from './view.ts'

function cell(value: unknown): Cell {
  if (value === null || value === undefined) return null
  return typeof value === 'object' && !(value instanceof JsonNumber) ? writeJson(value) : String(value)
}

function sum(currency: string | null, amount: Cell): string | null {
  return amount === null || amount === undefined ? null : [currency, amount].filter(Boolean).join(' ')
}

const earlier = ' (an earlier run sent it; nothing was sent now)'

function title(words: string, { outcome, replayed }: Done): string {
  const lost = outcome === 'exists' ? ', its answer was lost' : ''
  return `${outcome === 'refused' ? 'Refused' : words}${lost}${replayed ? earlier : ''}`
}

function origin({ journalId, profile, environment }: Pick<WalletRead, 'journalId' | 'profile' | 'environment'>) {
  return [
    ['journal', journalId],
    ['profile', `${profile} (${environment})`],
  ] as const
}

export function walletCreatedView(created: WalletCreated): View {
  const { currency, minAmountAllowed: least, maxAmountAllowed: most, finalizeBy, secondsLeft } = created
  const range = least || most ? `${sum(currency, least) ?? '…'} – ${most ?? '…'}` : null
  const facts: Block = {
    kind: 'facts',
    title: title('Wallet order registered', created),
    rows: [
      ['receiver', created.receiverName],
      ['amount', sum(currency, created.amount) ?? range],
      // The meaning of the status, "to be finalized", is no help once the time is over.
      ['status', secondsLeft > 0 ? statusInWords(walletCreationFacts, created.status) : created.status],
      ['finalize by', `${finalizeBy}, ${secondsLeft > 0 ? `${secondsInWords(secondsLeft)} left` : 'over'}`],
      ['uniqueId', created.uniqueId],
      ...origin(created),
    ],
  }
  return [facts]
}

/** The receipt of finalizing or deleting. */
export function walletDoneView({ done: what, statuses }: WriteOperation, done: Done): View {
  return [
    {
      kind: 'facts',
      title: title(`Wallet order ${what}`, done),
      rows: [
        ['amount', sum(done.currency, done.amount)],
        ['status', statusInWords(statuses, done.status)],
        ['uniqueId', cell(done.uniqueId)],
        ...origin(done),
      ],
    },
  ]
}

export function walletReadView({ journalId, profile, environment, warnings: _, ...sent }: WalletRead): View {
  const { uniqueId, amount, status, createdAt, finalisedAt, ...more } = sent
  return [
    {
      kind: 'facts',
      rows: [
        ['uniqueId', uniqueId],
        ['amount', cell(amount)],
        ['status', statusInWords(walletStatusFacts, status)],
        ['createdAt', createdAt],
        ['finalisedAt', finalisedAt],
        ...Object.entries(more).map(([name, value]) => [name, cell(value)] as const),
        ...origin({ journalId, profile, environment }),
      ],
    },
  ]
}
