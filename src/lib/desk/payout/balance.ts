/** The balances that payouts are paid from. */

import { payoutBalance } from '../../contract/payout/payout.ts'
import { type Currency, currencies } from '../../contract/payout/request.ts'
import { Failure } from '../../failure.ts'
import type { ResultOf } from '../../result.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'
import { mustSpeakOf } from '../echo.ts'
import { isUnknownObject } from '../receipt/refusal.ts'
import type { balancesResult } from './result.ts'

export type Balance = ResultOf<typeof balancesResult>[number]

/** One currency, or every currency of the contract; a missing account is a refusal only where it was asked for by name. */
export async function readBalances(desk: Desk, currency: Currency | null): Promise<Balance[]> {
  if (currency !== null) return [await readBalance(desk, currency)]
  const deadline = desk.clock.now() + desk.settings.timeout
  const balances: Balance[] = []
  for (const each of currencies) {
    try {
      balances.push(await readBalance(desk, each, deadline))
    } catch (error) {
      const words = error instanceof Failure ? error.facts.service : null
      if (!words || !isUnknownObject(payoutBalance, words)) throw error
      balances.push({ currency: each, amount: null, note: 'no account' })
    }
  }
  return balances
}

async function readBalance(desk: Desk, currency: Currency, deadline?: number): Promise<Balance> {
  const answer = await call(desk, payoutBalance, { currency }, deadline)
  mustSpeakOf(payoutBalance, { currency }, answer)
  return { currency: answer.currency, amount: answer.amount, note: null }
}
