/**
 * Closes an intent without a known transactionId: the service has the payout (EXISTS) or may have it (UNKNOWN). A2 is read
 * and compared with the journal; fields that A2 does not show are named, because they could not be compared.
 */
import { createPayout, payoutDetails } from '../contract/payout/payout.ts'
import type { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import { otherSum } from '../journal/duplicates.ts'
import { type Intent, intentFailure, moneyMovedBy } from '../journal/intent.ts'
import { requestIn } from '../journal/payment-end.ts'
import type { ResultOf } from '../result.ts'
import type { Desk } from './desk.ts'
import { type Comparison, compare, requireIntent, sumDiffers } from './payouts.ts'
import { isOfOtherTransaction, readObject } from './read.ts'
import { receiptOf } from './receipts.ts'
import { comparable, type reconciledResult } from './results.ts'
import { refuseIfEnded, statusNotStored } from './unpaid-end.ts'
import { withIntent } from './writes.ts'

export type Reconciled = ResultOf<typeof reconciledResult>

/** Throws a Failure: refused (5) where the payment has ended unpaid, duplicate (7) for another one, unknown (9). */
export async function reconcile(desk: Desk, id: string, named: string): Promise<Reconciled> {
  const transactionId = BigInt(named).toString()
  const intent = await requireIntent(desk, id, [createPayout])
  return withIntent(desk, intent, () => compareWith(desk, intent, transactionId))
}

async function compareWith(desk: Desk, looked: Intent, transactionId: string): Promise<Reconciled> {
  const request = requestIn(looked.body)
  const asked = { transaction_id: transactionId }
  const read = await readObject(desk, payoutDetails, asked, { expected: looked.uniqueId })
  const { answer: details } = read
  // As the journal has it behind the read.
  const intent = read.writes.find(({ journalId }) => journalId === looked.journalId) ?? looked
  const compared = compare(request, details)
  const different = compared.filter(({ equal }) => !equal)
  const isIts = details.uniqueId.toLowerCase() === intent.uniqueId && !isOfOtherTransaction(intent, transactionId)
  const differs = isIts ? sumDiffers(intent, details) : null
  if (differs !== null) {
    await desk.journal.noteSum(intent, differs)
    throw otherSum(intent, differs)
  }
  if (different.length > 0) throw otherPayout(intent, transactionId, different)
  if (intent.transactionId !== null && intent.transactionId !== transactionId) throw hasAnother(intent)
  if (read.isUnnoted) throw statusNotStored('payout', intent, details.status)
  const because = `reconciled with transaction ${transactionId}: ${compared.map(({ field }) => field).join(', ')} agree`
  const { status, statusDescription, createdAt } = details
  const inDoubt = intent.otherSum ?? intent.answeredSum ?? intent.disputed
  const [closed = intent] =
    intent.state === 'accepted' && inDoubt === null
      ? await desk.journal.noteStatus([{ intent, isThere: false }], status, statusDescription)
      : [
          await desk.journal.close(intent, 'accepted', because, {
            seen: { transactionId, status, statusDescription, createdAt, answer: null },
            sumConfirmed: true,
          }),
        ]
  const shown = new Set<string>(comparable)
  const notShown = Object.keys(request).filter((name) => !shown.has(name))
  // The payment is the right one; it may have ended unpaid, and of two ends that contradict each other neither is told.
  const reconciled = await refuseIfEnded(desk, createPayout, { intent: closed, replayed: false, warnings: [] })
  return { ...receiptOf(reconciled, desk), compared, notShown }
}

/** The transaction is there, but not this intent's: 7, because 6 would read as "there is none, and no money moved". */
function otherPayout(intent: Intent, transactionId: string, different: readonly Comparison[]): Failure {
  const how = different.map(({ field, journal, service }) => `${field} is ${service ?? 'absent'}, not ${journal}`)
  return intentFailure('duplicate', `transaction ${transactionId} is another payout: ${how.join('; ')}`, intent, {
    transactionId,
    moneyMoved: 'unknown',
    hints: [hint`The journal was not changed. Find the transactionId that belongs to this uniqueId.`],
  })
}

function hasAnother(intent: Intent): Failure {
  const moved = moneyMovedBy(intent)
  return intentFailure('duplicate', `${intent.journalId} is already transaction ${intent.transactionId}`, intent, {
    // Two transactions are spoken of, and only one of them is known to have failed.
    moneyMoved: moved === 'no' ? 'unknown' : moved,
  })
}
