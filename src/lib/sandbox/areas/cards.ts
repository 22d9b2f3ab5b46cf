/** Saved cards (area D), and the test cards that a payer can play with. */
import { z } from 'zod'
import { usualBank } from '../../contract/assumed.ts'
import { getCard } from '../../contract/card.ts'
import { mask } from '../../contract/mask.ts'
import type { Random } from '../../edge.ts'
import { type ResultOf, uuidText } from '../../result.ts'
import { addRow, findRow, listRows } from '../../store/sandbox/rows.ts'
import type { OrderRow, Row, SandboxReader, SandboxWriter } from '../../store/sandbox/schema.ts'
import { orderRoute } from '../access/sealed.ts'
import { findReceiver } from '../accounts/fixtures.ts'
import { localMoment, sandboxMoment } from '../clock.ts'
import { orderNameOf, orderRequest } from '../ledger.ts'
import { refuse } from '../shape.ts'

/** What the service tells of a card besides its token. */
export function cardFacts({ provider, card_mask, expiration_date, card_brand }: Row<'cards'>) {
  return { provider, cardMask: card_mask, expirationDate: expiration_date, cardBrand: card_brand }
}

export const cardRoute = orderRoute(getCard, async (db, { integrator, request }) => {
  const named = { integrator_id: integrator.identifier, integrator_order_id: request.integratorOrderId.toLowerCase() }
  const order = await findRow(db, 'orders', named)
  const card = order && (await findRow(db, 'cards', { order_id: order.order_id }))
  if (!card) return refuse(6075, 'Card not found: no card of this integrator was saved with this order')
  return { token: card.token, ...cardFacts(card) }
})

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
  { name, cardMask, expirationDate, cardBrand }: TestCard,
  at: number,
  random: Random,
): Promise<string> {
  const token = random.uuid()
  const { integrator_id, order_id } = order
  await addRow(db, 'cards', {
    ...{ token, integrator_id, order_id, card: name, provider: await providerOf(db, order) },
    ...{ card_mask: cardMask, expiration_date: expirationDate, card_brand: cardBrand, created: at },
  })
  return token
}

// The cards that a payer can play with. Their numbers are the well-known ones of tests: there is no card behind them.

export interface TestCard {
  readonly name: string
  readonly number: string
  readonly cardMask: string
  readonly cardBrand: string
  /** MM/YY: a card that is over is declined, and the sandbox's clock decides when. */
  readonly expirationDate: string
  readonly outcome: string
  /** The bank's words where it refuses the payer's own payment, and those where it refuses a later charge of the saved card. */
  readonly refusal: string | null
  readonly laterRefusal: string | null
  /** Milliseconds that the payer takes to confirm at the bank; the order is PROCESSING meanwhile. */
  readonly secondStep: number
}

function card(
  name: string,
  number: string,
  cardBrand: string,
  outcome: string,
  more: Partial<Pick<TestCard, 'expirationDate' | 'refusal' | 'laterRefusal' | 'secondStep'>> = {},
): TestCard {
  const cardMask = `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`
  const usual = { expirationDate: '12/49', refusal: null, laterRefusal: null, secondStep: 0 }
  return { name, number, cardMask, cardBrand, outcome, ...usual, ...more }
}

const declined = 'declined by the bank'
const poor = 'insufficient funds'

export const testCards: readonly TestCard[] = [
  card('approved', '4111111111111111', 'VISA', 'approved'),
  card('declined', '5555555555554444', 'MasterCard', 'declined', { refusal: declined, laterRefusal: declined }),
  card('second-step', '378282246310005', 'AMEX', 'approved after a second step of 3 seconds', { secondStep: 3000 }),
  card('expired', '4000000000000069', 'VISA', 'declined, it has expired', { expirationDate: '01/20' }),
  card('insufficient', '4000000000009995', 'VISA', 'declined, there is not enough money on it', {
    ...{ refusal: poor, laterRefusal: poor },
  }),
  card(
    'declined-when-saved',
    '5200828282828210',
    'MasterCard',
    'approved for the payer, declined whenever it is charged by its token',
    { laterRefusal: declined },
  ),
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
  return saved ? card.laterRefusal : card.refusal
}

export const printedTestCards: readonly ResultOf<typeof testCardResult>[] = testCards.map(
  ({ name, cardMask, cardBrand, expirationDate, outcome }) => ({ name, cardMask, cardBrand, expirationDate, outcome }),
)

type LedgerCard = ResultOf<typeof ledgerCardResult>

export async function describeCard(db: SandboxReader, card: Row<'cards'>): Promise<LedgerCard> {
  return {
    token: mask,
    integratorId: card.integrator_id,
    integratorOrderId: await orderNameOf(db, card.order_id),
    card: card.card,
    ...cardFacts(card),
    createdAt: localMoment(card.created),
  }
}

export async function cardLedger(db: SandboxReader): Promise<LedgerCard[]> {
  return await Promise.all((await listRows(db, 'cards')).map((card) => describeCard(db, card)))
}

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
