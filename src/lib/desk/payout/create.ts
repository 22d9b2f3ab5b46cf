/** Creating a payout and, on demand, staying until it is final. */
import { createPayout, type PayoutRequest } from '../../contract/payout/payout.ts'
import { about, Failure } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import type { Desk } from '../desk.ts'
import type { SubmitOptions } from '../line/terms.ts'
import { type Receipt, receiptOf } from '../receipt/receipt.ts'
import { submit } from '../submit.ts'
import { type PayoutRead, waitForPayout } from './payout.ts'

/** Creates the payout and waits until it is final. Throws as `submit` and `waitForPayout`; what was accepted is never lost. */
export async function createAndWait(desk: Desk, request: PayoutRequest, options: SubmitOptions): Promise<Receipt> {
  const deadline = desk.clock.now() + desk.settings.timeout
  const receipt = receiptOf(await submit(desk, createPayout, request, { ...options, deadline }), desk)
  if (receipt.transactionId === null) throw pending(receipt, 'the answer with its transactionId was lost')
  try {
    return seen(receipt, await waitForPayout(desk, receipt.transactionId, deadline))
  } catch (error) {
    throw (await isDisputed(desk, receipt)) ? error : afterAcceptance(error, receipt, desk.signal)
  }
}

/** True if a read has told of another end than the one that was told before: the journal knows since. */
async function isDisputed({ journal }: Desk, { journalId }: Receipt): Promise<boolean> {
  const known = await journal.list({ named: journalId }).catch(() => [])
  return known.some(({ disputed }) => disputed !== null)
}

function seen(receipt: Receipt, read: PayoutRead): Receipt {
  return { ...receipt, status: read.status, statusDescription: read.statusDescription }
}

/** The failure after the acceptance: the payout stays accepted, for whatever reason the waiting ended. */
function afterAcceptance(error: unknown, receipt: Receipt, signal: AbortSignal): unknown {
  if (signal.aborted) {
    return new Failure('interrupted', 'stopped while waiting; the payout was accepted', {
      ...factsOf(receipt),
      moneyMoved: 'unknown',
      hints: [hint`${paste('payout wait', receipt.transactionId ?? receipt.journalId)}`],
    })
  }
  if (!(error instanceof Failure) || error.kind === 'refused' || error.kind === 'duplicate') return error
  const { document } = error.facts
  if (error.kind !== 'pending') return pending(receipt, error.message)
  return pending(document ? seen(receipt, document as PayoutRead) : receipt, error.message)
}

function pending(receipt: Receipt, why: string): Failure {
  return new Failure('pending', `accepted, but not seen to be final: ${why}`, {
    ...factsOf(receipt),
    document: receipt,
    hints: [
      receipt.transactionId === null
        ? hint`When its transactionId is known: \`${paste('payout reconcile', receipt.uniqueId, '--transaction-id', blank('<n>'))}\`.`
        : hint`Wait on: \`${paste('payout wait', receipt.transactionId)}\`.`,
    ],
  })
}

function factsOf({ uniqueId, transactionId, status, journalId }: Receipt) {
  return about(createPayout, { uniqueId, transactionId, status, journalId })
}
