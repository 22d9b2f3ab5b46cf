import { expect, test } from 'vitest'
import { impatient, stillClock } from '../../kit/clock.ts'
import { create } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { addHandProfile, serviceByHand } from '../../kit/service.ts'
import { addFault, clearFaults } from '../../kit/world.ts'

const details = {
  transactionId: 0,
  status: 'SUCCESS',
  statusDescription: 'Completed',
  amount: 12.5,
  toIban: 'GE29NB0000000101904917',
  currency: 'GEL',
  paymentDescription: 'Salary, November',
  uniqueId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
  createdAt: '2026-11-20T10:00:00.123456',
}

/** With a transactionId that JavaScript cannot write. */
const bodyOf = (value: object) => JSON.stringify(value).replace('"transactionId":0', '"transactionId":9007199254740993')

test('payout get: transactionId, uniqueId, journal id and key name the payout', async () => {
  const home = newHome()
  const made = await paydesk([...create({ key: 'emp-17' }), '--json'], { home })
  const { transactionId, uniqueId, journalId } = made.json as Record<string, string>
  for (const id of [transactionId, uniqueId, uniqueId?.toUpperCase(), journalId, 'emp-17']) {
    const ended = await paydesk(['payout', 'get', String(id), '-p', 'sandbox', '--json'], { home })
    expect(ended.code, `${id}: ${ended.stderr}`).toBe(0)
    expect(ended.json).toMatchObject({ transactionId, uniqueId, journalId })
  }
})

test('payout get --json: all ten fields are shown digit for digit, the commission among them', async () => {
  const around = { home: newHome(), clock: stillClock() }
  const made = await paydesk([...create(), '--json'], around)
  const ended = await paydesk(['payout', 'get', String(made.json.transactionId), '-p', 'sandbox', '--json'], around)
  expect(ended.stderr).toBe('')
  expect(ended.json).toEqual({
    transactionId: '100001',
    status: 'INITIAL',
    statusDescription: 'Created',
    amount: 12.5,
    toIban: 'GE29NB0000000101904917',
    currency: 'GEL',
    paymentDescription: 'Salary, November',
    uniqueId: made.json.uniqueId,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
    commissionAmount: 0.07,
    journalId: made.json.journalId,
    profile: 'sandbox',
    environment: 'sandbox',
    warnings: [],
  })
})

