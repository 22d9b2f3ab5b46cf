import { expect, test } from 'vitest'
import type { HttpAnswer } from '../../../../src/lib/http/message.ts'
import { type AnswerFaultKind, injectFault } from '../../../../src/lib/sandbox/faults.ts'

const answer: HttpAnswer = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"a":1}' }

const written: [AnswerFaultKind, number, string][] = [
  ['html502', 502, 'text/html; charset=utf-8'],
  ['json500', 500, 'application/json'],
  ['garbage', 200, 'application/json'],
  ['401', 401, 'application/json'],
  ['429', 429, 'application/json'],
]

for (const [kind, status, type] of written) {
  test(`${kind} puts another answer in the place of the true one`, () => {
    for (const given of [answer, null]) {
      const end = injectFault(kind, given, 'documented')
      if (end.kind !== 'answered') throw new Error('broken')
      expect([end.answer.status, end.answer.headers['content-type']]).toEqual([status, type])
      expect(end.answer.body).not.toContain(answer.body)
    }
  })
}

test('each false answer says what it is told to', () => {
  const body = (kind: AnswerFaultKind) => {
    const end = injectFault(kind, answer, 'documented')
    return end.kind === 'answered' ? end.answer : answer
  }
  expect(JSON.parse(body('json500').body)).toEqual({ message: 'General failure', statusCode: 5040 })
  expect(JSON.parse(body('401').body).statusCode).toBe(5021)
  expect(body('429').headers['retry-after']).toBe('1')
  expect(() => JSON.parse(body('garbage').body)).toThrow()
})

test('areas B to D have a general failure of their own, and a 401 without a code', () => {
  for (const area of ['B', 'C', 'D'] as const) {
    const [failure, unauthenticated] = (['json500', '401'] as const).map((kind) =>
      injectFault(kind, answer, 'documented', area),
    )
    expect(failure).toMatchObject({ answer: { status: 500 } })
    expect(JSON.parse(failure?.kind === 'answered' ? failure.answer.body : '')).toEqual({
      ...{ message: 'General failure', statusCode: 6054, exceptionGroup: 6 },
    })
    expect(unauthenticated).toEqual({
      kind: 'answered',
      answer: { status: 401, headers: { 'content-type': 'application/json' }, body: '{"message":"Unauthorized"}' },
    })
  }
})

test('reset, hang, truncate and half-written break the connection; one that comes in half keeps the true answer, or a made-up one', () => {
  expect(injectFault('reset', answer, 'documented')).toEqual({ kind: 'broken', how: 'reset' })
  expect(injectFault('hang', null, 'documented')).toEqual({ kind: 'broken', how: 'hang' })
  expect(injectFault('truncate', answer, 'documented')).toEqual({ kind: 'broken', how: 'truncate', answer })
  expect(injectFault('half-written', answer, 'documented')).toEqual({ kind: 'broken', how: 'half-written', answer })
  expect(injectFault('truncate', null, 'documented')).toMatchObject({ how: 'truncate', answer: { status: 200 } })
})
