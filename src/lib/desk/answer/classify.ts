/** The proof in an answer to a write (money-safety.md#what-proves-what): area A by code alone, B to D by code and group. */

import type { Beneath } from '../../client/reading.ts'
import { ranNothing } from '../../contract/codes/code-book.ts'
import type { AnswerOf, RequestOf, WriteOperation } from '../../contract/operation.ts'
import type { ServiceWords } from '../../failure.ts'
import type { Verdict } from '../../journal/verdict.ts'
import { isRecord } from '../../json.ts'
import type { Exchanged } from '../line/exchange.ts'
import { askedPause } from '../line/repeat.ts'
import { refusalInWords } from '../receipt/refusal.ts'
import { verdictOfSuccess } from './acceptance.ts'
import { successIn } from './refused-and-done.ts'
import { statusAllTheSame } from './told-all-the-same.ts'
import { contradictedBy } from './turned-away.ts'

/** The verdict of an answer. `currency`: that of the order, where the request names none and the journal knows it. */
export function classify<Op extends WriteOperation>(
  operation: Op,
  request: RequestOf<Op>,
  read: Exchanged<AnswerOf<Op>>,
  now: number,
  currency: string | null,
): Verdict {
  const verdict = verdictIn(operation, request, read, now, currency)
  return verdict.kind === 'unknown' ? { ...verdict, told: statusAllTheSame(operation, request, read) } : verdict
}

function verdictIn<Op extends WriteOperation>(
  operation: Op,
  request: RequestOf<Op>,
  read: Exchanged<AnswerOf<Op>>,
  now: number,
  currency: string | null,
): Verdict {
  switch (read.kind) {
    case 'answer':
      return verdictOfSuccess(operation, request, isRecord(read.answer) ? read.answer : {}, currency)
    case 'coded':
      return coded(operation, read)
    case 'unauthorised':
      return contradictedBy(operation, read) ?? { kind: 'turned-away', by: 'token', words: read.words, wait: null }
    case 'busy': {
      const wait = askedPause(read.retryAfter, now)
      return contradictedBy(operation, read) ?? { kind: 'turned-away', by: 'rate', words: read.words, wait }
    }
    case 'unavailable': {
      const wait = askedPause(read.retryAfter, now)
      return { kind: 'unknown', why: 'the service is not available', words: read.words, wait }
    }
    case 'redirect':
      return redirected(operation, read)
    case 'unsent':
      return read
    case 'unanswered':
      return { kind: 'unknown', why: read.why, words: null }
    case 'nonsense':
      return { kind: 'unknown', why: read.why, words: read.words, otherSum: read.otherSum ?? null }
  }
}

/** Redirects that say that the request is to be sent elsewhere; a 303 is what a server says after it has acted. */
const notApplied: ReadonlySet<number> = new Set([307, 308])

function redirected(
  operation: WriteOperation,
  read: { readonly words: ServiceWords; readonly location: string | null; readonly beneath: Beneath },
): Verdict {
  const { words, location } = read
  if (notApplied.has(words.http ?? 0)) {
    const contradicted = contradictedBy(operation, read)
    if (contradicted) return contradicted
    return { kind: 'turned-away', by: 'redirect', words, wait: null, location }
  }
  const why = `the service redirects (HTTP ${words.http}) to ${location ?? 'another place'}, which is not followed`
  return { kind: 'unknown', why, words }
}

function coded(
  operation: WriteOperation,
  { words, beneath }: { readonly words: ServiceWords & { readonly statusCode: number }; readonly beneath: Beneath },
): Verdict {
  if (words.statusCode === operation.duplicateCode) return { kind: 'duplicate', words }
  if (operation.area === 'A' && words.statusCode === 5021) {
    return { kind: 'turned-away', by: 'token', words, wait: null }
  }
  const { ran, bodyOnly } = ranNothing(operation.area, words.statusCode, words.exceptionGroup)
  if (ran === 'no') {
    const done = successIn(operation, beneath)
    if (done === null) return { kind: 'refused', words, bodyOnly, status: null }
    return { kind: 'unknown', why: `the answer refuses, and has ${done} of a success`, words }
  }
  return { kind: 'unknown', why: `no refusal: ${refusalInWords(operation, words)}`, words }
}
