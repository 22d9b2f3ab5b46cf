/** A payment that was told as paid, and later as ended unpaid: one of the two is wrong, and it is never paid anew on that word. */
import { describe, expect, test } from 'vitest'
import { handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import { json } from '../kit/service/service-by-hand.ts'

const details = { amount: 12.5, currency: 'GEL', toIban: 'GE29NB0000000101904917', uniqueId: handOrder }
const shown = { ...details, paymentDescription: 'Salary, November', createdAt: '2026-11-20T10:00:00.123456789' }

/** A payout that the service answers and shows as these statuses say, one after the other. */
async function payout(answered: string, ...shows: readonly string[]) {
  let status = answered
  const left = [...shows]
  const desk = await handPayout(({ method, path }) => {
    if (method === 'POST' && path === '/api/distributor') {
      return json({ value: { transactionId: 4711, status, statusDescription: status, uniqueId: handOrder } })
    }
    if (method !== 'GET') return undefined
    status = left.shift() ?? status
    return json({ value: { ...shown, transactionId: 4711, status, statusDescription: status } })
  })
  expect((await desk.pay()).code).toBe(0)
  return desk
}

describe('a payout', () => {
  test.each([
    ['that was answered SUCCESS', 'SUCCESS', ['FAILED']],
    ['that was read as SUCCESS', 'INITIAL', ['SUCCESS', 'REJECTED']],
  ] as const)('%s is not denied by a later read of its end', async (_what, answered, shows) => {
    const desk = await payout(answered, ...shows)
    for (const _ of shows.slice(1)) expect((await desk.run('payout', 'get', '4711')).code).toBe(0)
    const ended = await desk.run('payout', 'wait', handOrder)
    expect(ended.code, ended.stderr).toBe(9)
    expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
    expect(ended.error.message).toContain(`answered SUCCESS, and shows the payout as ${shows.at(-1)} since`)
    expect(ended.error.hints).toContainEqual(expect.stringContaining('Never pay it anew'))
    // The same command again says what the service said first, and sends nothing.
    const again = await desk.pay()
    expect(again.code, again.stderr).toBe(0)
    expect([again.json.replayed, desk.creates()]).toEqual([true, 1])
  })

  test('that ended unpaid from the start is refused, as before', async () => {
    const desk = await payout('INITIAL', 'FAILED')
    const ended = await desk.run('payout', 'wait', handOrder)
    expect(ended.code, ended.stderr).toBe(5)
    expect(ended.error).toMatchObject({ moneyMoved: 'no' })
  })
})

test('an order that was read as paid is not denied by a later read of its end', async () => {
  let status = 'SUCCESS'
  const { run } = await handDesk(({ name, request }) => {
    const { integratorOrderId } = request
    if (name === 'order.create') return { value: { integratorOrderId, urlForQR: 'https://pay.example/1' } }
    return { value: { integratorOrderId, status } }
  })
  const made = await run('order', 'create', '--amount', '12.50', '--receiver-id', handOrder, '--key', 'o', '--yes')
  expect(made.code, made.stderr).toBe(0)
  expect((await run('order', 'wait', 'o')).code).toBe(0)
  status = 'FAILED'
  const ended = await run('order', 'wait', 'o')
  expect(ended.code, ended.stderr).toBe(9)
  expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
})

test('a question about a payout of another machine that the service refuses denies nothing', async () => {
  const refused = { statusCode: 5005, message: 'No permission', exceptionGroup: 1 }
  const desk = await handPayout(({ method }) => (method === 'GET' ? json(refused, 400) : undefined))
  const ended = await desk.run('payout', 'get', '4711')
  expect(ended.code, ended.stderr).not.toBe(0)
  expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
})
