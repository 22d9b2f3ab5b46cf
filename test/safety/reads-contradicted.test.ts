/** A read that contradicts itself, or reports an error, is no answer: it ends no wait, and resolves no write whose answer was lost. */
import { expect, test } from 'vitest'
import { writeJson } from '../../src/lib/json.ts'
import { foreignOrder, handDesk, handOrder, handPayout, json, type Said } from '../kit/service.ts'
import { failures, type HandWrite, type Members, number, plain, readingOf, sealedWrites } from '../kit/verdict.ts'

const order = { integratorOrderId: handOrder, uniqueId: handOrder }

const contrary: readonly Members[] = [
  { status: 'SUCCESS', error: 'stale' },
  { status: 'SUCCESS', Status: 'FAILED' },
  { status: 'CANCELED', Status: 'SUCCESS' },
  { status: 'CANCELED', error: 'cannot tell' },
  { status: 'SUCCESS', StatusCode: number(6005) },
  { status: 'SUCCESS', UniqueId: foreignOrder, IntegratorOrderId: foreignOrder },
  { status: 'SUCCESS', value: { status: 'FAILED' } },
]

const why = /beside its success|reports an error|wrong shape/

const details = {
  ...{ transactionId: number(4711), status: 'SUCCESS', amount: number('12.5'), currency: 'GEL' },
  ...{ toIban: 'GE29NB0000000101904917', uniqueId: handOrder },
  ...{ createdAt: '2026-11-20T10:00:00', paymentDescription: 'Salary' },
}

const ofPayouts: Readonly<Record<string, Members>> = {
  'two statuses': { value: { ...details, Status: 'FAILED' } },
  'an error': { value: { ...details, error: 'not found' } },
  'a list of errors': { value: { ...details, errors: ['x'] } },
  'a code': { value: { ...details, StatusCode: number(5040) } },
  'two amounts': { value: { ...details, Amount: number(99) } },
  'two ids': { value: { ...details, UniqueId: foreignOrder } },
  'another status beside its value': { Status: 'FAILED', value: details },
  'another transaction beside its value': { transactionId: number(999), value: details },
}

const inWords = (members: Members) => writeJson(members).slice(1, -1)

const readings: readonly (readonly [operation: string, answer: string, said: Said])[] = [
  ...['order.status', 'wallet.details'].flatMap((name) =>
    contrary.map((more) => [name, inWords(more), { value: { ...order, ...more } }] as const),
  ),
  ...failures.map(
    (failure) =>
      [
        'order.status',
        `SUCCESS and ${inWords(failure)}`,
        { value: { ...order, status: 'SUCCESS', ...failure } },
      ] as const,
  ),
  ['order.status', 'FAILED and an errorCode', { value: { ...order, status: 'FAILED', errorCode: number(5038) } }],
  ...Object.entries(ofPayouts).map(([answer, body]) => ['payout.get', answer, plain(body, 200)] as const),
]

test.each(readings)('%s: an answer with %s shows nothing', async (operation, _answer, said) => {
  expect(await readingOf(operation, said)).toMatch(why)
})

const harmless = { message: null, success: true, statusCode: null, error: null }

test('payout.get: members of which nothing is known leave an answer what it is', async () => {
  const value = { ...details, statusDescription: 'FAILED before', result: { status: 'FAILED' }, ...harmless }
  expect(await readingOf('payout.get', plain({ ...harmless, value }, 200))).toMatchObject({ status: 'SUCCESS' })
})

const unknown = { code: 9, stdout: '', error: { moneyMoved: 'unknown' } }
const lost = { plain: 'reset' } as const

const readable = (shown: Members) =>
  handDesk(({ name }) => (/^(?:order.status|wallet.details)$/.test(name) ? { value: { ...order, ...shown } } : lost))

test.each([
  ['order create', contrary[0]],
  ['order complete', contrary[2]],
  ['order cancel', contrary[3]],
  ['wallet finalize', contrary[7]],
  ['wallet cancel', contrary[4]],
] as const)('%s: a lost answer stays unknown (9) beside a read that shows %o', async (name, shown = {}) => {
  const desk = await readable(shown)
  const write: HandWrite = sealedWrites[name]
  const ended = await desk.run(...write.argv(desk.home))
  expect(ended, ended.stdout).toMatchObject(unknown)
  expect((await desk.run('resume', String(ended.error.journalId))).code).toBe(9)
})

test.each([
  ['order', 'wait'],
  ['order', 'status'],
  ['wallet', 'details'],
])('%s %s: an answer with two statuses ends with 9, and says why', async (...words) => {
  const desk = await readable({ status: 'SUCCESS', Status: 'FAILED' })
  const ended = await desk.run(...words, handOrder)
  expect(ended, ended.stdout).toMatchObject(unknown)
  expect(ended.error.message).toMatch(why)
})

test('payout get and payout wait: details with two statuses end with 9, and say why', async () => {
  const desk = await handPayout(({ path }) => {
    if (path !== '/api/distributor/details') return undefined
    return json({ value: { transactionId: 4711, status: 'SUCCESS', Status: 'FAILED', uniqueId: handOrder } })
  })
  expect((await desk.pay()).code).toBe(0)
  for (const argv of [
    ['payout', 'wait', handOrder],
    ['payout', 'get', '4711'],
  ]) {
    const ended = await desk.run(...argv)
    expect(ended, ended.stdout).toMatchObject(unknown)
    expect(ended.error.message).toMatch(why)
  }
})
