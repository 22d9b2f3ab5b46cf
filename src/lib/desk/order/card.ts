/** Saved cards (area D), and their tokens with which orders charge them. */

import { otherId } from '../../client/answer.ts'
import { getCard } from '../../contract/card.ts'
import { about, Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import type { ResultOf } from '../../result.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'
import { atStake, moneyOf } from '../recover/at-stake.ts'
import { orderOfId } from './find.ts'
import type { cardReadResult } from './result.ts'

/** The card as the service showed it, and the order it was saved with. */
export type CardRead = ResultOf<typeof cardReadResult>

/** Reads the card that was saved with an order. Its token is hidden from then on wherever anything else is shown. */
export async function readCard(desk: Desk, id: string): Promise<CardRead> {
  const { integratorOrderId, created, writes } = await orderOfId(desk, id)
  const facts = about(getCard, { uniqueId: integratorOrderId, journalId: created?.journalId ?? null })
  const card = await atStake(desk, writes, facts, () => call(desk, getCard, { integratorOrderId }))
  desk.tell.hide(card.token)
  const other = otherId({ integratorOrderId }, card)
  if (other !== null) {
    throw new Failure('unknown', `${other}; asking moved nothing`, {
      ...facts,
      moneyMoved: moneyOf(writes) ?? 'no',
      hints: [hint`Ask the service whose card that is.`],
    })
  }
  const { name, environment } = desk.profile
  return { ...card, integratorOrderId, profile: name, environment }
}
