/** Bank-wallet orders (area C): finding one, creating it, finalizing it inside its five minutes, deleting it, reading how far it is. The five minutes count from the moment create was sent, on the local clock, less a margin (service.md#wallet). */
import { walletDeadlineMargin, walletLifetime } from '../contract/assumed.ts'
import { fromMinorUnits, JsonNumber, minorUnits, plainDecimal } from '../contract/core/decimal.ts'
import { isUuid, normalId } from '../contract/core/text.ts'
import type { RequestOf, WriteOperation } from '../contract/operation.ts'
import { writesAbout } from '../contract/operations.ts'
import { walletEnd, walletStatusFacts } from '../contract/wallet/status.ts'
import {
  cancelWalletOrder,
  createWalletOrder,
  currencyInAddress,
  finalizeWalletOrder,
  walletOrderDetails,
} from '../contract/wallet/wallet.ts'
import { about, Failure, nothingWasSent } from '../failure.ts'
import { hint, hintInWords, paste } from '../hint.ts'
import { findByName, nameIn } from '../journal/find.ts'
import { type Attempt, type Intent, intentFailure, isOperation } from '../journal/intent.ts'
import { type Moment, maxElapsed } from '../journal/moment.ts'
import { requestIn } from '../journal/payment-end.ts'
import { isExecuted, isOpen } from '../journal/verdict.ts'
import type { ResultOf } from '../result.ts'
import type { Desk } from './desk.ts'
import { anotherId, sameIdFlag, scopeOf } from './new-intent.ts'
import { type Knowing, keyLikeAnId, submitChange } from './orders.ts'
import type { SubmitOptions } from './preflight.ts'
import { readObject } from './read.ts'
import { type Done, doneOf } from './receipts.ts'
import { startOf } from './resolve.ts'
import type { walletCreatedResult, walletReadResult } from './results.ts'
import { submit } from './submit.ts'
import { compareSum, contradictionFailure, contradictionWarnings, describeEndAndMove, readAnew } from './unpaid-end.ts'
import { findOtherMove, readAbout, writesTo } from './writes.ts'

// --- In the journal

export type KnownWalletOrder = NonNullable<Awaited<ReturnType<typeof knownWalletOrder>>>

/**
 * The order that an operator means: an id, or a journal id or key that the journal knows. Any text may be an id; throws
 * Failure('usage') for none at all.
 */
export async function walletIdOf(knowing: Knowing, typed: string): Promise<string> {
  const { text, mayBe } = nameIn(typed.trim())
  if (text === '') throw new Failure('usage', 'the id of a wallet order must not be empty')
  const filter = { scope: scopeOf(knowing.profile), operations: writesAbout('wallet order') }
  const { by, intents } = await findByName(knowing.journal, typed.trim(), filter)
  const order = intents[0]?.uniqueId
  if (by === 'key' && order && mayBe === 'either' && isUuid(text)) throw keyLikeAnId('wallet order', text, order)
  if (mayBe === 'key' && order === undefined) throw new Failure('usage', `no wallet order has the key ${text}`)
  return order ?? normalId(text)
}

/** The newest intent of an operation about exactly this order. */
async function walletIntent(knowing: Knowing, operation: WriteOperation, uniqueId: string): Promise<Intent | null> {
  const filter = { scope: scopeOf(knowing.profile), uniqueIds: [normalId(uniqueId)], operations: [operation], limit: 1 }
  const [intent] = await knowing.journal.list(filter)
  return intent ?? null
}

/** Milliseconds by which a clock differs from the time since the machine started, though nobody set it. */
const noticeable = 1000

/**
 * The moment from which the five minutes count, by the clock as it stands now: that of the attempt that was accepted, else of the
 * first that may have been. A clock that was set back since lengthens them not.
 */
function sentAt(created: Intent, attempts: readonly Attempt[], present: Moment): number {
  const accepted = attempts.find(({ outcome }) => outcome === 'accepted')
  const attempt = accepted ?? attempts.find(isOpen) ?? attempts.at(-1)
  const sent = Date.parse(attempt?.startedAt ?? created.openedAt)
  const setBack = attempt ? maxElapsed(startOf(attempt), present) - (present.now - sent) : 0
  return setBack > noticeable ? sent - setBack : sent
}

const numberIn = (value: unknown) => (value instanceof JsonNumber ? value : null)

