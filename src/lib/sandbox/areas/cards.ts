/** Saved cards (area D), and the test cards that a payer can play with. */
import { z } from 'zod'
import { usualBank } from '../../contract/assumed.ts'
import { getCard } from '../../contract/card.ts'
import { mask } from '../../contract/mask.ts'
import type { Random } from '../../edge.ts'
import { type ResultOf, uuidText } from '../../result.ts'
import { addCard, cardOfOrder, listCards } from '../../store/sandbox/cards.ts'
import { findOrder } from '../../store/sandbox/orders.ts'
import type { CardRow, OrderRow, SandboxReader, SandboxWriter } from '../../store/sandbox/schema.ts'
import { sealedRead } from '../access/sealed.ts'
import { findReceiver } from '../accounts/fixtures.ts'
import { localMoment, sandboxMoment } from '../clock.ts'
import type { SandboxArea } from '../handler.ts'
import { describeEach, orderNameOf, orderRequest } from '../ledger.ts'
import { refuse } from '../shape.ts'

const cardRoute = sealedRead(getCard, async (db, { integrator, request }) => {
  const order = await findOrder(db, integrator.identifier, request.integratorOrderId.toLowerCase())
  const card = order ? await cardOfOrder(db, order.order_id) : null
  if (!card) return refuse(6075, 'Card not found: no card of this integrator was saved with this order')
  const { token, provider, card_mask, expiration_date, card_brand } = card
  return {
    kind: 'value',
    value: { token, provider, cardMask: card_mask, expirationDate: expiration_date, cardBrand: card_brand },
  }
})

export const cardArea: SandboxArea = { routes: [cardRoute] }

/** The bank that is meant: DEFAULT is the default bank of the receiver. */
async function providerOf(db: SandboxWriter, order: OrderRow): Promise<string> {
  const { directLinkProvider = 'DEFAULT', receiverType, receiverId } = orderRequest(order)
  if (directLinkProvider !== 'DEFAULT') return directLinkProvider
  return (await findReceiver(db, receiverType, receiverId))?.defaultBank ?? usualBank
}

/** Keeps the card and gives back its token. A card belongs to the integrator. */
export async function saveCard(
  db: SandboxWriter,
  order: OrderRow,
  card: TestCard,
  at: number,
  random: Random,
): Promise<string> {
  const token = random.uuid()
  await addCard(db, {
    token,
    integrator_id: order.integrator_id,
    order_id: order.order_id,
    card: card.name,
    provider: await providerOf(db, order),
    card_mask: card.cardMask,
    expiration_date: card.expirationDate,
    card_brand: card.cardBrand,
    created: at,
  })
  return token
}

// The cards that a payer can play with. Their numbers are the well-known ones of tests: there is no card behind them.

export interface TestCard {
  readonly name: string
  /** The number to type at the checkout page. */
  readonly number: string
  readonly cardMask: string
  readonly cardBrand: string
  /** MM/YY: a card that is over is declined, and the sandbox's clock decides when. */
  readonly expirationDate: string
  readonly outcome: string
  /** True where the bank accepts the payer's own payment, and a later charge of the saved card. */
  readonly pays: boolean
  readonly paysAgain: boolean
  /** The bank's words where it refuses. */
  readonly refusal: string
  /** Milliseconds that the payer takes to confirm at the bank; the order is PROCESSING meanwhile. */
  readonly secondStep: number
}

const plain = { pays: true, paysAgain: true, refusal: 'declined by the bank', secondStep: 0 }

export const testCards: readonly TestCard[] = [
  {
    name: 'approved',
    number: '4111111111111111',
    cardMask: '411111******1111',
    cardBrand: 'VISA',
    expirationDate: '12/49',
    outcome: 'approved',
    ...plain,
  },
  {
    name: 'declined',
    number: '5555555555554444',
    cardMask: '555555******4444',
    cardBrand: 'MasterCard',
    expirationDate: '12/49',
    outcome: 'declined',
    ...plain,
    pays: false,
    paysAgain: false,
  },
  {
    name: 'second-step',
    number: '378282246310005',
    cardMask: '378282*****0005',
    cardBrand: 'AMEX',
    expirationDate: '12/49',
    outcome: 'approved after a second step of 3 seconds',
    ...plain,
    secondStep: 3000,
  },
  {
    name: 'expired',
    number: '4000000000000069',
    cardMask: '400000******0069',
    cardBrand: 'VISA',
    expirationDate: '01/20',
    outcome: 'declined, it has expired',
    ...plain,
  },
  {
    name: 'insufficient',
    number: '4000000000009995',
    cardMask: '400000******9995',
    cardBrand: 'VISA',
    expirationDate: '12/49',
    outcome: 'declined, there is not enough money on it',
    ...plain,
    pays: false,
    paysAgain: false,
    refusal: 'insufficient funds',
  },
  {
    name: 'declined-when-saved',
    number: '5200828282828210',
    cardMask: '520082******8210',
    cardBrand: 'MasterCard',
    expirationDate: '12/49',
    outcome: 'approved for the payer, declined whenever it is charged by its token',
    ...plain,
    paysAgain: false,
  },
]

export const usualCard = 'approved'

export function testCard(name: string): TestCard | null {
  return testCards.find((each) => each.name === name) ?? null
}

/** The reason why the bank refuses; null if it accepts. */
export function declineOf(card: TestCard, now: number, saved: boolean): string | null {
  const [month, year] = card.expirationDate.split('/').map(Number)
  // A card is good until the end of its month.
  if (now >= Date.UTC(2000 + (year ?? 0), month ?? 0, 1)) return 'the card has expired'
  return (saved ? card.paysAgain : card.pays) ? null : card.refusal
}

/** A test card as `sandbox world` shows it. */
type PrintedTestCard = Pick<TestCard, 'name' | 'cardMask' | 'cardBrand' | 'expirationDate' | 'outcome'>

export const printedTestCards: readonly PrintedTestCard[] = testCards.map(
  ({ name, cardMask, cardBrand, expirationDate, outcome }) => ({ name, cardMask, cardBrand, expirationDate, outcome }),
)

type LedgerCard = ResultOf<typeof ledgerCardResult>

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

/** Saved cards as the ledger tells of them, and the test cards of the world. */
export const ledgerCardResult = z.strictObject({
  token: z.literal(mask).describe('Hidden: `card get` prints it.'),
  integratorId: uuidText,
  integratorOrderId: z.string().describe('The order it was saved with.'),
  card: z.string().describe('The test card behind it.'),
  provider: z.string(),
  cardMask: z.string(),
  cardBrand: z.string(),
  expirationDate: z.string().describe('MM/YY.'),
  createdAt: sandboxMoment,
})

export const testCardResult = z.strictObject({
  name: z.string().describe('For `sandbox trigger paid --card`.'),
  cardMask: z.string(),
  cardBrand: z.string(),
  expirationDate: z.string().describe('MM/YY.'),
  outcome: z.string(),
})
