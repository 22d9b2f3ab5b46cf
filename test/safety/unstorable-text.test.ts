/**
 * A text of the service that a database does not keep: SQLite would give a NUL back shorter, and half of a surrogate
 * pair, which JSON may have as an escape, is no UTF-8.
 */
import { expect, test } from 'vitest'
import { handPayout } from '../kit/service.ts'

const texts = [
  ['a NUL', 'no\\u0000thing'],
  ['half of a surrogate pair', 'x\\ud800y'],
] as const

const answers = [
  ['a refusal', 5, 400, (text: string) => `{"message":"${text}","statusCode":5042}`],
  ['an error', 9, 500, (text: string) => `{"message":"${text}","statusCode":5040}`],
  [
    'an acceptance',
    0,
    200,
    (text: string, uniqueId: string) =>
      `{"transactionId":4711,"status":"INITIAL","statusDescription":"${text}","uniqueId":"${uniqueId}","createdAt":"${text}"}`,
  ],
] as const

const cases = texts.flatMap(([what, text]) =>
  answers.map(([where, code, status, body]) => [what, where, code, status, (id: string) => body(text, id)] as const),
)

test.each(cases)('payout create, %s in %s: ends with %i, verified', async (_what, _where, code, status, body) => {
  const desk = await handPayout((seen) =>
    seen.path === '/api/distributor' ? { status, body: body(String(JSON.parse(seen.body).uniqueId)) } : undefined,
  )
  const first = await desk.pay()
  expect(first.code, first.stderr).toBe(code)
  const again = await desk.pay()
  expect(again.code, again.stderr).toBe(code)
  if (code === 0) expect(again.json, again.stderr).toMatchObject({ replayed: true, transactionId: '4711' })
  const verified = await desk.run('journal', 'verify')
  expect(verified, verified.stderr).toMatchObject({ code: 0, json: { intact: true } })
})
