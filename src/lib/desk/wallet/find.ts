/**
 * Wallet orders in the journal: the service's answer to the creation, and the end of the time to finalize. The five minutes
 * count from the moment create was sent, on the local clock, less a margin (service.md#wallet).
 */
import { walletDeadlineMargin, walletLifetime } from '../../contract/assumed.ts'
import { JsonNumber } from '../../contract/core/decimal.ts'
import type { Members } from '../../contract/core/members.ts'
import { isUuid, normalId } from '../../contract/core/text.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { writesAbout } from '../../contract/operations.ts'
import { walletEnd } from '../../contract/wallet/status.ts'
import { cancelWalletOrder, createWalletOrder, currencyInAddress } from '../../contract/wallet/wallet.ts'
import { Failure } from '../../failure.ts'
import { findByName, nameIn } from '../../journal/find.ts'
import type { Attempt, Intent } from '../../journal/intent.ts'
import { type Moment, maxElapsed } from '../../journal/moment.ts'
import { isRecord, readJson } from '../../json.ts'
import { scopeOf } from '../draft.ts'
import { type Knowing, keyLikeAnId } from '../order/find.ts'
import { startOf } from '../recover/age.ts'

export interface KnownWalletOrder {
  readonly uniqueId: string
  readonly created: Intent
  /** True if the service has it, as far as its creation tells. */
  readonly registered: boolean
  /** The reason why it is not registered, in the service's words; null where there are none. */
  readonly reason: string | null
  /** Milliseconds since 1970: until when finalizing must be under way. */
  readonly finalizeBy: number
  readonly receiverName: string | null
  /** From the QR address, if it names one. */
  readonly currency: string | null
  /** The sums in the service's answer, with their digits; all null where it was lost. */
  readonly amount: JsonNumber | null
  readonly minimum: JsonNumber | null
  readonly maximum: JsonNumber | null
  /** The journal holds it as deleted. */
  readonly deleted: boolean
}

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
export async function walletIntent(
  knowing: Knowing,
  operation: WriteOperation,
  uniqueId: string,
): Promise<Intent | null> {
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
  const open = attempts.find(({ outcome }) => outcome === null || outcome === 'unknown')
  const attempt = accepted ?? open ?? attempts.at(-1)
  const sent = Date.parse(attempt?.startedAt ?? created.openedAt)
  const setBack = attempt ? maxElapsed(startOf(attempt), present) - (present.now - sent) : 0
  return setBack > noticeable ? sent - setBack : sent
}

function membersIn(json: string | null): Members {
  const value = json === null ? null : readJson(json)
  return isRecord(value) ? value : {}
}

function numberIn(value: unknown): JsonNumber | null {
  return value instanceof JsonNumber ? value : null
}

/**
 * True if the details showed, in the place of a lost answer, that there is nothing to finalize: rejected, deleted, too late.
 */
export function hasEndedUnpaid({ status }: Pick<Intent, 'status'>): boolean {
  return status !== null && walletEnd(status) === 'not-paid'
}

/** True if the details showed that it was finalized, from here or elsewhere. */
export function wasPaid({ status }: Pick<Intent, 'status'>): boolean {
  return status !== null && walletEnd(status) === 'paid'
}

/** Null where this journal does not know of its creation. */
export async function knownWalletOrder(knowing: Knowing, uniqueId: string): Promise<KnownWalletOrder | null> {
  const created = await walletIntent(knowing, createWalletOrder, uniqueId)
  if (!created) return null
  const attempts = await knowing.journal.attempts(created)
  const answer = membersIn(created.answer)
  const canceled = await walletIntent(knowing, cancelWalletOrder, uniqueId)
  return {
    uniqueId: created.uniqueId,
    created,
    registered: (created.state === 'accepted' || created.state === 'exists') && !hasEndedUnpaid(created),
    reason: attempts.at(-1)?.message ?? null,
    finalizeBy: sentAt(created, attempts, knowing.journal.moment) + (walletLifetime - walletDeadlineMargin) * 1000,
    receiverName: typeof answer.receiverName === 'string' ? answer.receiverName : null,
    currency: currencyInAddress(membersIn(created.body).uri),
    amount: numberIn(answer.amount),
    minimum: numberIn(answer.minAmountAllowed),
    maximum: numberIn(answer.maxAmountAllowed),
    deleted: canceled?.state === 'accepted' || canceled?.state === 'exists',
  }
}

/** Whole seconds left to finalize; 0 when it is over. */
export function secondsLeft({ finalizeBy }: Pick<KnownWalletOrder, 'finalizeBy'>, now: number): number {
  return Math.max(0, Math.floor((finalizeBy - now) / 1000))
}

/** "4 min 54 s", "54 s". */
export function secondsInWords(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** True if nothing is left of its time, by the clock of this machine. */
export function isOver({ finalizeBy }: Pick<KnownWalletOrder, 'finalizeBy'>, now: number): boolean {
  return now >= finalizeBy
}

/** The time of day on this machine's clock. */
export function timeOfDay(moment: number): string {
  const date = new Date(moment)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}