/** True if the details showed that there is nothing to finalize: rejected, deleted, too late. */
const hasEndedUnpaid = ({ status }: Intent) => status !== null && walletEnd(status) === 'not-paid'

/** True if the details showed that it was finalized, from here or elsewhere. */
const wasPaid = ({ status }: Intent) => status !== null && walletEnd(status) === 'paid'

/** Null where this journal does not know of its creation. */
async function knownWalletOrder(knowing: Knowing, uniqueId: string) {
  const created = await walletIntent(knowing, createWalletOrder, uniqueId)
  if (!created) return null
  const attempts = await knowing.journal.attempts(created)
  const answer = requestIn(created.answer ?? '{}')
  const canceled = await walletIntent(knowing, cancelWalletOrder, uniqueId)
  return {
    uniqueId: created.uniqueId,
    created,
    /** As far as its creation tells. */
    registered: isExecuted(created) && !hasEndedUnpaid(created),
    /** Why it is not registered, in the service's words. */
    reason: attempts.at(-1)?.message ?? null,
    /** Until when finalizing must be under way, milliseconds since 1970. */
    finalizeBy: sentAt(created, attempts, knowing.journal.moment) + (walletLifetime - walletDeadlineMargin) * 1000,
    receiverName: typeof answer.receiverName === 'string' ? answer.receiverName : null,
    currency: currencyInAddress(requestIn(created.body).uri),
    // With their digits; null where the answer was lost.
    amount: numberIn(answer.amount),
    minimum: numberIn(answer.minAmountAllowed),
    maximum: numberIn(answer.maxAmountAllowed),
    deleted: canceled !== null && isExecuted(canceled),
  }
}

/** Whole seconds left to finalize; 0 when it is over. */
const secondsLeft = ({ finalizeBy }: KnownWalletOrder, now: number) =>
  Math.max(0, Math.floor((finalizeBy - now) / 1000))

