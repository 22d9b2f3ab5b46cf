/** A service may have a NUL in a text: SQLite would give it back shorter, and the journal would look changed. */
import { expect, test } from 'vitest'
import { handPayout } from '../kit/service/hand-payout.ts'
import { json } from '../kit/service/service-by-hand.ts'

test('a NUL in what the service says leaves the journal whole', async () => {
  const desk = await handPayout(({ path }) =>
    path === '/api/distributor' ? json({ message: 'no\u0000thing', statusCode: 5042 }, 400) : undefined,
  )
  expect((await desk.pay()).code).toBe(5)
  const again = await desk.pay()
  expect(again.code, again.stderr).toBe(5)
  const listed = await desk.run('journal', 'list')
  expect(listed.code, listed.stderr).toBe(0)
})

test('a NUL in an acceptance does the same', async () => {
  const desk = await handPayout(({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const { uniqueId } = JSON.parse(body)
    const createdAt = '2026-11-20T10:00:00.123456789'
    return json({ transactionId: 4711, status: 'INITIAL', statusDescription: 'Crea\u0000ted', uniqueId, createdAt })
  })
  expect((await desk.pay()).code).toBe(0)
  const again = await desk.pay()
  expect(again.json, again.stderr).toMatchObject({ replayed: true, transactionId: '4711' })
})

// JSON may have half of a surrogate pair as an escape: no database keeps it.
const half = 'x\\ud800y'

test.each([
  ['a refusal', 5, 400, () => `{"message":"${half}","statusCode":5042}`],
  [
    'an acceptance',
    0,
    200,
    (uniqueId: string) =>
      `{"transactionId":4711,"status":"INITIAL","statusDescription":"${half}","uniqueId":"${uniqueId}","createdAt":"${half}"}`,
  ],
  ['an error', 9, 500, () => `{"message":"${half}","statusCode":5040}`],
] as const)('half of a surrogate pair in %s leaves the journal whole', async (_, code, status, body) => {
  const desk = await handPayout((seen) =>
    seen.path === '/api/distributor' ? { status, body: body(String(JSON.parse(seen.body).uniqueId)) } : undefined,
  )
  const first = await desk.pay()
  expect(first.code, first.stderr).toBe(code)
  const again = await desk.pay()
  expect(again.code, again.stderr).toBe(code)
  const verified = await desk.run('journal', 'verify')
  expect(verified, verified.stderr).toMatchObject({ code: 0, json: { intact: true } })
})