test('payout get: the table has the fields in the order of the specification', async () => {
  const home = newHome()
  const made = await paydesk([...create(), '--json'], { home })
  const ended = await paydesk(['payout', 'get', String(made.json.transactionId), '-p', 'sandbox'], { home })
  expect(ended.stdout.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual([
    ...['transactionId', 'status', 'statusDescription', 'amount', 'toIban', 'paymentDescription'],
    ...['uniqueId', 'createdAt', 'commissionAmount', 'journal', 'profile', ''],
  ])
  expect(ended.stdout).toMatch(/^commissionAmount +GEL 0\.\d\d$/m)
})

test('payout get: createdAt, unknown members and an unknown status are shown as they came', async () => {
  const home = newHome()
  const service = await serviceByHand(({ path }) =>
    path === '/api/distributor/details'
      ? {
          body: bodyOf({ value: { ...details, status: 'ON_HOLD', createdAt: '20.11.2026 10:00', bank: { bic: 'X' } } }),
        }
      : undefined,
  )
  await addHandProfile(home, service.url)
  const ended = await succeeds(paydesk(['payout', 'get', '9007199254740993', '-p', 'hand', '--json'], { home }))
  expect(ended.json).toMatchObject({
    transactionId: '9007199254740993',
    status: 'ON_HOLD',
    createdAt: '20.11.2026 10:00',
    bank: { bic: 'X' },
    journalId: null,
  })
  expect(service.seen.at(-1)?.query).toBe('?transaction_id=9007199254740993')
  const table = await paydesk(['payout', 'get', '9007199254740993', '-p', 'hand'], { home })
  expect(table.stdout).toMatch(/^status +ON_HOLD$/m)
  expect(table.stdout).toMatch(/^bank +\{"bic":"X"\}$/m)
})

test('payout get: characters that move a terminal are code points in tables, escapes in JSON, and never raw at a terminal', async () => {
  const home = newHome()
  const statusDescription = 'paid\r\u001b[2J\u009b2Jnot \u202epaid\u2066'
  const service = await serviceByHand(({ path }) =>
    path === '/api/distributor/details' ? { body: bodyOf({ ...details, statusDescription }) } : undefined,
  )
  await addHandProfile(home, service.url)
  const table = await paydesk(['payout', 'get', '9007199254740993', '-p', 'hand'], { home })
  const shown = 'paid<U+000D><U+001B>[2J<U+009B>2Jnot <U+202E>paid<U+2066>'
  expect(table.stdout).toContain(shown)
  const as = (form: string, terminal: boolean) =>
    paydesk(['payout', 'get', '9007199254740993', '-p', 'hand', '--output', form], { home, terminal })
  for (const form of ['json', 'ndjson']) {
    for (const terminal of [true, false]) {
      const { stdout, json } = await as(form, terminal)
      expect(json.statusDescription).toBe(statusDescription)
      expect(stdout).toContain('paid\\r\\u001b[2J\\u009b2Jnot \\u202epaid\\u2066')
    }
  }
  expect((await as('csv', false)).stdout).toContain(statusDescription)
  const { stdout } = await as('csv', true)
  expect(stdout).toContain(shown)
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

test('payout get: a failed payout is 0', async () => {
  const home = newHome()
  const clock = stillClock()
  const made = await paydesk([...create({ description: 'sandbox:failed' }), '--json'], { home, clock })
  clock.skip(3000)
  const ended = await paydesk(['payout', 'get', String(made.json.journalId), '-p', 'sandbox', '--json'], {
    home,
    clock,
  })
  expect(ended).toMatchObject({ code: 0, json: { status: 'FAILED' } })
})

test('payout get: an unknown transactionId, journal id or uniqueId is 6, and text that is no id 2', async () => {
  const home = newHome()
  const get = (id: string) => paydesk(['payout', 'get', id, '-p', 'sandbox', '--json'], { home })
  expect((await get('1')).code).toBe(6)
  expect((await get('1')).error).toMatchObject({ name: 'not-found', service: { http: 404, statusCode: 5040 } })
  expect((await get('12x')).code).toBe(2)
  expect((await get('j-000000000000')).code).toBe(6)
  expect((await get('0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11')).code).toBe(6)
})

test('payout get: a payout of another client is 6', async () => {
  const home = newHome()
  const made = await paydesk([...create(), '--json'], { home })
  const ended = await paydesk(['payout', 'get', String(made.json.transactionId), '-p', 'sandbox-receiver'], { home })
  expect(ended.code).toBe(6)
  expect((await paydesk(['payout', 'get', String(made.json.journalId), '-p', 'sandbox-receiver'], { home })).code).toBe(
    6,
  )
})

test('payout get: an unknown payout is 9 and names resume, and a refused one is 6', async () => {
  const home = newHome()
  await addFault(home, { at: 'after', kind: 'reset', times: 99 })
  const around = { home, clock: stillClock(), random: impatient }
  const lost = await paydesk([...create(), '--json'], around)
  await clearFaults(home)
  const unknown = await paydesk(['payout', 'get', String(lost.error.journalId), '-p', 'sandbox', '--json'], { home })
  expect(unknown.code).toBe(9)
  expect(String(unknown.error.hints)).toContain(`paydesk resume ${lost.error.journalId}`)
  const refused = await paydesk([...create({ amount: '0.01' }), '--json'], { home })
  expect(await paydesk(['payout', 'get', String(refused.error.journalId), '-p', 'sandbox'], { home })).toMatchObject({
    code: 6,
    stdout: '',
  })
})

test('payout get: a lost answer is followed by another read (0)', async () => {
  const home = newHome()
  const made = await paydesk([...create(), '--json'], { home })
  for (const kind of ['reset', 'html502', 'truncate', 'garbage', '401', '429', 'json500'] as const) {
    await addFault(home, { op: 'payout.get', at: 'after', kind })
    const ended = await paydesk(['payout', 'get', String(made.json.transactionId), '-p', 'sandbox', '--json'], {
      home,
      clock: stillClock(),
      random: impatient,
    })
    expect(ended.code, `${kind}: ${ended.stderr}`).toBe(0)
  }
})

test('payout get: without any answer it is 9, and the payout stays unknown', async () => {
  const home = newHome()
  await addFault(home, { op: 'payout.get', at: 'before', kind: 'reset', times: 99 })
  const ended = await paydesk(['payout', 'get', '1', '-p', 'sandbox', '--json'], {
    home,
    clock: stillClock(),
    random: impatient,
  })
  expect(ended.code).toBe(9)
  expect(ended.error).toMatchObject({ operation: 'payout.get', moneyMoved: 'unknown' })
})
