/**
 * Checks of a wallet order before finalizing, as far as this journal knows. A failure that is certain is found before the
 * request is sent: a wrong amount costs time that there is little of.
 */
import { fromMinorUnits, type JsonNumber, minorUnits, plainDecimal } from '../../contract/core/decimal.ts'
import { walletStatusFacts } from '../../contract/wallet/status.ts'
import { createWalletOrder, finalizeWalletOrder } from '../../contract/wallet/wallet.ts'
import { about, Failure } from '../../failure.ts'
import { nothingWasSent } from '../../failure-before-sending.ts'
import { hint, hintInWords, paste } from '../../hint.ts'
import type { Desk } from '../desk.ts'
import { scopeOf } from '../draft.ts'
import { anotherId, sameIdFlag } from '../new-id.ts'
import type { Knowing } from '../order/find.ts'
import { readAnew } from '../read-anew.ts'
import {
  hasEndedUnpaid,
  isOver,
  type KnownWalletOrder,
  knownWalletOrder,
  secondsInWords,
  secondsLeft,
  timeOfDay,
  walletIntent,
  wasPaid,
} from './find.ts'

/** Advice in the place of finalizing it. */
function anew({ created }: KnownWalletOrder): string {
  return `create it anew, with ${anotherId(created)}`
}

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
  if (wasPaid(created)) return `the service holds it as ${status}: it was finalized, if not from here, then elsewhere`
  if (deleted) return `it was deleted with \`wallet cancel\`: ${anew(known)}`
  if (registered) return null
  if (state === 'unknown') {
    return hintInWords(hint`whether it was created is unknown: \`${paste('resume', journalId)}\` first`)
  }
  if (hasEndedUnpaid(created)) return `the service holds it as ${status}: ${anew(known)}`
  const why = reason === null ? '' : ` (${reason})`
  if (state === 'refused') return `its creation was refused${why}: ${anew(known)}`
  const kept = sameIdFlag(createWalletOrder, created)
  return `its creation never reached the service: run \`wallet create\` again, with ${kept}`
}

/**
 * Its five minutes are over by the clock of this machine, though the service, read behind them, has not ended it: another
 * machine may have finalized it, as a copy that lags behind has not heard.
 */
export function overButAlive({ created, uniqueId, finalizeBy }: KnownWalletOrder): string {
  const over = `its five minutes were over at ${timeOfDay(finalizeBy)}, though the service shows it as ${created.status}`
  return hintInWords(hint`${over}: create nothing anew before \`${paste('wallet details', uniqueId)}\` shows its end`)
}

/** Everything that finalizing must fail with, each with what would be right. */
function objections(known: KnownWalletOrder, amount: string | null, now: number): readonly string[] {
  const registration = registrationObjection(known)
  // Of an order that is none there is neither an amount nor a deadline.
  if (registration !== null) return [registration]
  const over = isOver(known, now) ? overButAlive(known) : null
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
  return orders.filter(({ known, underWay, time }) => {
    return known !== null && !underWay && objections(known, null, time()).length === 0
  })
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
    hints: [hint`${nothingWasSent} --no-local-check leaves the decision to the service.`],
  })
}

/** Warnings about everything that could not be checked here. */
export function unchecked(order: Finalizing): readonly string[] {
  const { uniqueId, known, underWay } = order
  if (underWay) return []
  if (!known) return [`this journal does not know of the creation of ${uniqueId}: amount and time were not checked`]
  if (hasLapsed(order)) {
    const { registered, created, finalizeBy } = known
    const lapsed = registered
      ? `its five minutes were over at ${timeOfDay(finalizeBy)}`
      : `it was last read as ${created.status}`
    return [`${lapsed}: the run would read it anew, and send nothing if it is over`]
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
export function whatIsDue(order: Finalizing): string | null {
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