/** "4 min 54 s", "54 s". */
export function secondsInWords(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** True if nothing is left of its time, by the clock of this machine. */
const isOver = ({ finalizeBy }: KnownWalletOrder, now: number) => now >= finalizeBy

/** The time of day on this machine's clock. */
const timeOfDay = (moment: number) => new Date(moment).toTimeString().slice(0, 8)

// --- Checks before finalizing: a failure that is certain is found before the request is sent, because a wrong amount costs time

function unitsOf(received: JsonNumber | null): bigint | null {
  return received && minorUnits(plainDecimal(received.text) ?? '')
}

/** "25.00"; a sum that is none as it came. */
function sumInWords(received: JsonNumber): string {
  const units = unitsOf(received)
  return units === null ? received.text : fromMinorUnits(units)
}

function rangeOf({ minimum, maximum }: KnownWalletOrder): string | null {
  const ends = [minimum && `from ${sumInWords(minimum)}`, maximum && `to ${sumInWords(maximum)}`].filter(Boolean)
  return ends.length > 0 ? ends.join(' ') : null
}

/** "must be 25.00 …": the complaint about an amount; null for none. */
function amountObjection(known: KnownWalletOrder, typed: string): string | null {
  const units = minorUnits(typed)
  const [exact, least, most] = [unitsOf(known.amount), unitsOf(known.minimum), unitsOf(known.maximum)]
  if (units === null || (exact ?? units) !== units) {
    return known.amount && `must be ${sumInWords(known.amount)}, as the service returned at creation, not ${typed}`
  }
  const isOutside = (least !== null && units < least) || (most !== null && units > most)
  return isOutside ? `must be ${rangeOf(known)}, as the service returned at creation, not ${typed}` : null
}

function registrationObjection(known: KnownWalletOrder): string | null {
  const { created, registered, reason, deleted } = known
  const { state, journalId, status } = created
  const anew = `create it again, with ${anotherId(created)}`
  if (wasPaid(created)) return `the service holds it as ${status}: it was finalized, if not from here, then elsewhere`
  if (deleted) return `it was deleted with \`wallet cancel\`: ${anew}`
  if (registered) return null
  if (state === 'unknown')
    return hintInWords(hint`whether it was created is unknown: \`${paste('resume', journalId)}\` first`)
  if (hasEndedUnpaid(created)) return `the service holds it as ${status}: ${anew}`
  const why = reason === null ? '' : ` (${reason})`
  if (state === 'refused') return `its creation was refused${why}: ${anew}`
  const kept = sameIdFlag(createWalletOrder, created)
  return `its creation never reached the service: run \`wallet create\` again, with ${kept}`
}

/**
 * Its five minutes are over by the clock of this machine, though the service, read behind them, has not ended it: another
 * machine may have finalized it, as a copy that lags behind has not heard.
 */
function describeLapsed({ created, uniqueId, finalizeBy }: KnownWalletOrder): string {
  const over = `its five minutes were over at ${timeOfDay(finalizeBy)}, though the service shows it as ${created.status}`
  return hintInWords(
    hint`${over}: do not create it again before \`${paste('wallet details', uniqueId)}\` shows its end`,
  )
}

/** Everything that finalizing must fail with, each with what would be right. */
function objections(known: KnownWalletOrder, amount: string | null, now: number): readonly string[] {
  const registration = registrationObjection(known)
  // Of an order that is none there is neither an amount nor a deadline.
  if (registration !== null) return [registration]
  const over = isOver(known, now) ? describeLapsed(known) : null
  const wrong = amount === null ? null : amountObjection(known, amount)
  return [wrong && `--amount ${wrong}`, over].filter((each) => each !== null)
}

/** An order that is about to be finalized. */
export interface Finalizing {
  readonly uniqueId: string
  /** Null where this journal does not know of its creation. */
  readonly known: KnownWalletOrder | null
  /** Finalizing was sent before, and not refused: what came of it counts, and no check of today. */
  readonly underWay: boolean
  /** The present moment, milliseconds since 1970, by the clock that its creation was noted by. */
  readonly time: () => number
}

export async function finalizing(knowing: Knowing, uniqueId: string): Promise<Finalizing> {
  const earlier = await walletIntent(knowing, finalizeWalletOrder, uniqueId)
  const underWay = earlier !== null && (earlier.isTaken || ['accepted', 'exists', 'unknown'].includes(earlier.state))
  const time = () => knowing.journal.moment.now
  return { uniqueId, known: await knownWalletOrder(knowing, uniqueId), underWay, time }
}

/** More than one chooses from at a glance. */
const mostOffered = 30

/** The orders of a profile that can be finalized now, as far as this journal knows, the newest first. */
export async function finalizableNow(knowing: Knowing): Promise<readonly Finalizing[]> {
  const scope = scopeOf(knowing.profile)
  const created = await knowing.journal.list({ scope, operations: [createWalletOrder], limit: mostOffered })
  const orders = await Promise.all(created.map(({ uniqueId }) => finalizing(knowing, uniqueId)))
  return orders.filter(
    ({ known, underWay, time }) => known && !underWay && objections(known, null, time()).length === 0,
  )
}

/** True if it is over by time alone, as the last status tells or the clock of this machine: another one may have finalized it before. */
export function hasLapsed({ known, underWay, time }: Finalizing): boolean {
  if (!known || underWay) return false
  const { created, registered, deleted } = known
  if (created.status !== null && walletStatusFacts(created.status)?.isByTime === true) return true
  return registered && !deleted && !wasPaid(created) && isOver(known, time())
}

/** As its details show it now. Throws a Failure as `readAnew`, and where they cannot be read: unknown (9). */
export async function readFinalizing(desk: Desk, { uniqueId, known }: Finalizing): Promise<Finalizing> {
  const unread = known && (await readAnew(desk, createWalletOrder, known.created)).unread
  if (unread) throw unread
  return finalizing(desk, uniqueId)
}

/** Throws Failure('usage') for what must fail. `amount`: null before it is known. */
export function requireFinalizable({ known, underWay, time }: Finalizing, amount: string | null): void {
  const found = known && !underWay ? objections(known, amount, time()) : []
  if (!known || found.length === 0) return
  const mayBePaid = wasPaid(known.created) || (known.registered && isOver(known, time()))
  throw new Failure('usage', found.join(';\n'), {
    ...about(finalizeWalletOrder),
    uniqueId: known.uniqueId,
    journalId: known.created.journalId,
    ...(mayBePaid ? { moneyMoved: 'unknown' } : {}),
    hints: [hint`${nothingWasSent} --no-local-check lets the service decide.`],
  })
}

/** Warnings about everything that could not be checked here. */
export function remarksOnUnchecked(order: Finalizing): readonly string[] {
  const { uniqueId, known, underWay } = order
  if (underWay) return []
  if (!known) return [`this journal does not know of the creation of ${uniqueId}: amount and time were not checked`]
  if (hasLapsed(order)) {
    const { registered, created, finalizeBy } = known
    const lapsed = registered
      ? `its five minutes were over at ${timeOfDay(finalizeBy)}`
      : `it was last read as ${created.status}`
    return [`${lapsed}: the run would read it again, and send nothing if it is over`]
  }
  const blind = known.registered && known.created.answer === null
  return blind ? [`the answer of its creation was lost (${known.created.journalId}): the amount was not checked`] : []
}

/** The amount that the order is to be finalized with, "25.00"; null where the service has not told one. */
export function amountDue({ known, underWay }: Finalizing): string | null {
  return known?.registered && known.amount && !underWay ? sumInWords(known.amount) : null
}

/** "must be 25.00 …": the complaint about an amount that finalizing must fail with; null for none. */
export function wrongAmount({ known, underWay }: Finalizing, amount: string): string | null {
  return known?.registered && !underWay ? amountObjection(known, amount) : null
}

/** The sum that is due and the time that is left, for a person; null where either is unknown or nothing is left to do. */
export function describeDue(order: Finalizing): string | null {
  const { known, underWay, time } = order
  if (!known?.registered || underWay) return null
  const due = sumDue(known)
  const left = `${secondsInWords(secondsLeft(known, time()))} left to finalize it, until ${timeOfDay(known.finalizeBy)}`
  return due === null ? left : `${due}; ${left}`
}

/** "GEL 25.00 to Nino"; null where the service has told no sum. */
function sumDue(known: KnownWalletOrder): string | null {
  const { amount, currency, receiverName } = known
  const sum = amount ? sumInWords(amount) : rangeOf(known)
  return sum && `${[currency, sum].filter(Boolean).join(' ')}${receiverName ? ` to ${receiverName}` : ''}`
}

// --- Reading

/** The service's answer, members that paydesk does not know included, and the source from which paydesk knows the order. */
export type WalletRead = ResultOf<typeof walletReadResult>

/** Throws a Failure as `call`; unknown (9) while something about it is open. */
export async function readWallet(desk: Desk, typed: string): Promise<WalletRead> {
  const uniqueId = await walletIdOf(desk, typed)
  const known = await writesTo(desk, 'wallet order', uniqueId)
  const journalId = known.find((intent) => isOperation(intent, createWalletOrder))?.journalId ?? null
  const facts = about(walletOrderDetails, { uniqueId, journalId })
  const request = { identifier: desk.profile.clientId, uniqueId }
  const { answer, writes } = await readAbout(desk, known, facts, () => readObject(desk, walletOrderDetails, request))
  const created = writes.find((intent) => isOperation(intent, createWalletOrder))
  const finalized = writes.find((intent) => isOperation(intent, finalizeWalletOrder)) ?? null
  const compared = await compareSum(desk, finalized, answer)
  const { name: profile, environment } = desk.profile
  const open = writes.filter(({ state }) => state === 'unknown')
  const warnings = open.map(({ operation, journalId }) =>
    hintInWords(hint`the journal holds its ${operation} as unknown: \`${paste('resume', journalId)}\``),
  )
  return {
    ...answer,
    journalId,
    profile,
    environment,
    warnings: [...warnings, ...(created ? contradictionWarnings(created) : []), ...sinceFinalized(compared, answer)],
  }
}

/** The unusual about an executed finalization, as it stands now. */
function sinceFinalized(finalized: Intent | null, { status }: { readonly status: string }): readonly string[] {
  if (finalized === null || finalized.state === 'unknown') return []
  const inDoubt = contradictionWarnings(finalized)
  if (inDoubt.length > 0 || !isExecuted(finalized)) return inDoubt
  if (walletEnd(status) !== 'not-paid') return []
  return [`it was finalized from here (${finalized.journalId}), and the service shows it as ${status} now`]
}

// --- Creating, finalizing, deleting

/** The receipt of a creation: the sum or its limits as the service returned them, and the time that is left. */
export type WalletCreated = Done & ResultOf<typeof walletCreatedResult>

/** Its answer was lost, and what the details show is nothing that could be finalized. */
async function failureOfEnded(desk: Desk, intent: Intent): Promise<Failure> {
  const moved = findOtherMove(await writesTo(desk, createWalletOrder.about, intent.uniqueId), intent)
  if (moved) {
    const how = describeEndAndMove(`${intent.status}`, 'it was rejected, or its time is over', moved)
    return contradictionFailure(moved, createWalletOrder.about, how)
  }
  const lost = intent.answer === null ? 'Its answer was lost, and with it the reason. ' : ''
  const message = `the service holds it as ${intent.status}: it was rejected, or its time is over`
  return intentFailure('refused', message, intent, {
    moneyMoved: 'no',
    retry: 'after-fix',
    hints: [hint`${lost}Create it again, with ${anotherId(intent)}.`],
  })
}

export async function createWallet(
  desk: Desk,
  request: RequestOf<typeof createWalletOrder>,
  options: SubmitOptions,
): Promise<WalletCreated> {
  const submitted = await submit(desk, createWalletOrder, request, options)
  if (hasEndedUnpaid(submitted.intent)) throw await failureOfEnded(desk, submitted.intent)
  const found = await finalizing(desk, submitted.intent.uniqueId)
  const { known } = hasLapsed(found) ? await readFinalizing(desk, found) : found
  if (!known) throw new Failure('bug', `the journal lost ${submitted.intent.journalId}`)
  if (hasEndedUnpaid(known.created)) throw await failureOfEnded(desk, known.created)
  // A reason for rejecting it has no place beside a registered one.
  const { rejectReason: _, ...done } = doneOf({ ...submitted, intent: known.created }, desk)
  const left = secondsLeft(known, desk.journal.moment.now)
  return {
    ...done,
    uniqueId: known.uniqueId,
    amount: known.amount,
    currency: known.currency,
    receiverName: known.receiverName,
    minAmountAllowed: known.minimum,
    maxAmountAllowed: known.maximum,
    finalizeBy: new Date(known.finalizeBy).toISOString(),
    secondsLeft: left,
    warnings: [
      ...done.warnings,
      ...(isUuid(known.uniqueId) ? [] : [`${known.uniqueId} is not a UUID, and finalizing needs one`]),
      ...(await describeSinceCreation(desk, known)),
    ],
  }
}

/** Changes of an order since its creation: a repeat of its create gets the old receipt, which must not promise too much. */
async function describeSinceCreation(desk: Desk, known: KnownWalletOrder): Promise<readonly string[]> {
  if (known.deleted) return ['it was deleted since: it cannot be finalized any more']
  const finalized = await walletIntent(desk, finalizeWalletOrder, known.uniqueId)
  // An order that was paid, or may have been, must not be made anew.
  if (finalized && isExecuted(finalized)) return [`it was finalized since (${finalized.journalId})`]
  if (finalized?.isTaken)
    return [hintInWords(hint`it may have been finalized since: \`${paste('journal show', finalized.journalId)}\``)]
  if (finalized?.state === 'unknown')
    return [hintInWords(hint`whether it was finalized since is unknown: \`${paste('resume', finalized.journalId)}\``)]
  if (wasPaid(known.created)) return ['it was finalized since, if not from here, then elsewhere']
  return isOver(known, desk.journal.moment.now) ? [describeLapsed(known)] : []
}

/** Finalizes it. Repeats stay inside its five minutes, unless the check before it was switched off. */
export async function finalizeWallet(
  desk: Desk,
  request: RequestOf<typeof finalizeWalletOrder>,
  { known, underWay, ...about }: Finalizing,
  { idempotencyKey, checked }: { readonly idempotencyKey: string | null; readonly checked: boolean },
): Promise<Done> {
  const own = desk.clock.now() + desk.settings.timeout
  const inTime = checked && known && !underWay
  const sendUntil = inTime ? known.finalizeBy : own
  const done = doneOf(
    await submit(desk, finalizeWalletOrder, request, { idempotencyKey, deadline: own, sendUntil }),
    desk,
  )
  const remarks = checked && !done.replayed ? remarksOnUnchecked({ known, underWay, ...about }) : []
  return { ...done, currency: known?.currency ?? null, warnings: [...done.warnings, ...remarks] }
}

export async function cancelWallet(desk: Desk, request: RequestOf<typeof cancelWalletOrder>): Promise<Done> {
  return doneOf(await submitChange(desk, cancelWalletOrder, request), desk)
}
