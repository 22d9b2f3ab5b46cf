/** Evidence in the status of a wallet order about a write whose answer was lost (money-safety.md#evidence). */
import { type Shown, shownBy } from '../evidence.ts'
import type { WalletStatus } from './status.ts'

function byStatus(table: Readonly<Record<WalletStatus, Shown>>): (status: string) => Shown {
  return (status) => shownBy(table, status)
}

export const walletCreationShown = byStatus({
  REGISTERED: 'executed',
  SUCCESS: 'executed',
  FAILED: 'executed',
  CANCELED: 'executed',
})

export const finalizationShown = byStatus({
  REGISTERED: 'no-trace',
  SUCCESS: 'executed',
  FAILED: 'over',
  CANCELED: 'over',
})

export const deletionShown = byStatus({
  REGISTERED: 'no-trace',
  SUCCESS: 'over',
  FAILED: 'executed',
  CANCELED: 'executed',
})
