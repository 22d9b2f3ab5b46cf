import { expect, test } from 'vitest'
import { impatient, stillClock } from '../../kit/clock.ts'
import { create, createToReceiver } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { handOrder, handPayout, json } from '../../kit/service.ts'

const place = () => ({ home: newHome(), clock: stillClock(), random: impatient })
const shown = {
  amount: 12.5,
  currency: 'GEL',
  toIban: 'GE29NB0000000101904917',
  uniqueId: handOrder,
  transactionId: 4711,
}
const details = {
  ...shown,
  paymentDescription: 'Salary, November',
  createdAt: '2026-11-20T10:00:00.123456',
  status: 'INITIAL',
}

/** A payout that the service shows with other members than it was sent with. */
function differing(members: object) {
  return handPayout(({ method }) =>
    method === 'GET' ? json({ value: { ...details, statusDescription: '', ...members } }) : undefined,
  )
}

test('payout diff: an IBAN in groups and a currency in small letters do not differ', async () => {
  const desk = await differing({ toIban: 'ge29 NB00 0000 0101 9049 17', currency: 'gel' })
  expect((await desk.pay()).code).toBe(0)
  expect((await desk.run('payout', 'get', handOrder)).code).toBe(0)
  expect((await desk.run('payout', 'diff', handOrder)).json).toMatchObject({ equal: true })
})

test('payout diff: every field that both know is compared, and the journal is not changed', async () => {
  const around = place()
  await paydesk(create({ key: 'k' }), around)
  const diff = () => paydesk(['payout', 'diff', 'k', '-p', 'sandbox', '--json'], around)
  const ended = await succeeds(diff())
  const { compared, equal } = ended.json as { compared: { field: string; equal: boolean }[]; equal: boolean }
  expect(compared.map(({ field }) => field)).toEqual([
    ...['status', 'uniqueId', 'amount', 'currency', 'toIban', 'description', 'createdAt'],
  ])
  expect([equal, compared.filter((row) => !row.equal)]).toEqual([true, []])
  expect((await diff()).json.compared).toMatchObject([{ field: 'status', journal: 'INITIAL' }, ...compared.slice(1)])
  const table = await paydesk(['payout', 'diff', 'k', '-p', 'sandbox'], { ...around, terminal: true, columns: 120 })
  expect(table.stdout).toMatch(/amount +12\.50 +12\.50 +yes/)
})

test.each([
  [{}, []],
  [{ amount: 99 }, ['amount']],
  [{ currency: 'USD' }, ['currency']],
  [{ toIban: 'GE60NB0000000123456789' }, ['toIban']],
  [{ status: 'SUCCESS' }, ['status']],
  [{ paymentDescription: 'Rent' }, ['description']],
  [{ uniqueId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a99' }, ['uniqueId']],
  [{ createdAt: '2026-11-21T10:00:00' }, ['createdAt']],
])('payout diff: members %j at the service differ in %j (0), and the status is remembered', async (members, fields) => {
  const desk = await differing(members)
  await desk.pay()
  const ended = await succeeds(desk.run('payout', 'diff', handOrder))
  const { compared } = ended.json as { compared: { field: string; equal: boolean | null }[] }
  expect(compared.filter(({ equal }) => equal === false).map(({ field }) => field)).toEqual(fields)
  expect(ended.json.equal).toBe(fields.length === 0)
  expect((await desk.run('payout', 'list')).json.rows).toMatchObject([
    {
      status: 'status' in members ? members.status : 'INITIAL',
      inDoubt: ['amount', 'currency', 'toIban'].some((name) => name in members)
        ? expect.stringContaining(', not ')
        : null,
    },
  ])
})

test('payout diff: an IBAN that the service does not show is not compared, with a note', async () => {
  const desk = await differing({ toIban: null })
  await desk.pay()
  const { compared } = (await desk.run('payout', 'diff', '4711')).json as { compared: object[] }
  expect(compared).toContainEqual({
    ...{ field: 'toIban', journal: shown.toIban, service: null, equal: null },
    note: 'the service does not show it',
  })
})

test("payout diff: a receiver's payout is 0, one of another machine 6, and an unknown one 9 with the resume hint", async () => {
  const around = place()
  const receiver = await paydesk([...createToReceiver({ key: 'r' }), '--json'], around)
  expect((await paydesk(['payout', 'diff', 'r', '-p', 'sandbox-receiver', '--json'], around)).code).toBe(0)
  const other = { ...around, home: newHome() }
  expect((await paydesk(['payout', 'diff', '4711', '-p', 'sandbox'], other)).code).toBe(6)
  expect(receiver.code).toBe(0)
  const desk = await handPayout(({ path }) => (path === '/api/distributor' ? { status: 502, body: '' } : undefined))
  await desk.pay()
  const lost = await desk.run('payout', 'diff', handOrder)
  expect(lost.code).toBe(9)
  expect(lost.error.hints).toContainEqual(expect.stringContaining('resume'))
})
