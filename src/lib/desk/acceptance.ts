/**
 * What an answer in the shape of the contract says about the write. A payout that was taken is told as such; the wallet tells
 * its business outcomes as statuses, never as errors (specification C; observed 8), so a status is looked at like a code.
 */
import type { WriteOperation } from '../contract/operation.ts'
import { createPayout } from '../contract/payout.ts'
import { createWalletOrder, finalizeWalletOrder } from '../contract/wallet.ts'
import type { ServiceWords } from '../failure.ts'
import type { Verdict } from '../journal/verdict.ts'
import { writeJson } from '../json.ts'
import { sameId } from './draft.ts'

type Answer = Readonly<Record<string, unknown>>

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** A business status in the place of an error. */
function said(message: string): ServiceWords {
  return { http: 200, statusCode: null, exceptionGroup: null, message }
}

function accepted(answer: Answer): Verdict {
  const status = text(answer.status)
  return {
    kind: 'accepted',
    transactionId: null,
    status,
    statusDescription: null,
    createdAt: null,
    answer: writeJson(answer),
  }
}

function payoutAccepted(answer: Answer): Verdict {
  return {
    kind: 'accepted',
    transactionId: text(answer.transactionId),
    status: text(answer.status),
    statusDescription: text(answer.statusDescription),
    createdAt: text(answer.createdAt),
    answer: null,
  }
}

function unknownStatus(status: string | null): Verdict {
  return { kind: 'unknown', why: `the answer has a status that nobody knows: ${status ?? 'none'}`, words: null }
}

function walletCreated(answer: Answer): Verdict {
  const status = text(answer.status)
  if (status === 'REGISTERED') return accepted(answer)
  if (status !== 'REJECTED') return unknownStatus(status)
  return { kind: 'refused', words: said(text(answer.rejectReason) ?? status), bodyOnly: false, status }
}

/** Whether the body alone decides: the amounts were fixed when the order was created; a receiver's limit changes. */
const finalizeRefusals: Readonly<Record<string, { readonly bodyOnly: boolean }>> = {
  WRONG_AMOUNT: { bodyOnly: true },
  AMOUNT_NOT_IN_RANGE: { bodyOnly: true },
  RECEIVER_REACHED_LIMIT: { bodyOnly: false },
  ORDER_NOT_FOUND: { bodyOnly: false },
}

function walletFinalized(answer: Answer): Verdict {
  const status = text(answer.status)
  if (status === 'SUCCESS') return accepted(answer)
  if (status === 'ALREADY_FINALISED') return { kind: 'duplicate', words: said(status) }
  const refusal = status === null || !Object.hasOwn(finalizeRefusals, status) ? undefined : finalizeRefusals[status]
  if (status === null || !refusal) return unknownStatus(status)
  return { kind: 'refused', words: said(status), bodyOnly: refusal.bodyOnly, status }
}

const readings: Readonly<Record<string, (answer: Answer) => Verdict>> = {
  [createPayout.name]: payoutAccepted,
  [createWalletOrder.name]: walletCreated,
  [finalizeWalletOrder.name]: walletFinalized,
}

/** The fields by which answers repeat which write they speak of. */
const echoes = ['uniqueId', 'integratorOrderId', 'subscriptionId'] as const

/** An answer that speaks of another id is no answer to this request. */
export function otherId(request: Readonly<Record<string, unknown>>, answer: Answer): string | null {
  const field = echoes.find((name) => request[name] !== undefined && text(answer[name]) !== null)
  if (field === undefined) return null
  const told = String(answer[field])
  return sameId(told) === sameId(String(request[field])) ? null : `the answer speaks of another ${field}, ${told}`
}

export function judge(operation: WriteOperation, request: Readonly<Record<string, unknown>>, answer: Answer): Verdict {
  const other = otherId(request, answer)
  if (other !== null) return { kind: 'unknown', why: other, words: null }
  return (readings[operation.name] ?? accepted)(answer)
}
