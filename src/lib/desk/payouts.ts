/** Payouts: finding the one that is meant, reading it once or until it is final, creating one and waiting; balances. */
import { isUnknownObject } from '../client/refusal.ts'
import { descriptionSeparator } from '../contract/assumed.ts'
import { fromMinorUnits, minorUnits, plainDecimal } from '../contract/core/decimal.ts'
import type { Members } from '../contract/core/members.ts'
import { isUuid } from '../contract/core/text.ts'
import {
  createPayout,
  type PayoutDetails,
  type PayoutRequest,
  payoutBalance,
  payoutDetails,
} from '../contract/payout/payout.ts'
import { type Currency, currencies } from '../contract/payout/request.ts'
import { payoutEnd, payoutStatusFacts, unconfirmedInWords } from '../contract/payout/status.ts'
import { about, Failure } from '../failure.ts'
import { blank, hint, paste } from '../hint.ts'
import { conflict, otherSum } from '../journal/duplicates.ts'
import { findByName, isJournalId, nameIn } from '../journal/find.ts'
import { factsOf, type Intent, intentFailure, type JournalFilter } from '../journal/intent.ts'
import { findContradiction, requestIn } from '../journal/payment-end.ts'
import { unmoved } from '../journal/verdict.ts'
import type { ResultOf } from '../result.ts'
import type { Desk } from './desk.ts'
import { elsewhere } from './elsewhere.ts'
import { scopeOf } from './new-intent.ts'
import type { SubmitOptions } from './preflight.ts'
import { call, isOfOtherTransaction, readObject, type Watched, waitUntilFinal } from './read.ts'
import { type Receipt, receiptOf } from './receipts.ts'
import { type balancesResult, comparable, type payoutReadResult } from './results.ts'
import { submit } from './submit.ts'
import { contradictionFailure, contradictionWarnings } from './unpaid-end.ts'
import { moneyMovedOf, readAbout, writesTo } from './writes.ts'

// --- Finding one

interface Found {
  readonly transactionId: string
  /** Null for a payout that another machine made. */
  readonly intent: Intent | null
  /** Everything that this journal sent about it. */
  readonly writes: readonly Intent[]
}

/** A journal id or a UUID; anything else that names a payment is a key. */
export function looksLikeAnId(text: string): boolean {
  return isJournalId(text) || isUuid(text)
}

/** The newest intent of this profile that an id names. Throws a Failure: not-found (6), usage (2) for what can be no id. */
export async function requireIntent(desk: Desk, id: string, operations?: JournalFilter['operations']): Promise<Intent> {
  const filter = operations ? { operations } : {}
  const [intent] = (await findByName(desk.journal, id, { ...filter, scope: scopeOf(desk.profile) })).intents
  if (intent) return intent
  const isId = looksLikeAnId(nameIn(id).text)
  const [other] = (await findByName(desk.journal, id, filter)).intents
  if (other) throw elsewhere(isId ? 'not-found' : 'usage', other, desk.profile)
  if (!isId) {
    throw new Failure('usage', `"${id}" is not a transaction id (a number), a UUID, a journal id or a known --key`)
  }
  throw new Failure('not-found', `the journal has no payment ${id}`, {
    hints: [hint`\`${paste('journal list')}\` lists them.`],
  })
}

/** The transaction that an id names. Throws as `requireIntent`, unknown (9) where the service has not told it, and duplicate (7) for a conflict. */
export async function payoutOfId(desk: Desk, id: string): Promise<Found> {
  const { text, mayBe } = nameIn(id)
  if (/^\d+$/.test(text) && mayBe !== 'key') return transactionNamed(desk, text, mayBe)
  const intent = await requireIntent(desk, id, [createPayout])
  if (intent.transactionId !== null) return found(desk, intent.transactionId, intent)
  throw withoutTransaction(intent)
}

/**
 * The transaction of this number, which the journal may not know. Throws usage (2) where it knows the number as a key only: the
 * transaction of that number may be somebody else's.
 */
async function transactionNamed(desk: Desk, number: string, mayBe: 'id' | 'either'): Promise<Found> {
  const ofProfile = { scope: scopeOf(desk.profile), operations: [createPayout] }
  const { intents } = await findByName(desk.journal, `id:${number}`, ofProfile)
  const [intent = null] = intents
  const keyed = intent || mayBe === 'id' ? [] : (await findByName(desk.journal, `key:${number}`)).intents
  const [payment] = keyed
  if (!payment) return found(desk, number, intent)
  const message = `${number} is the key of ${payment.journalId}, but it may also be the number of another transaction`
  const hints = [
    hint`Write key:${number} for the payment with this key, or id:${number} for the transaction with this number.`,
  ]
  throw intentFailure('usage', message, payment, { hints })
}

