/** Payouts as the ledger tells of them. */
import type { ResultOf } from '../../result.ts'
import type { SandboxReader } from '../../store/sandbox/schema.ts'
import { listPayouts } from '../../store/sandbox/world.ts'
import { localTime } from '../clock/clock.ts'
import { payoutRequest } from '../ledger/accepted.ts'
import { money } from '../world/money.ts'
import type { ledgerPayoutResult } from './result.ts'

export type LedgerPayout = ResultOf<typeof ledgerPayoutResult>

export async function payoutLedger(db: SandboxReader): Promise<LedgerPayout[]> {
  return (await listPayouts(db)).map((payout) => ({
    uniqueId: payoutRequest(payout).uniqueId,
    transactionId: payout.transaction_id,
    amount: money(payout.amount),
    currency: payout.currency,
    status: payout.status,
    executions: payout.executions,
    clientId: payout.client_id,
    createdAt: localTime(payout, 6),
  }))
}
