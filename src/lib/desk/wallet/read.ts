/** Reading how far a bank-wallet order is, and what this journal still holds open about it. */
import type { AnswerOf } from '../../contract/operation.ts'
import { writesAbout } from '../../contract/operations.ts'
import { createWalletOrder, walletOrderDetails } from '../../contract/wallet/wallet.ts'
import { about, Failure } from '../../failure.ts'
import type { Intent } from '../../journal/intent.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'
import { normalId } from '../draft.ts'
import { unreadWhileOpen } from '../order/ask.ts'
import { inPlay } from '../recover/in-play.ts'
import { walletIdOf, walletIntent } from './find.ts'

/** What the service said, members that paydesk does not know included, and where paydesk knows the order from. */
export type WalletRead = AnswerOf<typeof walletOrderDetails> & {
  /** Of its creation; null for an order that another machine made. */
  readonly journalId: string | null
  readonly profile: string
  readonly environment: string
  readonly warnings: readonly string[]
}

/** Everything that this journal sent about it and knows no end of. */
async function openOf(desk: Desk, uniqueId: string): Promise<readonly Intent[]> {
  const found = await Promise.all(writesAbout('wallet order').map((each) => walletIntent(desk, each, uniqueId)))
  return found.filter((intent) => intent?.state === 'unknown') as Intent[]
}

/** Throws a Failure as `call`; unknown (9) while something about it is open. */
export async function readWallet(desk: Desk, typed: string): Promise<WalletRead> {
  const uniqueId = await walletIdOf(desk, typed)
  const created = await walletIntent(desk, createWalletOrder, uniqueId)
  const open = await openOf(desk, uniqueId)
  const journalId = created?.journalId ?? null
  const facts = about(walletOrderDetails, { uniqueId, journalId })
  const [unresolved] = open
  const asking = async () => {
    const asked = call(desk, walletOrderDetails, { identifier: desk.profile.clientId, uniqueId })
    return await asked.catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error
      throw unresolved
        ? unreadWhileOpen(error, unresolved, { ...facts, journalId: unresolved.journalId })
        : error.with(facts)
    })
  }
  const answer = await (unresolved ? inPlay(desk, unresolved, asking) : asking())
  if (normalId(answer.uniqueId) !== uniqueId) {
    throw new Failure('unknown', `the answer speaks of another order: ${answer.uniqueId}`, {
      ...facts,
      hints: ['Ask the service which of the two it is.'],
    })
  }
  const { name: profile, environment } = desk.profile
  const warnings = open.map(
    ({ operation, journalId }) => `the journal holds its ${operation} as unknown: \`paydesk resume ${journalId}\``,
  )
  return { ...answer, journalId, profile, environment, warnings }
}
