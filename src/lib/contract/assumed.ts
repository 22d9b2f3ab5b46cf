/**
 * Every choice that the specification leaves open ("not shown"), each in one place. Names such as service.md#payouts are
 * sections of docs/explanation/service.md, which says why; docs/reference/assumptions.md lists them all.
 */

/** The code for a breach of a rule that has no code of its own (service.md#payout-codes). */
export const generalBreach = 5039
/** An unknown payout: no code is known; the sandbox answers this one with HTTP 404 (service.md#payout-codes). */
export const unknownPayout = { http: 404, statusCode: 5040 } as const
/** The HTTP status of every coded error of area A (service.md#payout-codes). */
export const codedErrorHttp = 400
/** The groups of recorded errors of area A of which none was seen: those of areas B to D (service.md#payout-codes). */
export const payoutErrorGroups: Readonly<Record<number, number>> = {
  ...{ 5013: 1, 5015: 5, 5017: 2, 5033: 2, 5039: 1, 5040: 6, 5041: 5 },
  ...{ 5042: 1, 5043: 1, 5047: 3, 5048: 3, 5050: 1, 5051: 1 },
}
/** The HTTP status of a missing or wrong token (service.md#sign-in). */
export const badTokenHttp = 401
/** Lifetime of an access token in the sandbox, in seconds (service.md#sign-in). The desk obeys the field `expires_in`. */
export const tokenLifetime = 1800
/** A cached token is given up this many seconds before it ends, or after nine tenths of a shorter life (service.md#sign-in). */
export const tokenMargin = 60
/**
 * The smallest and the largest payout, per currency: never enforced by the desk, and by the sandbox only for its clients that
 * pay out by IBAN (service.md#limits).
 */
export const payoutLimits = { minimum: '0.02', maximum: '100000' } as const
/** The service's local time has no zone in its texts: hours east of UTC, without summer time (service.md#orders). */
export const serviceZoneHours = 4
/**
 * The first transaction identifier of the sandbox's world: those in use have five to seven digits, and one above 2^53 is read
 * as another by clients that take numbers for floating point (service.md#payouts).
 */
export const usualFirstTransactionId = '100001'
/** The text between debtor fields and description in a recorded paymentDescription (service.md#payouts). */
export const descriptionSeparator = ', '
/** The extra member of a recorded create answer (service.md#payouts). */
export const recordedDistributionFlow = 'STANDARD'
/**
 * The commission per payout of the sandbox's clients that pay out by IBAN, in thousandths of the amount, rounded up to 0.01.
 * The service's own is not known (service.md#not-known).
 */
export const commissionPerMille = 5
/** Seconds from its creation in which a payout of the sandbox is PENDING, is SUCCESS, or ends otherwise (service.md#payout-statuses). */
export const payoutTakes = { PENDING: 1, SUCCESS: 3, otherwise: 2 } as const

/** The service's name in REFUNDED_BY_<name>, the status after its own refunds, until a world has another (service.md#order-statuses). */
export const usualRefundedBy = 'SERVICE'

/** The code for a breach of a rule of an order that has no code of its own: "create parameter" (service.md#order-codes). */
export const orderBreach = 6049
/** The same for the other operations of areas B, C and D: "argument" (service.md#order-codes). */
export const argumentBreach = 6053
/** The value of one unit of a currency in GEL, in the sandbox only: rates are not known (service.md#not-known). */
export const ratesToGel = { GEL: '1.00', USD: '2.70', EUR: '3.00' } as const
/** The commission of an order in the sandbox, in thousandths; `commissionType` says who pays it (service.md#orders). */
export const orderCommissionPerMille = 20
/** Seconds after which an order without `validUntil` expires that nobody has paid (service.md#orders). */
export const unpaidOrderLifetime = 86_400
/** Seconds that a payer has for a second step at the checkout page (service.md#orders). */
export const secondStepLifetime = 300
/** Seconds after a completion in which an order of the recorded shape still reads as before it, in the sandbox (service.md#seen-since). */
export const captureTakes = 3
/** Seconds from its request to the end of a refund in the sandbox (service.md#refunds). */
export const refundTakes = 3
/** The payer of the commission of an order that does not say so (service.md#orders). */
export const usualCommissionType = 'RECEIVER'
/** The language of the checkout page where neither the order nor the receiver names one (service.md#orders). */
export const usualLanguage = 'EN'
/** The bank behind directLinkProvider DEFAULT, for receivers of the sandbox of which nothing else is said (service.md#orders). */
export const usualBank = 'CREDO'
/** The code for a provider that is not on the list of its field; none is known (service.md#providers). */
export const unlistedProviderBreach = 6049
/** Codes for a receiver that does not exist or is blocked: of the order, of a part, of the tip (service.md#orders). */
export const wrongReceiverBreaches = { order: 6049, part: 6099, tip: 6030 } as const
/** The code for a tip where the receiver of the order takes none: as if there were no tip receiver (service.md#orders). */
export const noTipsBreach = 6030

