/** Saved cards as the ledger tells of them. */
import { mask } from '../../contract/mask.ts'
import { listCards } from '../../store/sandbox/cards.ts'
import type { CardRow } from '../../store/sandbox/schema/orders.ts'
import type { SandboxReader } from '../../store/sandbox/schema/schema.ts'
import { localMoment } from '../clock/clock.ts'
import { describeEach } from '../ledger/ledger.ts'
import { orderNameOf } from '../ledger/order-name.ts'

export interface LedgerCard {
  /** Never itself: whoever knows it can charge the card, and reads it by area D. */
  readonly token: typeof mask
  readonly integratorId: string
  readonly integratorOrderId: string | null
  /** The test card behind it. */
  readonly card: string
  readonly provider: string
  readonly cardMask: string
  readonly cardBrand: string
  readonly expirationDate: string
  readonly createdAt: string
}

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
