/** The cards that a payer can play with. Their numbers are the well-known ones of tests: there is no card behind them. */

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
export type PrintedTestCard = Pick<TestCard, 'name' | 'cardMask' | 'cardBrand' | 'expirationDate' | 'outcome'>

export const printedTestCards: readonly PrintedTestCard[] = testCards.map(
  ({ name, cardMask, cardBrand, expirationDate, outcome }) => ({ name, cardMask, cardBrand, expirationDate, outcome }),
)
