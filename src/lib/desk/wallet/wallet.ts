/**
 * Bank-wallet orders (area C): creating one, finalizing it inside its five minutes, deleting it, reading how far it is. What
 * finalizing must fail with is seen here, before it is sent: a wrong amount costs time that there is little of.
 */
import { fromMinorUnits, type JsonNumber, minorUnits, plainDecimal } from '../../contract/core/decimal.ts'
import type { RequestOf } from '../../contract/operation.ts'
import { cancelWalletOrder, createWalletOrder, finalizeWalletOrder } from '../../contract/wallet/wallet.ts'
import { about, Failure } from '../../failure.ts'
import { factsOf, type Intent } from '../../journal/intent.ts'
import type { Desk } from '../desk.ts'
import { anotherId, sameIdFlag } from '../new-id.ts'
import { submitChange } from '../order/change.ts'
import type { Knowing } from '../order/find.ts'
import { type Done, doneOf } from '../receipt/receipt.ts'
import { type SubmitOptions, submit } from '../submit.ts'
import {
  hasEndedUnpaid,
  type KnownWalletOrder,
  knownWalletOrder,
  secondsLeft,
  timeOfDay,
  walletIntent,
} from './find.ts'

/** The receipt of a creation: the sum or its limits as the service returned them, and the time that is left. */
export interface WalletCreated extends Done {
  readonly uniqueId: string
  readonly receiverName: string | null
  readonly minAmountAllowed: JsonNumber | null
  readonly maxAmountAllowed: JsonNumber | null
  /** Until when finalizing must be under way: ISO, UTC. */
  readonly finalizeBy: string
  readonly secondsLeft: number
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function notFinalizable({ uniqueId }: KnownWalletOrder): readonly string[] {
  return uuid.test(uniqueId) ? [] : [`${uniqueId} is no UUID, and finalizing takes nothing else`]
}

function anew({ created }: KnownWalletOrder): string {
  return `create it anew, with ${anotherId(created)}`
}

/** Its answer was lost, and what the details show is nothing that could be finalized. */
function overAlready(intent: Intent): Failure {
  return new Failure('refused', `the service holds it as ${intent.status}: it was rejected, or its time is over`, {
    ...factsOf(intent),
    moneyMoved: 'no',
    retry: 'after-fix',
    hints: [`Its answer was lost, and with it the reason. Create it anew, with ${anotherId(intent)}.`],
  })
}

export async function createWallet(
  desk: Desk,
  request: RequestOf<typeof createWalletOrder>,
  options: SubmitOptions,
): Promise<WalletCreated> {
  const settled = await submit(desk, createWalletOrder, request, options)
  if (hasEndedUnpaid(settled.intent)) throw overAlready(settled.intent)
  const known = await knownWalletOrder(desk, settled.intent.uniqueId)
  if (!known) throw new Failure('bug', `the journal lost ${settled.intent.journalId}`)
  // A reason for rejecting it has no place beside a registered one.
  const { rejectReason: _, ...done } = doneOf(settled)
  const left = secondsLeft(known, desk.clock.now())
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
    warnings: [...done.warnings, ...notFinalizable(known), ...(await sinceThen(desk, known))],
  }
}

/** What became of an order since it was created: a repeat of its create gets the old receipt, and must not promise. */
async function sinceThen(desk: Desk, known: KnownWalletOrder): Promise<readonly string[]> {
  if (known.deleted) return ['it was deleted since: it cannot be finalized any more']
  const finalized = await walletIntent(desk, finalizeWalletOrder, known.uniqueId)
  // What was paid, or may have been, must not be made anew.
  if (finalized?.state === 'accepted' || finalized?.state === 'exists') {
    return [`it was finalized since (${finalized.journalId})`]
  }
  if (finalized?.state === 'unknown') {
    return [`whether it was finalized since is unknown: \`paydesk resume ${finalized.journalId}\``]
  }
  if (secondsLeft(known, desk.clock.now()) > 0) return []
  return [`its five minutes were over at ${timeOfDay(known.finalizeBy)}: ${anew(known)}`]
}

function unitsOf(received: JsonNumber | null): bigint | null {
  return received && minorUnits(plainDecimal(received.text) ?? '')
}

/** "25.00"; a sum that is none as it came. */
function inWords(received: JsonNumber): string {
  const units = unitsOf(received)
  return units === null ? received.text : fromMinorUnits(units)
}

function rangeOf({ minimum, maximum }: KnownWalletOrder): string | null {
  const ends = [minimum && `from ${inWords(minimum)}`, maximum && `to ${inWords(maximum)}`].filter(Boolean)
  return ends.length > 0 ? ends.join(' ') : null
}

