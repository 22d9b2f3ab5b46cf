import { describe, expect, test } from 'vitest'
import { create, createToReceiver } from '../../kit/payment.ts'
import { hurriedClock, impatient } from '../../kit/program/hurried.ts'
import { newHome, paydesk } from '../../kit/program/paydesk.ts'
import { addHandProfile, serviceByHand } from '../../kit/service/service-by-hand.ts'
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

describe('payout get', () => {
  test('finds a payout by transactionId, uniqueId, journal id and key', async () => {
    const home = newHome()
    const made = await paydesk([...create({ key: 'emp-17' }), '--json'], { home })
    const { transactionId, uniqueId, journalId } = made.json as Record<string, string>
    for (const id of [transactionId, uniqueId, uniqueId?.toUpperCase(), journalId, 'emp-17']) {
      const ended = await paydesk(['payout', 'get', String(id), '-p', 'sandbox', '--json'], { home })
      expect(ended.code, `${id}: ${ended.stderr}`).toBe(0)
      expect(ended.json).toMatchObject({ transactionId, uniqueId, journalId })
    }
  })

  test('shows all ten fields of A2, commission among them, digit for digit', async () => {
    const home = newHome()
    const made = await paydesk([...create(), '--json'], { home })
    const ended = await paydesk(['payout', 'get', String(made.json.transactionId), '-p', 'sandbox', '--json'], { home })
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

  test('as a table shows them in the order of the specification', async () => {
    const home = newHome()
    const made = await paydesk([...create(), '--json'], { home })
    const ended = await paydesk(['payout', 'get', String(made.json.transactionId), '-p', 'sandbox'], { home })
    expect(ended.stdout.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual([
      'transactionId',
      'status',
      'statusDescription',
      'amount',
      'toIban',
      'currency',
      'paymentDescription',
      'uniqueId',
      'createdAt',
      'commissionAmount',
      'journal',
      'profile',
      '',
    ])
  })

  test('has no commissionAmount where the service sent none', async () => {
    const home = newHome()
    const made = await paydesk([...createToReceiver(), '--json'], { home })
    const argv = ['payout', 'get', String(made.json.transactionId), '-p', 'sandbox-receiver']
    const ended = await paydesk([...argv, '--json'], { home })
    expect(ended.json).not.toHaveProperty('commissionAmount')
    expect((await paydesk(argv, { home })).stdout).not.toContain('commissionAmount')
  })

  test('shows createdAt as it came, unknown members, and an unknown status', async () => {
    const home = newHome()
    const service = await serviceByHand(({ path }) =>
      path === '/api/distributor/details'
        ? {
            body: bodyOf({
              value: { ...details, status: 'ON_HOLD', createdAt: '20.11.2026 10:00', bank: { bic: 'X' } },
            }),
          }
        : undefined,
    )
    await addHandProfile(home, service.url)
    const ended = await paydesk(['payout', 'get', '9007199254740993', '-p', 'hand', '--json'], { home })
    expect(ended.code, ended.stderr).toBe(0)
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

  test('reads a flat answer like a wrapped one', async () => {
    const home = newHome()
    const service = await serviceByHand(({ path }) =>
      path === '/api/distributor/details' ? { body: bodyOf(details) } : undefined,
    )
    await addHandProfile(home, service.url)
    const ended = await paydesk(['payout', 'get', '9007199254740993', '-p', 'hand', '--json'], { home })
    expect(ended.json).toMatchObject({ transactionId: '9007199254740993', amount: 12.5 })
  })

  test('shows what could repaint a terminal as code points, and keeps it in JSON', async () => {
    const home = newHome()
    const statusDescription = 'paid\r\u001b[2Jnot \u202epaid'
    const service = await serviceByHand(({ path }) =>
      path === '/api/distributor/details' ? { body: bodyOf({ ...details, statusDescription }) } : undefined,
    )
    await addHandProfile(home, service.url)
    const table = await paydesk(['payout', 'get', '9007199254740993', '-p', 'hand'], { home })
    expect(table.stdout).toContain('paid<U+000D><U+001B>[2Jnot <U+202E>paid')
    const exact = await paydesk(['payout', 'get', '9007199254740993', '-p', 'hand', '--json'], { home })
    expect(exact.json.statusDescription).toBe(statusDescription)
  })

  test('of a payout that failed is 0: the read worked', async () => {
    const home = newHome()
    const clock = hurriedClock()
    const made = await paydesk([...create({ description: 'sandbox:failed' }), '--json'], { home, clock })
    clock.skip(3000)
    const ended = await paydesk(['payout', 'get', String(made.json.journalId), '-p', 'sandbox', '--json'], {
      home,
      clock,
    })
    expect(ended).toMatchObject({ code: 0, json: { status: 'FAILED' } })
  })

  test('of an unknown number is 6, of a text that can be no id 2, of an id the journal does not know 6', async () => {
    const home = newHome()
    const get = (id: string) => paydesk(['payout', 'get', id, '-p', 'sandbox', '--json'], { home })
    expect((await get('1')).code).toBe(6)
    expect((await get('1')).error).toMatchObject({ name: 'not-found', service: { http: 404, statusCode: 5040 } })
    expect((await get('12x')).code).toBe(2)
    expect((await get('j-000000000000')).code).toBe(6)
    expect((await get('0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11')).code).toBe(6)
  })

  test("of another client's payout is 6", async () => {
    const home = newHome()
    const made = await paydesk([...create(), '--json'], { home })
    const ended = await paydesk(['payout', 'get', String(made.json.transactionId), '-p', 'sandbox-receiver'], { home })
    expect(ended.code).toBe(6)
    expect(
      (await paydesk(['payout', 'get', String(made.json.journalId), '-p', 'sandbox-receiver'], { home })).code,
    ).toBe(6)
  })

  test('of an unknown payout is 9 and names the resume; of a refused one 6', async () => {
    const home = newHome()
    await addFault(home, { at: 'after', kind: 'reset', times: 99 })
    const around = { home, clock: hurriedClock(), random: impatient }
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

  test('is repeated after an answer that got lost', async () => {
    const home = newHome()
    const made = await paydesk([...create(), '--json'], { home })
    for (const kind of ['reset', 'html502', 'truncate', 'garbage', '401', '429', 'json500'] as const) {
      await addFault(home, { op: 'payout.get', at: 'after', kind })
      const ended = await paydesk(['payout', 'get', String(made.json.transactionId), '-p', 'sandbox', '--json'], {
        home,
        clock: hurriedClock(),
        random: impatient,
      })
      expect(ended.code, `${kind}: ${ended.stderr}`).toBe(0)
    }
  })

  test('that gets no answer at all is 9: asking moved nothing, and the payout stays unknown', async () => {
    const home = newHome()
    await addFault(home, { op: 'payout.get', at: 'before', kind: 'reset', times: 99 })
    const ended = await paydesk(['payout', 'get', '1', '-p', 'sandbox', '--json'], {
      home,
      clock: hurriedClock(),
      random: impatient,
    })
    expect(ended.code).toBe(9)
    expect(ended.error).toMatchObject({ operation: 'payout.get', moneyMoved: 'unknown' })
  })
})
