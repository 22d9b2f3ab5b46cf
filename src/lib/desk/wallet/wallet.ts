/** Bank-wallet orders (area C): creating one, finalizing it inside its five minutes, deleting it. */
import { isUuid } from '../../contract/core/text.ts'
import type { RequestOf } from '../../contract/operation.ts'
import { cancelWalletOrder, createWalletOrder, finalizeWalletOrder } from '../../contract/wallet/wallet.ts'
import { Failure } from '../../failure.ts'
import { hint, hintInWords, paste } from '../../hint.ts'
import { factsOf, type Intent } from '../../journal/intent.ts'
import type { ResultOf } from '../../result.ts'
import type { Desk } from '../desk.ts'
import type { SubmitOptions } from '../line/terms.ts'
import { anotherId } from '../new-id.ts'
import { submitChange } from '../order/change.ts'
import { contradicted, endedAndMoved } from '../receipt/ended.ts'
import { type Done, doneOf } from '../receipt/receipt.ts'
import { movedBesides, writesTo } from '../recover/at-stake.ts'
import { submit } from '../submit.ts'
import { type Finalizing, finalizing, hasLapsed, overButAlive, readFinalizing, unchecked } from './finalizable.ts'
import { hasEndedUnpaid, isOver, type KnownWalletOrder, secondsLeft, walletIntent, wasPaid } from './find.ts'
import type { walletCreatedResult } from './result.ts'

/** The receipt of a creation: the sum or its limits as the service returned them, and the time that is left. */
export type WalletCreated = Done & ResultOf<typeof walletCreatedResult>

function notFinalizable({ uniqueId }: KnownWalletOrder): readonly string[] {
  return isUuid(uniqueId) ? [] : [`${uniqueId} is no UUID, and finalizing takes nothing else`]
}

/** Its answer was lost, and what the details show is nothing that could be finalized. */
async function overAlready(desk: Desk, intent: Intent): Promise<Failure> {
  const moved = movedBesides(await writesTo(desk, createWalletOrder.about, intent.uniqueId), intent)
  if (moved) {
    const how = endedAndMoved(`${intent.status}`, 'it was rejected, or its time is over', moved)
    return contradicted(moved, createWalletOrder.about, how)
  }
  return new Failure('refused', `the service holds it as ${intent.status}: it was rejected, or its time is over`, {
    ...factsOf(intent),
    moneyMoved: 'no',
    retry: 'after-fix',
    hints: [
      intent.answer === null
        ? hint`Its answer was lost, and with it the reason. Create it anew, with ${anotherId(intent)}.`
        : hint`Create it anew, with ${anotherId(intent)}.`,
    ],
  })
}

export async function createWallet(
  desk: Desk,
  request: RequestOf<typeof createWalletOrder>,
  options: SubmitOptions,
): Promise<WalletCreated> {
  const submitted = await submit(desk, createWalletOrder, request, options)
  if (hasEndedUnpaid(submitted.intent)) throw await overAlready(desk, submitted.intent)
  const found = await finalizing(desk, submitted.intent.uniqueId)
  const { known } = hasLapsed(found) ? await readFinalizing(desk, found) : found
  if (!known) throw new Failure('bug', `the journal lost ${submitted.intent.journalId}`)
  if (hasEndedUnpaid(known.created)) throw await overAlready(desk, known.created)
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
    warnings: [...done.warnings, ...notFinalizable(known), ...(await sinceThen(desk, known))],
  }
}

/** Changes of an order since its creation: a repeat of its create gets the old receipt, which must not promise too much. */
async function sinceThen(desk: Desk, known: KnownWalletOrder): Promise<readonly string[]> {
  if (known.deleted) return ['it was deleted since: it cannot be finalized any more']
  const finalized = await walletIntent(desk, finalizeWalletOrder, known.uniqueId)
  // An order that was paid, or may have been, must not be made anew.
  if (finalized?.state === 'accepted' || finalized?.state === 'exists') {
    return [`it was finalized since (${finalized.journalId})`]
  }
  if (finalized?.isTaken) {
    return [hintInWords(hint`it may have been finalized since: \`${paste('journal show', finalized.journalId)}\``)]
  }
  if (finalized?.state === 'unknown') {
    return [hintInWords(hint`whether it was finalized since is unknown: \`${paste('resume', finalized.journalId)}\``)]
  }
  if (wasPaid(known.created)) return ['it was finalized since, if not from here, then elsewhere']
  return isOver(known, desk.journal.moment.now) ? [overButAlive(known)] : []
}

/** Finalizes it. Repeats stay inside its five minutes, unless the check before it was switched off. */
export async function finalizeWallet(
  desk: Desk,
  request: RequestOf<typeof finalizeWalletOrder>,
  { known, underWay, ...about }: Finalizing,
  { businessKey, checked }: { readonly businessKey: string | null; readonly checked: boolean },
): Promise<Done> {
  const own = desk.clock.now() + desk.settings.timeout
  const inTime = checked && known && !underWay
  const sendUntil = inTime ? known.finalizeBy : own
  const done = doneOf(await submit(desk, finalizeWalletOrder, request, { businessKey, deadline: own, sendUntil }), desk)
  const remarks = checked && !done.replayed ? unchecked({ known, underWay, ...about }) : []
  return { ...done, currency: known?.currency ?? null, warnings: [...done.warnings, ...remarks] }
}

export async function cancelWallet(desk: Desk, request: RequestOf<typeof cancelWalletOrder>): Promise<Done> {
  return doneOf(await submitChange(desk, cancelWalletOrder, request), desk)
}
