/** A read that contradicts itself is no answer: it settles no write, ends no wait, and the command says why. */
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import { json } from '../kit/service/service-by-hand.ts'

const number = (value: number) => new JsonNumber(String(value))
const lost = { plain: 'reset' } as const

const contrary: readonly Readonly<Record<string, unknown>>[] = [
  { status: 'SUCCESS', error: 'stale' },
  { status: 'SUCCESS', success: false },
  { status: 'SUCCESS', Status: 'FAILED' },
  { status: 'CANCELED', Status: 'SUCCESS' },
  { status: 'CANCELED', error: 'cannot tell' },
  { status: 'SUCCESS', StatusCode: number(6005) },
  { status: 'SUCCESS', UniqueId: foreignOrder, IntegratorOrderId: foreignOrder },
  { status: 'SUCCESS', value: { status: 'FAILED' } },
  { status: 'SUCCESS', amount: number(5), Amount: number(99) },
]

const writes: Readonly<Record<string, readonly string[]>> = {
  'a charge': [
    ...['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder],
    ...['--integrator-order-id', handOrder, '--yes'],
  ],
  'a completion': ['order', 'complete', handOrder, '--amount', '5', '--yes'],
  'a cancellation': ['order', 'cancel', handOrder, '--yes'],
  'a finalize': [
    ...['wallet', 'finalize', '--unique-id', handOrder, '--amount', '5', '--final-status', 'SUCCESS', '--yes'],
  ],
  'a deletion': ['wallet', 'cancel', handOrder, '--yes'],
}

const reads: readonly string[] = ['order.status', 'wallet.details']

const readable = (shown: object) =>
  handDesk(({ name }) =>
    reads.includes(name) ? { value: { integratorOrderId: handOrder, uniqueId: handOrder, ...shown } } : lost,
  )

describe.each(contrary)('a read that shows %o', (shown) => {
  test.each(Object.entries(writes))('does not settle %s whose answer was lost', async (_write, argv) => {
    const desk = await readable(shown)
    const ended = await desk.run(...argv)
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    const resumed = await desk.run('resume', String(ended.error.journalId))
    expect(resumed.code, resumed.stdout).toBe(9)
  })

  test.each([
    ['order', 'wait', handOrder],
    ['order', 'status', handOrder],
    ['wallet', 'details', handOrder],
  ])('is no answer to %s %s', async (...argv) => {
    const desk = await readable(shown)
    const ended = await desk.run(...argv)
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    expect(ended.error.message).toMatch(/contradicts itself|speaks of an error|statusCode/)
  })
})

describe('the details of a payout', () => {
  const good = {
    transactionId: 4711,
    status: 'SUCCESS',
    amount: 12.5,
    currency: 'GEL',
    toIban: 'GE29NB0000000101904917',
  }
  const details = { ...good, uniqueId: handOrder, createdAt: '2026-11-20T10:00:00', paymentDescription: 'Salary' }

  async function read(body: object) {
    const desk = await handPayout(({ path }) => {
      if (path === '/api/distributor') return json({ transactionId: 4711, status: 'INITIAL', uniqueId: handOrder })
      return path === '/api/distributor/details' ? json(body) : undefined
    })
    expect((await desk.pay()).code).toBe(0)
    return [await desk.run('payout', 'wait', handOrder), await desk.run('payout', 'get', '4711')]
  }

  test.each<readonly [string, object]>([
    ['two statuses', { value: { ...details, Status: 'FAILED' } }],
    ['an error', { value: { ...details, error: 'not found' } }],
    ['errors', { value: { ...details, errors: ['x'] } }],
    ['no success', { value: { ...details, success: false } }],
    ['no success beside it', { success: false, value: details }],
    ['a code', { value: { ...details, StatusCode: 5040 } }],
    ['two amounts', { value: { ...details, Amount: 99 } }],
    ['two ids', { value: { ...details, UniqueId: foreignOrder } }],
    ['another status beside it', { Status: 'FAILED', value: details }],
    ['another transaction beside it', { transaction_id: 999, value: details }],
  ])('that show %s are no answer', async (_shape, body) => {
    for (const ended of await read(body)) {
      expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
      expect(ended.error.message).toMatch(/contradicts itself|speaks of an error|statusCode/)
    }
  })

  test('are one beside members that contradict nothing', async () => {
    const more = { message: null, success: true, statusCode: 200, errors: [], error: null }
    const value = { ...details, Status: 'Success', statusDescription: 'FAILED before', Amount: '12.50', ...more }
    for (const ended of await read({ status: 'OK', ...more, value })) expect(ended.code, ended.stderr).toBe(0)
  })
})
