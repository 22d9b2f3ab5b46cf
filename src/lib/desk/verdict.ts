/**
 * The verdict of an answer, and in the light of what a read shows. A duplicate, or "not any more", proves something only together with one. The answer is
 * not in the journal by then: whatever fails meanwhile leaves the payment open, and the answer with its words.
 */
import type { Members } from '../contract/core/members.ts'
import type { WriteOperation } from '../contract/operation.ts'
import type { Repeats } from '../contract/repeats.ts'
import { dropClosedAttempts } from '../journal/conflict.ts'
import { withCurrency } from '../journal/entry.ts'
import type { Intent } from '../journal/intent.ts'
import { isOpen, type Verdict } from '../journal/verdict.ts'
import { isRecord, writeJson } from '../json.ts'
import type { Desk } from './desk.ts'
import { confirmDuplicate, confirmRefusal } from './evidence.ts'
import type { Exchanged } from './line/exchange.ts'
import { askedPause } from './line/repeat.ts'
import { refusalInWords } from './receipt/refusal.ts'
import { whyOf } from './recover/not-recorded.ts'

/** The verdict of an answer to a write. `now`: milliseconds since 1970. */
export function verdictOf(operation: WriteOperation, read: Exchanged<unknown>, now: number): Verdict {
  switch (read.kind) {
    case 'unsent':
      return { kind: 'unsent', why: read.why }
    case 'unanswered':
      return { kind: 'unknown', why: read.why, words: null }
    case 'unknown': {
      const { why, words, otherSum, retryAfter } = read
      return { kind: 'unknown', why, words, otherSum, wait: askedPause(retryAfter, now) }
    }
    case 'turned-away': {
      const { by, words, location, retryAfter } = read
      return { kind: 'turned-away', by, words, location, wait: askedPause(retryAfter, now) }
    }
    case 'taken':
      return { kind: 'duplicate', words: read.words }
    case 'refused': {
      const { words, bodyOnly, status } = read
      return { kind: 'refused', words, bodyOnly, status }
    }
    case 'accepted':
      return acceptance(operation, isRecord(read.answer) ? read.answer : {})
  }
}

/** The journal keeps all of an answer, or the members that the receipt of a payout has. */
function acceptance({ proof }: WriteOperation, answer: Members): Verdict {
  const text = (name: string) => (typeof answer[name] === 'string' ? String(answer[name]) : null)
  const isPayout = proof.keeps === 'payout'
  return {
    kind: 'accepted',
    transactionId: isPayout ? text('transactionId') : null,
    status: text('status'),
    statusDescription: isPayout ? text('statusDescription') : null,
    createdAt: isPayout ? text('createdAt') : null,
    answer: isPayout ? null : writeJson(answer),
  }
}

interface Past {
  /** An attempt before this one has no definite answer. */
  readonly isRepeat: boolean
  /** The number of this one. */
  readonly number: number
  /** The status in which its thing was read before it left; null where it was not. */
  readonly known: string | null
  readonly repeats: Repeats
}

/** The part of it that is asked for before an attempt leaves, and the currency of its order; `number` of that attempt. */
export async function knownOf(
  { journal }: Desk,
  intent: Intent,
  number: number,
): Promise<{ readonly currency: string | null } & Pick<Past, 'isRepeat'>> {
  const [{ currency } = intent] = await withCurrency(journal, [intent])
  const all = number === 1 ? [] : await journal.attempts(intent)
  const before = all.filter((attempt) => attempt.number !== number)
  return { currency, isRepeat: dropClosedAttempts(intent, before).some(isOpen) }
}

export async function besideRead(
  desk: Desk,
  operation: WriteOperation,
  intent: Intent,
  verdict: Verdict,
  { isRepeat, number, known, repeats }: Past,
): Promise<Verdict> {
  if (verdict.kind !== 'duplicate' && verdict.kind !== 'refused') return verdict
  try {
    if (verdict.kind === 'refused') return await confirmRefusal(desk, intent, verdict, { isRepeat, known })
    return isRepeat && repeats.unanswered === 'once' ? await confirmDuplicate(desk, intent, verdict, number) : verdict
  } catch (error) {
    const { words } = verdict
    return { kind: 'unknown', why: `${refusalInWords(operation, words)}, and ${whyOf(error)}`, words }
  }
}
