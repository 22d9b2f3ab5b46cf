/** What an answer to a write proves (design/money-safety, "What proves that nothing ran"): area A by code alone. */
import type { WriteOperation } from '../contract/operation.ts'
import type { PayoutCreated } from '../contract/payout.ts'
import { payoutCodes } from '../contract/payout-codes.ts'
import type { ServiceWords } from '../failure.ts'
import type { Verdict } from '../journal/verdict.ts'
import type { Exchanged } from './exchange.ts'
import { inWords } from './refusal.ts'
import { askedPause } from './repeat.ts'

export function classify(
  operation: WriteOperation,
  read: Exchanged<PayoutCreated>,
  uniqueId: string,
  now: number,
): Verdict {
  switch (read.kind) {
    case 'answer':
      return accepted(read.answer, uniqueId)
    case 'coded':
      return coded(operation, read.words)
    case 'unauthorised':
      return { kind: 'turned-away', by: 'token', words: read.words, wait: null }
    case 'busy':
      return { kind: 'turned-away', by: 'rate', words: read.words, wait: askedPause(read.retryAfter, now) }
    case 'redirect':
      return { kind: 'turned-away', by: 'redirect', words: read.words, wait: null, location: read.location }
    case 'unsent':
      return read
    case 'unanswered':
      return { kind: 'unknown', why: read.why, words: null }
    case 'nonsense':
      return { kind: 'unknown', why: read.why, words: read.words }
  }
}

/** An acceptance that speaks of another id is no answer to this request. */
function accepted(answer: PayoutCreated, uniqueId: string): Verdict {
  if (answer.uniqueId.toLowerCase() !== uniqueId.toLowerCase()) {
    return { kind: 'unknown', why: `the answer speaks of another uniqueId, ${answer.uniqueId}`, words: null }
  }
  const { transactionId, status, statusDescription, createdAt } = answer
  return { kind: 'accepted', transactionId, status, statusDescription, createdAt }
}

function coded(operation: WriteOperation, words: ServiceWords): Verdict {
  if (words.statusCode === operation.duplicateCode) return { kind: 'duplicate', words }
  if (words.statusCode === 5021) return { kind: 'turned-away', by: 'token', words, wait: null }
  const code = words.statusCode === null ? undefined : payoutCodes.get(words.statusCode)
  if (code?.ran === 'no') return { kind: 'refused', words, bodyOnly: code.bodyOnly }
  return { kind: 'unknown', why: `no refusal: ${inWords(words)}`, words }
}