/**
 * The smallest and the largest order, in its currency, of integrators of the sandbox for which nothing else is configured
 * (service.md#limits). With a plan its price counts.
 */
export const orderLimits = { minimum: '0.01', maximum: '50000' } as const

/** The sum of a wallet order in the sandbox where the service does not fix the amount (service.md#limits). */
export const walletLimits = { minimum: '0.10', maximum: '5000.00' } as const
/** The sum that a receiver of the sandbox takes by wallet orders in a day of the service's calendar (service.md#limits). */
export const receiverDailyLimit = '10000.00'
/** The largest sum that the sandbox takes at all (service.md#limits). */
export const largestSandboxSum = '100000000.00'
/** The currency of wallet orders, which name none (service.md#wallet). */
export const walletCurrency = 'GEL'
/** The status that the deletion of a wallet order answers, and the code where it has ended (service.md#wallet). */
export const deletedWalletStatus = 'CANCELED'
export const undeletableBreach = 6110
/** Seconds from its creation in which a wallet order may be finalized (the specification's own number). */
export const walletLifetime = 300

/**
 * Seconds after `validUntil` at which the desk takes a failed order for ended: clocks differ, and the zone of the text is
 * assumed (service.md#orders).
 */
export const validUntilMargin = 86_400
/** The desk gives a wallet order up this many seconds earlier: clocks differ and answers travel (service.md#wallet). */
export const walletDeadlineMargin = 5
/**
 * Seconds after which a request without an answer, still unknown to the service, counts as not executed. Nothing of the
 * service says how long a request may linger on its way (service.md#not-known).
 */
export const absentAfter = 15 * 60

/**
 * The HTTP status of an error of areas B, C and D by its exception group; recorded are 1, 2, 3, 5 and 6
 * (service.md#order-codes).
 */
export const groupHttp: Readonly<Record<number, number>> = { 1: 400, 2: 400, 3: 400, 4: 500, 5: 400, 6: 500, 7: 500 }
/**
 * Exception groups of the answers that no operation gives, by their HTTP status, which is their statusCode as well: no such
 * path, not by this method, a body that is too large. No code is known (service.md#order-codes).
 */
export const turnedAwayGroups = { 404: 5, 405: 1, 413: 1 } as const

/**
 * Seconds of the sandbox's clock between the attempts to deliver a callback, after a failed first one; then it is given up.
 * The service's retries are not known (service.md#callbacks).
 */
export const callbackRetries = [5, 30, 2 * 60, 10 * 60, 60 * 60, 6 * 60 * 60] as const
/** Seconds that a callback's receiver has to answer; only HTTP 200 is its answer (service.md#callbacks). */
export const callbackTimeout = 10

/**
 * The statuses in which a subscription is revoked. The answer of a revocation is not specified: an empty success is taken for
 * done, with a warning, and so is one that repeats the subscription; a status counts only if it is one of these
 * (service.md#subscriptions).
 */
export const revokedStatuses: readonly string[] = ['REVOKED', 'CANCELED']
/**
 * The status in which a completion answers that the blocked amount was taken: its answer is not specified either
 * (service.md#pre-authorisation).
 */
export const completedStatus = 'SUCCESS'
/** The code for a completion of an order that has nothing blocked (service.md#pre-authorisation). */
export const uncompletableBreach = 6006
/** True if the MGF1 hash that Java leaves at SHA-1 opens where OAEP with SHA-256 is set (service.md#envelope). */
export const opensMgf1Sha1 = true
/** True if a body is read whose `content-type` says that it is no JSON (service.md#leniency). */
export const readsOtherTypes = true
/** True if a plan without `callbackUrl` is told to the order's callback address; else to the default (service.md#orders). */
export const plansTellOrder = true
/** True if the first failed try ends an order without `validUntil`; else it stays payable until it expires (service.md#orders). */
export const failureEnds = true
/** Seconds after which a failed charge of a plan is made once more, until one succeeds; null: never (service.md#subscriptions). */
export const chargeAgainAfter: number | null = null
/** True if the uniqueId of a REJECTED wallet order is used up; else it may come again (service.md#wallet). */
export const rejectedUsesIdUp = true
/** True if a refund takes the part of an account outside, whose balance is not known; else it is 6130 (service.md#refunds). */
export const outsideGivesBack = true