async function found(desk: Desk, transactionId: string, intent: Intent | null): Promise<Found> {
  return { transactionId, intent, writes: intent ? await writesTo(desk, 'payout', intent.uniqueId) : [] }
}

function withoutTransaction(intent: Intent): Failure {
  const { otherSum: differs, isTaken, state, journalId, uniqueId, because } = intent
  if (differs !== null) return otherSum(intent, differs)
  if (isTaken) return conflict(intent)
  if (state === 'unknown') {
    const hints = [hint`Resolve it: \`${paste('resume', journalId)}\`.`]
    const message = `the outcome of ${journalId} is unknown, so it has no transactionId yet`
    return intentFailure('unknown', message, intent, { hints })
  }
  if (state === 'exists') {
    return intentFailure(
      'unknown',
      `payout ${uniqueId}: ${unconfirmedInWords}, and its transactionId is not known`,
      intent,
      {
        moneyMoved: 'unknown',
        retry: 'after-fix',
        hints: [
          hint`Do not pay it again. Take the transaction number from the bank's statement, or from the service's staff, then run \`${paste('payout reconcile', uniqueId, '--transaction-id', blank('<n>'))}\`.`,
        ],
      },
    )
  }
  const hints = [hint`See why: \`${paste('journal show', journalId)}\`.`]
  return intentFailure('not-found', `${journalId} has no transactionId: ${because ?? `it is ${state}`}`, intent, {
    hints,
  })
}

// --- A payout of the journal against what the details (A2) show of it

export interface Comparison {
  readonly field: (typeof comparable)[number]
  readonly journal: string | null
  readonly service: string | null
  readonly equal: boolean
}

/** These fields as A2 shows them. */
export function serviceShows(details: PayoutDetails): Record<Comparison['field'], string | null> {
  return {
    uniqueId: details.uniqueId.toLowerCase(),
    amount: money(details.amount.text),
    currency: details.currency,
    toIban: details.toIban,
    description: details.paymentDescription,
  }
}

export function compare(request: Members, details: PayoutDetails): Comparison[] {
  const service = serviceShows(details)
  // Null: it was removed from the journal, and nothing can be said of it.
  const given = comparable.filter((field) => (request[field] ?? null) !== null)
  return given.map((field) => {
    const text = String(request[field])
    const journal = field === 'amount' ? money(text) : field === 'uniqueId' ? text.toLowerCase() : text
    const seen = service[field]
    const equal = field === 'description' ? descriptionAgrees(request, seen) : letters(journal) === letters(seen)
    return { field, journal, service: seen, equal }
  })
}

/** An account or a currency without regard to blanks and capitals. */
function letters(text: string | null): string | null {
  return text?.replace(/\s/g, '').toUpperCase() ?? null
}

/** A sum with two decimals, "12.50"; any other text as it is. */
export function money(text: string): string {
  const units = minorUnits(plainDecimal(text) ?? text)
  return units === null ? text : fromMinorUnits(units)
}

/** The description as given, or after the debtor fields that were sent (service.md#payouts: read both). */
function descriptionAgrees(request: Members, shown: string | null): boolean {
  const debtor = ['debtorName', 'debtorIban', 'debtorIdentityNumber'].flatMap((name) => request[name] ?? [])
  const joined = [...debtor, request.description].join(descriptionSeparator)
  return shown === request.description || shown === joined
}

/** "amount is 99.00, not 12.50": how a payout of this id differs in how much goes to whom; null where it does not. */
export function sumDiffers({ body }: Intent, details: PayoutDetails): string | null {
  const different = compare(requestIn(body), details).filter(
    ({ field, service, equal }) => ['amount', 'currency', 'toIban'].includes(field) && service !== null && !equal,
  )
  if (different.length === 0) return null
  return different.map(({ field, journal, service }) => `${field} is ${service}, not ${journal}`).join('; ')
}

/** The fields of a payout that the details do not show, so that nobody could compare them. */
export function notShown({ body }: Intent, details: PayoutDetails): readonly Comparison['field'][] {
  return compare(requestIn(body), details).flatMap(({ field, service }) => (service === null ? [field] : []))
}

// --- Reading

/** The ten fields as the service sent them (commissionAmount only if it did), and where paydesk knows the payout from. */
export type PayoutRead = ResultOf<typeof payoutReadResult>

export async function readPayout(desk: Desk, id: string): Promise<PayoutRead> {
  return readFound(desk, await payoutOfId(desk, id))
}

