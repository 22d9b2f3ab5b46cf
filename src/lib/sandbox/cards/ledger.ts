/** Saved cards as the ledger tells of them. */
import { mask } from '../../contract/mask.ts'
import type { ResultOf } from '../../result.ts'
import { listCards } from '../../store/sandbox/cards.ts'
import type { CardRow, SandboxReader } from '../../store/sandbox/schema.ts'
import { localMoment } from '../clock/clock.ts'
import { describeEach } from '../ledger/ledger.ts'
import { orderNameOf } from '../ledger/order-name.ts'
import type { ledgerCardResult } from './result.ts'

export type LedgerCard = ResultOf<typeof ledgerCardResult>

export async function describeCard(db: SandboxReader, card: CardRow): Promise<LedgerCard> {
  return {
    token: mask,
    integratorId: card.integrator_id,
    integratorOrderId: await orderNameOf(db, card.order_id),
    card: card.card,
    provider: card.provider,
    cardMask: card.card_mask,
    cardBrand: card.card_brand,
    expirationDate: card.expiration_date,
    createdAt: localMoment(card.created),
  }
}

export async function cardLedger(db: SandboxReader): Promise<LedgerCard[]> {
  return await describeEach(await listCards(db), (card) => describeCard(db, card))
}
