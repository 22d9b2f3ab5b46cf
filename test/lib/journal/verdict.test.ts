import { describe, expect, test } from 'vitest'
import {
  type AttemptOutcome,
  mayBeMended,
  outcomeOf,
  type State,
  stateAfter,
  type Verdict,
} from '../../../src/lib/journal/verdict.ts'

const words = { http: 400, statusCode: 5038, exceptionGroup: null, message: null }
const accepted: Verdict = {
  kind: 'accepted',
  transactionId: '7',
  status: 'INITIAL',
  statusDescription: null,
  createdAt: null,
  answer: null,
}
const duplicate: Verdict = { kind: 'duplicate', words }
/** Refused, and read as what was asked for: another write may have done it. */
const shown = (isDone: boolean): Verdict => ({
  ...{ kind: 'duplicate', words },
  shown: { status: 'REFUND_REQUESTED', because: 'order.status reads REFUND_REQUESTED', isDone },
})
const refused: Verdict = { kind: 'refused', words, bodyOnly: false, status: null }
const badBody: Verdict = { kind: 'refused', words, bodyOnly: true, status: null }
const busy: Verdict = { kind: 'turned-away', by: 'rate', words, wait: 1_000 }
const badToken: Verdict = { kind: 'turned-away', by: 'token', words, wait: null }
const redirect: Verdict = { kind: 'turned-away', by: 'redirect', words, wait: null }
const unsent: Verdict = { kind: 'unsent', why: 'refused port' }
const lost: Verdict = { kind: 'unknown', why: 'reset', words: null }

type Past = readonly (AttemptOutcome | null)[]

const attempts = (past: Past) => past.map((outcome) => ({ outcome }))

describe('the first attempt', () => {
  test.each<[string, Verdict, AttemptOutcome, State]>([
    ['an acceptance', accepted, 'accepted', 'accepted'],
    ['a refusal', refused, 'refused', 'refused'],
    ['a refusal of the body', badBody, 'refused', 'refused'],
    ['5017: a conflict, for no byte of ours ever left', duplicate, 'refused', 'refused'],
    ['what another one may have done: a conflict', shown(false), 'refused', 'refused'],
    ['what is done, whoever did it', shown(true), 'exists', 'exists'],
    ['429', busy, 'turned-away', 'turned-away'],
    ['a token that is not taken', badToken, 'turned-away', 'turned-away'],
    ['a redirect', redirect, 'turned-away', 'turned-away'],
    ['no connection', unsent, 'unsent', 'unsent'],
    ['a lost answer', lost, 'unknown', 'unknown'],
  ])('%s', (_what, verdict, outcome, state) => {
    expect([outcomeOf([], verdict), stateAfter([], verdict)]).toEqual([outcome, state])
  })
})

describe('after earlier attempts', () => {
  test.each<[string, Past, Verdict, AttemptOutcome, State]>([
    ['a lost first answer followed by 5038 stays unknown', ['unknown'], refused, 'refused', 'unknown'],
    ['a crash followed by 5038 stays unknown', [null], refused, 'refused', 'unknown'],
    ['a lost answer, 5038, and 5038 again stay unknown', ['unknown', 'refused'], refused, 'refused', 'unknown'],
    ['a lost answer followed by a refusal of the body is refused', ['unknown'], badBody, 'refused', 'refused'],
    ['a crash followed by a refusal of the body is refused', [null], badBody, 'refused', 'refused'],
    ['a lost answer followed by 5017 exists', ['unknown'], duplicate, 'exists', 'exists'],
    ['a crash followed by 5017 exists', [null], duplicate, 'exists', 'exists'],
    ['a lost answer, 5038, then 5017 exist', ['unknown', 'refused'], duplicate, 'exists', 'exists'],
    [
      'a lost answer followed by what another one may have done stays unknown',
      ['unknown'],
      shown(false),
      'refused',
      'unknown',
    ],
    ['a crash followed by what another one may have done stays unknown', [null], shown(false), 'refused', 'unknown'],
    ['a lost answer followed by what is done, whoever did it, exists', ['unknown'], shown(true), 'exists', 'exists'],
    ['a lost answer followed by an acceptance is accepted', ['unknown'], accepted, 'accepted', 'accepted'],
    ['a lost answer followed by 429 stays unknown', ['unknown'], busy, 'turned-away', 'unknown'],
    ['a lost answer followed by a bad token stays unknown', ['unknown'], badToken, 'turned-away', 'unknown'],
    ['a lost answer followed by no connection stays unknown', ['unknown'], unsent, 'unsent', 'unknown'],
    ['two lost answers are unknown', ['unknown'], lost, 'unknown', 'unknown'],
    [
      '429, then 5017, is a conflict: what was turned away was not applied',
      ['turned-away'],
      duplicate,
      'refused',
      'turned-away',
    ],
    ['429, no connection, then 5017 are a conflict', ['turned-away', 'unsent'], duplicate, 'refused', 'turned-away'],
    ['429, a lost answer, then 5017 exist', ['turned-away', 'unknown'], duplicate, 'exists', 'exists'],
    ['429 twice is turned away', ['turned-away'], busy, 'turned-away', 'turned-away'],
    ['429 followed by 5038 is refused', ['turned-away'], refused, 'refused', 'refused'],
    ['429 followed by no connection is still turned away', ['turned-away'], unsent, 'unsent', 'turned-away'],
    ['a bad token followed by an acceptance is accepted', ['turned-away'], accepted, 'accepted', 'accepted'],
    ['5017 at first, and again on the next run, is still a conflict', ['refused'], duplicate, 'refused', 'refused'],
    ['5017 a third time is still a conflict', ['refused', 'refused'], duplicate, 'refused', 'refused'],
    ['no connection followed by 5017 is a conflict', ['unsent'], duplicate, 'refused', 'refused'],
    ['a refusal, no connection, then 5017 are a conflict', ['refused', 'unsent'], duplicate, 'refused', 'refused'],
    ['a refusal followed by a lost answer is unknown', ['refused'], lost, 'unknown', 'unknown'],
    ['a refusal, a lost answer, then 5038 are unknown', ['refused', 'unknown'], refused, 'refused', 'unknown'],
    ['no connection followed by an acceptance is accepted', ['unsent', 'unsent'], accepted, 'accepted', 'accepted'],
    ['no connection twice is unsent', ['unsent'], unsent, 'unsent', 'unsent'],
    ['a refusal followed by no connection is unsent', ['refused'], unsent, 'unsent', 'unsent'],
  ])('%s', (_what, past, verdict, outcome, state) => {
    expect([outcomeOf(attempts(past), verdict), stateAfter(attempts(past), verdict)]).toEqual([outcome, state])
  })
})

