/** The proof of an answer comes back from a file whole: a member that the form does not know would keep it there for ever. */
import { expect, test } from 'vitest'
import { verdictForm } from '../../../src/lib/journal/outbox.ts'
import type { Verdict } from '../../../src/lib/journal/verdict.ts'

const words = { http: 200, statusCode: 6006, exceptionGroup: 2, message: 'no' }

/** One of each kind, with all of its members. */
const whole: { readonly [Kind in Verdict['kind']]: Required<Extract<Verdict, { kind: Kind }>> } = {
  accepted: {
    kind: 'accepted',
    ...{ transactionId: '4712', status: 'SUCCESS', statusDescription: 'paid', createdAt: '2026-11-20', answer: '{}' },
  },
  duplicate: {
    kind: 'duplicate',
    words,
    ...{ sumConfirmed: true, isOwn: true },
    shown: { status: 'CANCELED', because: 'order.status reads CANCELED', isDone: true },
  },
  refused: { kind: 'refused', words, bodyOnly: true, status: 'REJECTED', seen: 'FAILED' },
  'turned-away': { kind: 'turned-away', words, by: 'redirect', location: 'http://127.0.0.1/', wait: 1000 },
  unsent: { kind: 'unsent', why: 'refused', besides: 'j-1' },
  unknown: { kind: 'unknown', why: 'cut', words, wait: 1000, otherSum: 'amount is 2, not 1' },
}

test.each(Object.values(whole))('$kind', (verdict) => {
  expect(verdictForm.parse(JSON.parse(JSON.stringify(verdict)))).toEqual(verdict)
})