/** Reads the payout of an intent whose transactionId is known. */
export function readKnownPayout(
  desk: Desk,
  intent: Intent,
  transactionId: string,
  deadline: number,
): Promise<PayoutRead> {
  return readFound(desk, { transactionId, intent, writes: [intent] }, deadline)
}

/** `meet` is given the payment of this journal that the details name. */
async function readFound(
  desk: Desk,
  found: Found,
  deadline?: number,
  meet: (intent: Intent) => void = () => undefined,
): Promise<PayoutRead> {
  const facts = found.intent ? { ...factsOf(found.intent), ...about(payoutDetails) } : {}
  const request = { transaction_id: found.transactionId }
  const { answer: details, writes } = await readAbout(desk, found.writes, facts, () =>
    readObject(desk, payoutDetails, request, { deadline, expected: found.intent?.uniqueId ?? null }),
  )
  if (found.intent !== null && found.intent.uniqueId !== details.uniqueId.toLowerCase())
    throw otherPayout(found, details)
  const warnings: string[] = []
  // As the journal has it behind the read.
  const intent = writes.find(({ journalId }) => journalId === found.intent?.journalId) ?? writes[0] ?? found.intent
  if (intent && isOfOtherTransaction(intent, details.transactionId)) throw otherPayout({ ...found, intent }, details)
  if (intent) {
    const differs = sumDiffers(intent, details)
    const hidden = notShown(intent, details)
    // Without the account nobody knows whom it went to, and of a registered receiver the details tell nothing else.
    const isPayeeShown = typeof requestIn(intent.body).toIban === 'string' && !hidden.includes('toIban')
    const isUnmoved = unmoved.has(intent.state)
    const isCompared = differs !== null || (isUnmoved ? payoutEnd(details.status) !== 'not-paid' : isPayeeShown)
    // The sum was read, whether or not it can be noted.
    const noting = isCompared ? desk.journal.noteSum(intent, differs) : Promise.resolve(intent)
    const noted = await noting.catch(() => desk.tell.say('the journal could not store the amount that was read'))
    if (differs !== null) throw otherSum(intent, differs)
    const known = noted ?? intent
    meet(known)
    warnings.push(...contradictionWarnings(known))
    if (hidden.length > 0) warnings.push(`the details do not show ${hidden.join(' and ')}, so that was not compared`)
  }
  const { name, environment } = desk.profile
  return { ...details, journalId: intent?.journalId ?? null, profile: name, environment, warnings }
}

function otherPayout(found: Found, { transactionId, uniqueId }: PayoutDetails): Failure {
  return new Failure('unknown', `the answer is about another payout: transaction ${transactionId}, ${uniqueId}`, {
    ...factsOfFound(found),
    hints: [hint`Ask the service which is true.`],
  })
}

function factsOfFound({ transactionId, intent }: Found) {
  const [journalId, uniqueId] = [intent?.journalId ?? null, intent?.uniqueId ?? null]
  return about(payoutDetails, { transactionId, journalId, uniqueId })
}

/**
 * Reads a payout until it is final. Throws a Failure: refused (5) if it ended in REJECTED, FAILED or DELETED, pending (8)
 * if the time is up first.
 */
export async function waitForPayout(
  desk: Desk,
  id: string,
  deadline = desk.clock.now() + desk.settings.timeout,
): Promise<PayoutRead> {
  return waitFor(desk, await payoutOfId(desk, id), deadline)
}

function waitFor(desk: Desk, found: Found, deadline: number): Promise<PayoutRead> {
  let known = found.intent
  const meet = (intent: Intent) => {
    known = intent
  }
  const watched: Watched<PayoutRead> = {
    subject: { key: found.intent?.idempotencyKey ?? null, id: found.intent?.uniqueId ?? found.transactionId },
    about: 'payout',
    wait: paste('payout wait', found.transactionId),
    read: (until) => readFound(desk, found, until, meet),
    end: payoutEnd,
    ended: (last) => contradictionOfPayout(known, last) ?? endedUnpaid(last),
    doubt: (last) => contradictionOfPayout(known, last),
    outlook: (status) => payoutStatusFacts(status)?.outlook ?? 'may still be executed',
    next: () => null,
    facts: (last) => (last === null ? factsOfFound(found) : factsOfRead(last)),
    open: () => null,
    // Unknown at worst, because the service gave the transactionId and so has the payout.
    moneyMoved: () => moneyMovedOf(found.writes) ?? 'unknown',
  }
  return waitUntilFinal(desk, watched, deadline)
}

function factsOfRead(read: PayoutRead) {
  const { uniqueId, transactionId, status, journalId } = read
  return about(payoutDetails, { uniqueId, transactionId, status, journalId })
}