describe('mending the body', () => {
  test.each<[string, Past, boolean]>([
    ['nothing was tried', [], true],
    ['unsent only', ['unsent', 'unsent'], true],
    ['refused only', ['refused'], true],
    ['refused and unsent', ['refused', 'unsent', 'refused'], true],
    ['a lost answer', ['unknown'], false],
    ['a crash', [null], false],
    ['a lost answer and a refusal of the body after it', ['unknown', 'refused'], false],
    ['turned away, which is no proof', ['turned-away'], false],
    ['accepted', ['accepted'], false],
    ['exists', ['unknown', 'exists'], false],
  ])('%s', (_what, past, mendable) => {
    expect(mayBeMended(attempts(past))).toBe(mendable)
  })
})

describe('whatever happened before, up to four attempts long', () => {
  const outcomes: Past = [null, 'unknown', 'refused', 'turned-away', 'unsent']
  const verdicts = [accepted, duplicate, refused, badBody, busy, badToken, redirect, unsent, lost]
  const histories: Past[] = [[]]
  for (let from = 0; from < histories.length; from += 1) {
    const history = histories[from] ?? []
    if (history.length < 4) histories.push(...outcomes.map((outcome) => [...history, outcome]))
  }
  const all = histories.flatMap((past) => verdicts.map((verdict) => ({ past: attempts(past), verdict })))
  const open = (past: readonly { outcome: AttemptOutcome | null }[]) =>
    past.some(({ outcome }) => outcome === null || outcome === 'unknown')

  test('an open attempt is resolved by an acceptance, 5017 or a refusal of the body, and by nothing else', () => {
    for (const { past, verdict } of all.filter(({ past }) => open(past))) {
      const resolves =
        verdict === accepted
          ? 'accepted'
          : verdict === duplicate
            ? 'exists'
            : verdict === badBody
              ? 'refused'
              : 'unknown'
      expect(stateAfter(past, verdict)).toBe(resolves)
    }
  })

  test('no answer is never a refusal, and never said to be unsent', () => {
    for (const { past } of all) expect(stateAfter(past, lost)).toBe('unknown')
  })

  test('an acceptance is always accepted', () => {
    for (const { past } of all)
      expect([outcomeOf(past, accepted), stateAfter(past, accepted)]).toEqual(['accepted', 'accepted'])
  })

  test('a body is mended only where 5017 would be a conflict with another client', () => {
    for (const { past } of all) if (mayBeMended(past)) expect(outcomeOf(past, duplicate)).toBe('refused')
  })

  test('5017 is a conflict unless an attempt of ours is without a definite answer', () => {
    for (const { past } of all) {
      const away = past.some(({ outcome }) => outcome === 'turned-away')
      expect(stateAfter(past, duplicate)).toBe(open(past) ? 'exists' : away ? 'turned-away' : 'refused')
      expect(outcomeOf(past, duplicate)).toBe(open(past) ? 'exists' : 'refused')
    }
  })
})
