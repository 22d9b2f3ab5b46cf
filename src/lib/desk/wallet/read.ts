/** Reading how far a bank-wallet order is, and what this journal still holds open about it. */
import { walletEnd } from '../../contract/wallet/status.ts'
import { createWalletOrder, finalizeWalletOrder, walletOrderDetails } from '../../contract/wallet/wallet.ts'
import { about, Failure } from '../../failure.ts'
import { hint, hintInWords, paste } from '../../hint.ts'
import { type Intent, isOf } from '../../journal/intent.ts'
import type { ResultOf } from '../../result.ts'
import type { Desk } from '../desk.ts'
import { contradiction } from '../echo.ts'
import { readThing } from '../line/read-thing.ts'
import { doubts } from '../receipt/ended.ts'
import { atStake, writesTo } from '../recover/at-stake.ts'
import { compareSum } from '../recover/shown-sum.ts'
import { walletIdOf } from './find.ts'
import type { walletReadResult } from './result.ts'

/** The service's answer, members that paydesk does not know included, and the source from which paydesk knows the order. */
export type WalletRead = ResultOf<typeof walletReadResult>

/** Throws a Failure as `call`; unknown (9) while something about it is open. */
export async function readWallet(desk: Desk, typed: string): Promise<WalletRead> {
  const uniqueId = await walletIdOf(desk, typed)
  const known = await writesTo(desk, 'wallet order', uniqueId)
  const journalId = known.find((intent) => isOf(intent, createWalletOrder))?.journalId ?? null
  const facts = about(walletOrderDetails, { uniqueId, journalId })
  const request = { identifier: desk.profile.clientId, uniqueId }
  const { answer, writes } = await atStake(desk, known, facts, () => readThing(desk, walletOrderDetails, request))
  const other = contradiction(walletOrderDetails, request, answer)
  if (other !== null) {
    throw new Failure('unknown', `the answer speaks of another order: ${other.told}`, {
      ...facts,
      hints: [hint`Ask the service which of the two it is.`],
    })
  }
  const created = writes.find((intent) => isOf(intent, createWalletOrder))
  const finalized = writes.find((intent) => isOf(intent, finalizeWalletOrder)) ?? null
  const compared = await compareSum(desk, finalized, answer)
  const { name: profile, environment } = desk.profile
  const open = writes.filter(({ state }) => state === 'unknown')
  const warnings = open.map(({ operation, journalId }) =>
    hintInWords(hint`the journal holds its ${operation} as unknown: \`${paste('resume', journalId)}\``),
  )
  return {
    ...answer,
    journalId,
    profile,
    environment,
    warnings: [...warnings, ...(created ? doubts(created) : []), ...sinceFinalized(compared, answer)],
  }
}

/** The unusual about an executed finalization, as it stands now. */
function sinceFinalized(finalized: Intent | null, { status }: { readonly status: string }): readonly string[] {
  if (finalized === null || finalized.state === 'unknown') return []
  const inDoubt = doubts(finalized)
  if (inDoubt.length > 0 || (finalized.state !== 'accepted' && finalized.state !== 'exists')) return inDoubt
  if (walletEnd(status) !== 'not-paid') return []
  return [`it was finalized from here (${finalized.journalId}), and the service shows it as ${status} now`]
}