function amountObjection(known: KnownWalletOrder, typed: string): string | null {
  const units = minorUnits(typed)
  const [exact, least, most] = [unitsOf(known.amount), unitsOf(known.minimum), unitsOf(known.maximum)]
  if (units === null || (exact ?? units) !== units) {
    return (
      known.amount && `--amount must be ${inWords(known.amount)}, as the service returned at creation, not ${typed}`
    )
  }
  const isOutside = (least !== null && units < least) || (most !== null && units > most)
  return isOutside ? `--amount must be ${rangeOf(known)}, as the service returned at creation, not ${typed}` : null
}

function registrationObjection(known: KnownWalletOrder): string | null {
  const { created, registered, reason, deleted } = known
  const { state, journalId, status } = created
  if (deleted) return `it was deleted with \`wallet cancel\`: ${anew(known)}`
  if (registered) return null
  if (state === 'unknown') return `whether it was created is unknown: \`paydesk resume ${journalId}\` first`
  if (hasEndedUnpaid(created)) return `the service holds it as ${status}: ${anew(known)}`
  const why = reason === null ? '' : ` (${reason})`
  if (state === 'refused') return `its creation was refused${why}: ${anew(known)}`
  const kept = sameIdFlag(createWalletOrder, created)
  return `its creation never reached the service: run \`wallet create\` again, with ${kept}`
}

/** Everything that finalizing must fail with, each with what would be right. */
export function objections(known: KnownWalletOrder, amount: string, now: number): readonly string[] {
  const registration = registrationObjection(known)
  // Of an order that is none there is neither an amount nor a deadline.
  if (registration !== null) return [registration]
  const { finalizeBy } = known
  const over =
    now < finalizeBy
      ? null
      : `its five minutes were over ${Math.ceil((now - finalizeBy) / 1000)} s ago, at ${timeOfDay(finalizeBy)}: ${anew(known)}`
  return [amountObjection(known, amount), over].filter((each) => each !== null)
}

/** An order as somebody is about to finalize it. */
export interface Finalizing {
  readonly uniqueId: string
  /** Null where this journal does not know of its creation. */
  readonly known: KnownWalletOrder | null
  /** Finalizing was sent before, and not refused: what came of it counts, and no check of today. */
  readonly underWay: boolean
}

export async function finalizing(knowing: Knowing, uniqueId: string): Promise<Finalizing> {
  const earlier = await walletIntent(knowing, finalizeWalletOrder, uniqueId)
  const underWay = earlier !== null && ['accepted', 'exists', 'unknown'].includes(earlier.state)
  return { uniqueId, known: await knownWalletOrder(knowing, uniqueId), underWay }
}

/** Throws Failure('usage') for what must fail. */
export function requireFinalizable({ known, underWay }: Finalizing, amount: string, now: number): void {
  const found = known && !underWay ? objections(known, amount, now) : []
  if (!known || found.length === 0) return
  throw new Failure('usage', found.join(';\n'), {
    ...about(finalizeWalletOrder),
    uniqueId: known.uniqueId,
    journalId: known.created.journalId,
    hints: ['Nothing was sent. --no-local-check leaves the decision to the service.'],
  })
}

/** What could not be checked here. */
export function unchecked({ uniqueId, known, underWay }: Finalizing): readonly string[] {
  if (underWay) return []
  if (!known) return [`this journal does not know of the creation of ${uniqueId}: amount and time were not checked`]
  const blind = known.registered && known.created.answer === null
  return blind ? [`the answer of its creation was lost (${known.created.journalId}): the amount was not checked`] : []
}

/** How much time there is and what is due, for a person; null where nothing is known or nothing is to be done. */
export function whatIsDue({ known, underWay }: Finalizing, now: number): string | null {
  if (!known?.registered || underWay) return null
  const { amount, currency, receiverName } = known
  const sum = amount ? inWords(amount) : rangeOf(known)
  const due =
    sum === null ? '' : `${[currency, sum].filter(Boolean).join(' ')}${receiverName ? ` to ${receiverName}` : ''}; `
  return `${due}${secondsLeft(known, now)} s left to finalize it, until ${timeOfDay(known.finalizeBy)}`
}

/** Finalizes it; repeats stay inside its five minutes, unless nobody is to look at them. */
export async function finalizeWallet(
  desk: Desk,
  request: RequestOf<typeof finalizeWalletOrder>,
  { known, underWay, ...about }: Finalizing,
  { businessKey, checked }: { readonly businessKey: string | null; readonly checked: boolean },
): Promise<Done> {
  const own = desk.clock.now() + desk.settings.timeout
  const inTime = checked && known && !underWay
  const sendUntil = inTime ? known.finalizeBy : own
  const done = doneOf(await submit(desk, finalizeWalletOrder, request, { businessKey, deadline: own, sendUntil }))
  const remarks = checked && !done.replayed ? unchecked({ known, underWay, ...about }) : []
  return { ...done, currency: known?.currency ?? null, warnings: [...done.warnings, ...remarks] }
}

export async function cancelWallet(desk: Desk, request: RequestOf<typeof cancelWalletOrder>): Promise<Done> {
  return doneOf(await submitChange(desk, cancelWalletOrder, request))
}
