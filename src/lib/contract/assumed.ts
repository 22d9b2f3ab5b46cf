/**
 * Every choice that the specification leaves open ("not shown"), each in one place. The numbers in brackets are sections of
 * the collection of observations (spec/observed.md).
 */

/** The code for a breach of a rule that has no code of its own [5]. */
export const generalBreach = 5039

/** An unknown payout: no code is known; the sandbox answers this one with HTTP 404 [5]. */
export const unknownPayout = { http: 404, statusCode: 5040 } as const

/** The HTTP status of every coded error of area A [5]. */
export const codedErrorHttp = 400

/** The HTTP status of a missing or wrong token [4]. */
export const badTokenHttp = 401

/** Lifetime of an access token in the sandbox, in seconds [4]. The desk obeys the field `expires_in`. */
export const tokenLifetime = 1800

/** A cached token is given up this many seconds before it ends, or after nine tenths of a shorter life [4]. */
export const tokenMargin = 60

/** The smallest and the largest payout, per currency: never enforced by the desk, and by the sandbox only for its restricted client [5]. */
export const payoutLimits = { minimum: '0.02', maximum: '100000' } as const

/** The service's local time has no zone in its texts; this one is meant, in hours east of UTC, without summer time [5, 6]. */
export const serviceZoneHours = 4

/** What separates debtorName, debtorIban, debtorIdentityNumber and the description in a recorded paymentDescription [5]. */
export const descriptionSeparator = ', '

/** The extra member of a recorded create answer [5]. */
export const recordedDistributionFlow = 'STANDARD'

/** What the sandbox's restricted client pays per payout, in thousandths of the amount, rounded up to 0.01. Nobody knows it. */
export const commissionPerMille = 5

/** The code for a breach of a rule of an order that has no code of its own: "create parameter" [6]. */
export const orderBreach = 6049

/** The same for the other operations of areas B, C and D: "argument" [6]. */
export const argumentBreach = 6053

/**
 * What the codes prove of a split, and the specification's table does not say: at least 2 entries, the order's own receiver
 * exactly once, no other receiver twice, amounts that add up to the order's (with a plan, to the plan's) [6].
 */
export const strictSplit = true

/** What one unit of a currency is worth in GEL, in the sandbox only: nobody knows the service's rates [6]. */
export const ratesToGel = { GEL: '1.00', USD: '2.70', EUR: '3.00' } as const

/** What the sandbox takes per order, in thousandths; who pays it is the order's `commissionType` [6]. */
export const orderCommissionPerMille = 20

/** Who pays the commission of an order that does not say so [6]. */
export const usualCommissionType = 'RECEIVER'

/** The language of the checkout page where neither the order nor the receiver names one [6]. */
export const usualLanguage = 'EN'

/** The sum a wallet order may have whose amount the service does not fix, in the sandbox [8]. */
export const walletLimits = { minimum: '0.10', maximum: '5000.00' } as const

/** How long a wallet order may be finalised, in seconds from its creation (the specification's own number). */
export const walletLifetime = 300

/** The desk gives a wallet order up this many seconds earlier: clocks differ and answers travel [8]. */
export const walletDeadlineMargin = 5

/**
 * A request whose answer was lost, and which the service does not know so many seconds after it was sent, was not executed.
 * Nothing of the service says how long a request may linger on its way [9].
 */
export const absentAfter = 15 * 60

/** The HTTP status of an error of areas B, C and D by its exception group; recorded are 1, 2, 3, 5 and 6 [6]. */
export const groupHttp: Readonly<Record<number, number>> = { 1: 400, 2: 400, 3: 400, 4: 500, 5: 400, 6: 500, 7: 500 }

/**
 * Seconds of the sandbox's clock between the attempts to deliver a callback, after a failed first one; then it is given up.
 * Nobody knows the service's retries [7, 9].
 */
export const callbackRetries = [5, 30, 2 * 60, 10 * 60, 60 * 60, 6 * 60 * 60] as const

/** Seconds that a callback's receiver has to answer; only HTTP 200 is its answer [7]. */
export const callbackTimeout = 10
