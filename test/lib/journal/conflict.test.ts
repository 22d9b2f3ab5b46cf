/** What the journal knows of an executed sum, whatever follows it: attempts, reads and the operator in any order. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applySumRead,
  describeReason,
  hasConflict,
  isTaken,
  sumAfterAttempt,
} from '../../../src/lib/journal/conflict.ts'
import { closeIntent } from '../../../src/lib/journal/row.ts'
import { intentStates, type State, type Verdict } from '../../../src/lib/journal/verdict.ts'
import type { IntentRow } from '../../../src/lib/store/journal/schema.ts'

const words = { http: 400, statusCode: 5017, exceptionGroup: null, message: null }
const lost: Verdict = { kind: 'unknown', why: 'reset', words: null }
const refused: Verdict = { kind: 'refused', words, bodyOnly: false, status: null }
const accepted: Verdict = {
  ...{
    kind: 'accepted',
    transactionId: '7',
    status: 'INITIAL',
    statusDescription: null,
    createdAt: null,
    answer: null,
  },
}
const otherSum: Verdict = { ...lost, otherSum: 'amount is 99.00, not 12.50' }
const duplicate: Verdict = { kind: 'duplicate', words }

const row = (state: State, sum_confirmed: string | null) =>
  ({
    operation: 'payout.create',
    body: '{}',
    status: null,
    answer: null,
    state,
    sum_confirmed,
    because: 'why',
    operator_word: null,
  }) as IntentRow

const states = fc.constantFrom(...intentStates)
const doubts = fc.constantFrom('taken', 'answered', 'other', 'disputed')

describe('a doubt', () => {
  test('outlasts lost attempts and refusals', () => {
    fc.assert(
      fc.property(states, doubts, fc.constantFrom<Verdict>(lost, refused), states, (before, doubt, verdict, after) => {
        fc.pre(after !== 'accepted' && after !== 'exists')
        expect(sumAfterAttempt(row(before, doubt), after, verdict)).toBe(doubt)
      }),
    )
  })

  test('is brought by a taken id, and by an answer with another sum, whatever stood before', () => {
    fc.assert(
      fc.property(states, fc.option(doubts), (before, doubt) => {
        expect(sumAfterAttempt(row(before, doubt), 'refused', duplicate)).toBe('taken')
        expect(sumAfterAttempt(row(before, doubt), 'unknown', otherSum)).toBe('answered')
      }),
    )
  })

  test('is ended by no read, but that of another sum by the right one of a payment that was executed', () => {
    fc.assert(
      fc.property(states, doubts, fc.option(fc.constant('amount is 99.00')), (state, doubt, differs) => {
        const after = { ...row(state, doubt), ...applySumRead(row(state, doubt), differs) }
        const isAgreed = doubt === 'other' && differs === null && (state === 'accepted' || state === 'exists')
        expect(hasConflict(after)).toBe(!isAgreed)
        if (doubt !== 'other') expect(after.sum_confirmed).toBe(doubt)
      }),
    )
  })

  test('is ended by no evidence, but by the operator and by a transaction that was named', () => {
    fc.assert(
      fc.property(states, doubts, fc.constantFrom('exists', 'refused'), fc.boolean(), (state, doubt, end, isSum) => {
        const before = row(state, doubt)
        const kept = closeIntent(before, end, 'a read', { sumConfirmed: isSum })
        expect(hasConflict({ ...before, ...kept })).toBe(true)
        expect(kept.because).toBe('why')
        expect(hasConflict({ ...before, ...closeIntent(before, end, 'the bank says so', { byOperator: true }) })).toBe(
          false,
        )
        // Of two ends that contradict each other, a transaction ends the doubt where it is paid.
        const named = (status: string) => ({ sumConfirmed: true, seen: { ...accepted, status } })
        const isEnded = (status: string) =>
          !hasConflict({ ...before, ...closeIntent(before, 'accepted', 'compared', named(status)) })
        expect(isEnded('SUCCESS')).toBe(true)
        expect(isEnded('FAILED')).toBe(doubt !== 'disputed')
      }),
    )
  })
})

test('an acceptance ends a conflict, and no other doubt', () => {
  expect(sumAfterAttempt(row('refused', 'taken'), 'accepted', accepted)).toBe('yes')
  expect(sumAfterAttempt(row('unknown', null), 'accepted', accepted)).toBe('yes')
  for (const doubt of ['answered', 'other', 'disputed'])
    expect(sumAfterAttempt(row('unknown', doubt), 'accepted', accepted)).toBe(doubt)
})

test.each(['refused', 'unsent', 'turned-away', 'held'] as const)(
  'a read that shows one that is %s makes it a conflict',
  (state) => {
    const seen = applySumRead(row(state, null), null)
    expect(seen && isTaken({ ...row(state, null), ...seen })).toBe(true)
    expect(seen?.because).toContain('a read shows that the service has this id')
  },
)

test('a read of the right sum confirms what was executed, and nothing that is unknown', () => {
  expect(applySumRead(row('exists', 'no'), null)).toEqual({ sum_confirmed: 'yes' })
  expect(applySumRead(row('unknown', null), null)).toBeNull()
})

test.each([
  ['amount is 99.00, not 12.50; currency is USD, not GEL', 'another sum: amount'],
  ['initialCurrency is USD, not GEL', 'another sum: initialCurrency'],
  ['toIban is GE00, not GE29', 'another sum or beneficiary: toIban'],
  ['amount is 99.00, not 12.50; beneficiaryName is Nana, not Nino', 'another sum or beneficiary: amount'],
])('%s', (otherSum, words) => {
  const said = describeReason('unknown', { kind: 'unknown', why: 'x', words: null, otherSum })
  expect(said).toContain(`the answer tells of ${words}`)
})