/** Of a payment in doubt, neither an end nor a waiting tells how it stands; null where nothing stands against what was read. */
function contradictionOfPayout(intent: Intent | null, { status }: PayoutRead): Failure | null {
  if (intent?.isTaken) return conflict(intent)
  const doubt = intent && (findContradiction(intent, status) ?? intent.answeredSum)
  return intent && doubt !== null ? contradictionFailure(intent, 'payout', doubt) : null
}

function endedUnpaid(read: PayoutRead): Failure {
  const words = read.statusDescription ? ` (${read.statusDescription})` : ''
  const facts = payoutStatusFacts(read.status)
  const message = `the payout ended in ${read.status}${words}; its amount comes back to the balance`
  return new Failure(facts?.exit ?? 'refused', message, {
    ...factsOfRead(read),
    moneyMoved: 'no',
    retry: 'after-fix',
    hints: facts?.next ? [facts.next] : [],
  })
}

// --- Creating one, and on demand staying until it is final

/** Creates the payout and waits until it is final. Throws as `submit` and `waitForPayout`; what was accepted is never lost. */
export async function createAndWait(desk: Desk, request: PayoutRequest, options: SubmitOptions): Promise<Receipt> {
  const deadline = desk.clock.now() + desk.settings.timeout
  const receipt = receiptOf(await submit(desk, createPayout, request, { ...options, deadline }), desk)
  if (receipt.transactionId === null) throw pending(receipt, 'the answer with its transactionId was lost')
  try {
    return withStatusOf(receipt, await waitForPayout(desk, receipt.transactionId, deadline))
  } catch (error) {
    const known = await desk.journal.list({ named: receipt.journalId }).catch(() => [])
    // A read has told of another end than the one that was told before.
    const isDisputed = known.some(({ disputed }) => disputed !== null)
    throw isDisputed ? error : afterAcceptance(error, receipt, desk.signal)
  }
}

function withStatusOf(receipt: Receipt, read: PayoutRead): Receipt {
  return { ...receipt, status: read.status, statusDescription: read.statusDescription }
}

/** The failure after the acceptance: the payout stays accepted, for whatever reason the waiting ended. */
function afterAcceptance(error: unknown, receipt: Receipt, signal: AbortSignal): unknown {
  if (signal.aborted) {
    return new Failure('interrupted', 'stopped waiting; the payout was accepted', {
      ...factsOfReceipt(receipt),
      moneyMoved: 'unknown',
      hints: [hint`${paste('payout wait', receipt.transactionId ?? receipt.journalId)}`],
    })
  }
  if (!(error instanceof Failure) || error.kind === 'refused' || error.kind === 'duplicate') return error
  const { document } = error.facts
  if (error.kind !== 'pending') return pending(receipt, error.message)
  return pending(document ? withStatusOf(receipt, document as PayoutRead) : receipt, error.message)
}

function pending(receipt: Receipt, why: string): Failure {
  return new Failure('pending', `accepted, but not seen to be final: ${why}`, {
    ...factsOfReceipt(receipt),
    document: receipt,
    hints: [
      receipt.transactionId === null
        ? hint`When its transactionId is known: \`${paste('payout reconcile', receipt.uniqueId, '--transaction-id', blank('<n>'))}\`.`
        : hint`Wait longer: \`${paste('payout wait', receipt.transactionId)}\`.`,
    ],
  })
}

function factsOfReceipt({ uniqueId, transactionId, status, journalId }: Receipt) {
  return about(createPayout, { uniqueId, transactionId, status, journalId })
}

// --- Balances

export type Balance = ResultOf<typeof balancesResult>[number]

/** One currency, or every currency of the contract; a missing account is a refusal only where it was asked for by name. */
export async function readBalances(desk: Desk, currency: Currency | null): Promise<Balance[]> {
  if (currency !== null) return [await readBalance(desk, currency)]
  const deadline = desk.clock.now() + desk.settings.timeout
  const balances: Balance[] = []
  for (const each of currencies) {
    try {
      balances.push(await readBalance(desk, each, deadline))
    } catch (error) {
      const words = error instanceof Failure ? error.facts.service : null
      if (!words || !isUnknownObject(payoutBalance, words)) throw error
      balances.push({ currency: each, amount: null, note: 'no account' })
    }
  }
  return balances
}

async function readBalance(desk: Desk, currency: Currency, deadline?: number): Promise<Balance> {
  const answer = await call(desk, payoutBalance, { currency }, deadline)
  return { currency: answer.currency, amount: answer.amount, note: null }
}
