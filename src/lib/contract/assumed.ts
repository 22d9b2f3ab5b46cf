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
