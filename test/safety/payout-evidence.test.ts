/** What one answer or one read has shown of a payout is not denied by a later one. */
import { expect, test } from 'vitest'
import { employees, type HandPayroll, plannedPayroll } from '../kit/batch.ts'
import { beneficiaryIban } from '../kit/payment.ts'
import { type Answering, foreignOrder, handOrder, handPayout, json, type Said } from '../kit/service.ts'
import { mustBeUndecided, mustBeUnknown, reset } from '../kit/verdict.ts'
import { type MemoryDesk, memoryDesk } from './memory-desk.ts'

const createdAt = '2026-11-25T10:00:00'
const refused: Said = { code: 5023 }
const idTaken: Said = { code: 5017 }
const accepted = (status = 'INITIAL', more: object = {}): Said => ({
  value: { transactionId: 4712, status, statusDescription: 'x', uniqueId: handOrder, createdAt, ...more },
})
const shownAs = (status: string, more: object = {}) => ({
  ...{ transactionId: 4712, status, statusDescription: 'x', amount: 12.5, currency: 'GEL', uniqueId: handOrder },
  ...{ toIban: beneficiaryIban, paymentDescription: 'Salary, November', createdAt, ...more },
})

const get = ['payout', 'get', '4712']
const wait = ['payout', 'wait', handOrder]
const reconcile = ['payout', 'reconcile', handOrder, '--transaction-id', '4712']
const show = ['journal', 'show', handOrder]

interface Payout extends MemoryDesk {
  /** The status and the other members that the details show. */
  shown: string
  more: object
  /** The answers to creates, one after the other; the last one again and again. */
  answers: Said[]
  /** Happens before the next create, or the next read of the details, is answered. */
  before: { create?: () => Promise<unknown>; read?: () => Promise<unknown> }
}

async function payout(...answers: Said[]): Promise<Payout> {
  const state: Pick<Payout, 'shown' | 'more' | 'answers' | 'before'> = {
    shown: 'SUCCESS',
    more: {},
    answers,
    before: {},
  }
  const once = async (when: 'create' | 'read') => {
    const work = desk.before[when]
    delete desk.before[when]
    await work?.()
  }
  const memory = await memoryDesk(async ({ name }): Promise<Said | undefined> => {
    if (name === 'payout.create') {
      await once('create')
      return (desk.answers.length > 1 ? desk.answers.shift() : desk.answers[0]) ?? accepted()
    }
    if (name !== 'payout.get') return undefined
    const now = shownAs(desk.shown, desk.more)
    await once('read')
    return { value: { value: now } }
  })
  const desk: Payout = Object.assign(state, memory)
  return desk
}

const isDone = async (ended: ReturnType<Payout['run']>) => {
  const { code, stderr, stdout } = await ended
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as Record<string, unknown>
}

test.each([
  ['answered SUCCESS', 'SUCCESS', 'FAILED'],
  ['read as SUCCESS', 'INITIAL', 'REJECTED'],
])('payout %s (answer %s), then read as %s: unknown (9) until SUCCESS is read again, sent once', async (...row) => {
  const [, answered, end] = row
  const desk = await payout(accepted(answered))
  await isDone(desk.pay())
  if (answered !== 'SUCCESS') await isDone(desk.run(...get))
  desk.shown = end
  const ended = await desk.run(...wait)
  mustBeUnknown(ended)
  expect(ended.error.message).toContain(`answered SUCCESS, and shows ${end} since`)
  expect(ended.error.hints).toContainEqual(expect.stringContaining('Do not pay it again'))
  // The read itself works; it tells of both.
  const { status, warnings } = await isDone(desk.run(...get))
  expect([status, warnings]).toEqual([end, [expect.stringContaining(`answered SUCCESS, and shows ${end} since`)]])
  for (const line of [wait, ['payout', 'wait', '4712'], reconcile]) mustBeUnknown(await desk.run(...line))
  for (const more of [{}, { wait: true }] as const) {
    expect(await desk.pay(more)).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
  }
  desk.shown = 'SUCCESS'
  await isDone(desk.run(...wait))
  await isDone(desk.run(...reconcile))
  expect([(await isDone(desk.pay())).replayed, desk.count('payout.create')]).toEqual([true, 1])
})

test('payout create and get, the real commands: answered SUCCESS, then read as FAILED: warned of, and unknown (9)', async () => {
  const desk = await handPayout(({ path }) => {
    if (path === '/api/distributor') return json({ value: shownAs('SUCCESS') })
    return path === '/api/distributor/details' ? json({ value: shownAs('FAILED') }) : undefined
  })
  await isDone(desk.pay())
  const { warnings } = await isDone(desk.run(...get))
  expect(warnings).toEqual([expect.stringContaining('answered SUCCESS, and shows FAILED since')])
  for (const line of [wait, reconcile]) mustBeUnknown(await desk.run(...line))
  mustBeUnknown(await desk.pay())
  expect(desk.creates()).toBe(1)
})

test('payout lost, its id taken (5017), read as SUCCESS under its number, then as FAILED: wait is unknown (9)', async () => {
  const desk = await payout(reset, idTaken)
  await isDone(desk.pay())
  await isDone(desk.run('payout', 'wait', '4712'))
  desk.shown = 'FAILED'
  for (const _ of [1, 2]) mustBeUnknown(await desk.run('payout', 'wait', '4712'))
  for (const line of [reconcile, ['payout', 'wait', '4712'], reconcile]) mustBeUnknown(await desk.run(...line))
  mustBeUnknown(await desk.pay())
  desk.shown = 'SUCCESS'
  await isDone(desk.run(...reconcile))
  await isDone(desk.pay())
})

test.each(['executed', 'refused'])('payout read as SUCCESS and as FAILED: the operator decides (%s)', async (word) => {
  const desk = await payout()
  await isDone(desk.pay())
  await isDone(desk.run(...get))
  desk.shown = 'FAILED'
  await desk.run(...get)
  mustBeUndecided(await desk.pay())
  await isDone(desk.run('resume', handOrder, '--settle', word, '--because', 'the bank says so', '--yes'))
  const state = word === 'executed' ? 'accepted' : 'refused'
  expect(await isDone(desk.run(...show))).toMatchObject({ state, disputed: null })
})

test.each([
  ['payout wait', wait],
  ['payout reconcile', reconcile],
])('%s of a payout that read FAILED from the start: refused (5), no money moved', async (_by, line) => {
  const desk = await payout()
  await isDone(desk.pay())
  desk.shown = 'FAILED'
  const ended = await desk.run(...line)
  expect(ended, ended.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
})

test('payout accepted, and read with another sum (7): a reconciliation with the right sum ends the conflict', async () => {
  const desk = await payout()
  await isDone(desk.pay())
  desk.more = { amount: 99 }
  expect((await desk.run(...get)).code).toBe(7)
  desk.more = {}
  await isDone(desk.run(...reconcile))
  await isDone(desk.pay())
})

test('payout whose own answer told another sum: unknown (9), not sent again, whatever a read shows', async () => {
  const desk = await payout(accepted('INITIAL', { amount: 99, currency: 'GEL' }))
  const first = await desk.pay()
  mustBeUnknown(first)
  await desk.run(...get)
  mustBeUnknown(await desk.run('resume', String(first.error.journalId), '--yes'))
  expect(desk.count('payout.create')).toBe(1)
})

test('payout read as SUCCESS while its refusal (5023) is on its way: a conflict for pay, wait and resume', async () => {
  const desk = await payout(refused)
  desk.before.create = () => isDone(desk.run(...get))
  mustBeUndecided(await desk.pay())
  for (const line of [wait, ['resume', handOrder]]) mustBeUndecided(await desk.run(...line))
  mustBeUndecided(await desk.pay())
})

test('payout refused (5038) and read as SUCCESS: warned of, and resume is a conflict (7)', async () => {
  const desk = await payout({ code: 5038 })
  expect(await desk.pay()).toMatchObject({ code: 5 })
  const { warnings } = await isDone(desk.run(...get))
  expect(warnings).toEqual([expect.stringContaining('a read shows that the service has this id')])
  const resumed = await desk.run('resume', handOrder, '--yes')
  expect(resumed, resumed.stderr).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
})

const named = { uniqueId: foreignOrder }

test('payout details that name another payout of this journal: unknown (9), and the other one keeps its status', async () => {
  const desk = await payout(accepted(), accepted('INITIAL', { transactionId: 4713, uniqueId: foreignOrder }))
  await isDone(desk.pay())
  await isDone(desk.pay({ 'unique-id': foreignOrder, amount: '7.50' }))
  Object.assign(desk, { shown: 'REJECTED', more: named })
  expect((await desk.run(...get)).code).toBe(9)
  await isDone(desk.run('payout', 'diff', '4712'))
  const known = await isDone(desk.run('journal', 'show', foreignOrder))
  expect(known).toMatchObject({ uniqueId: foreignOrder, status: 'INITIAL' })
})

test.each([
  ['another sum', { amount: 99 }],
  ['another beneficiary', { toIban: 'GE29NB0000000******917' }],
  ['this very sum', {}],
  ['the end FAILED', { status: 'FAILED' }],
])('payout answered 5017, read with %s: a conflict (7) for each repeat, with no sign-in, too', async (_what, more) => {
  let isUp = true
  const desk = await memoryDesk(({ name }): Said | undefined => {
    if (name === '/api/auth' || name === 'auth.token') return isUp ? undefined : reset
    return name === 'payout.create' ? idTaken : { value: { value: shownAs('SUCCESS', more) } }
  })
  expect(await desk.pay()).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
  await desk.run(...get)
  isUp = false
  expect(await desk.pay()).toMatchObject({ error: { moneyMoved: 'unknown' } })
  const { json: intent } = await desk.run(...show)
  expect(intent).toMatchObject({
    state: 'refused',
    because: expect.stringContaining('the service has this id already'),
  })
  const resumed = await desk.run('resume', String(intent.journalId), '--yes')
  expect(resumed, resumed.stderr).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
})

test.each(['REJECTED', 'FAILED', 'DELETED'])('payout answered %s: ended unpaid (5), sent once', async (status) => {
  const desk = await payout(accepted(status))
  for (const more of [{}, {}, { wait: true }] as const) {
    const ended = await desk.pay(more)
    expect(ended, ended.stdout).toMatchObject({ code: 5, stdout: '' })
    expect(ended.error).toMatchObject({ moneyMoved: 'no', status, transactionId: '4712', uniqueId: handOrder })
    expect(String(ended.error.hints)).toContain('another --unique-id')
  }
  expect(desk.count('payout.create')).toBe(1)
  expect(await isDone(desk.run(...show))).toMatchObject({ state: 'accepted', status, transactionId: '4712' })
})

test.each(['CANCELED', '', 'nonsense', 'F\u0410ILED', 'rejected'])(
  'payout answered with the unknown status "%s": accepted, with a warning that names it',
  async (status) => {
    const desk = await payout(accepted(status))
    const written = status === 'F\u0410ILED' ? '"F\\u0410ILED"' : `"${status}"`
    for (const receipt of [await isDone(desk.pay()), await isDone(desk.pay())]) {
      expect(receipt).toMatchObject({ outcome: 'accepted', status })
      expect(receipt.warnings).toEqual([expect.stringContaining(written)])
    }
  },
)

test('batch: a row that was paid and reads FAILED since is unknown for every command, until SUCCESS is read again', async () => {
  let status = 'SUCCESS'
  const details: Answering = ({ path, query }) => {
    if (path !== '/api/distributor/details') return undefined
    const sent = JSON.parse(payroll.service.creates[0]?.body ?? '{}')
    return json({ value: { ...shownAs(status), ...sent, transactionId: Number(/\d+/.exec(query)?.[0]) } })
  }
  const payroll: HandPayroll = await plannedPayroll(employees(1), details)
  const line = ['batch', 'run', payroll.planId, '--confirm', 'GEL 1.25']
  expect((await payroll.run(line)).code).toBe(0)
  const waiting = ['batch', 'wait', payroll.planId, '--timeout', '5s']
  const first = await payroll.run(waiting)
  expect(first, first.stderr).toMatchObject({ code: 0, json: { paid: 1 } })
  status = 'FAILED'
  expect((await payroll.run(['payout', 'wait', 'e-1'])).code).toBe(9)
  const second = await payroll.run(waiting)
  expect(second, second.stderr).toMatchObject({ code: 9, json: { paid: 0, notPaid: 0, unknown: 1 } })
  const again = await payroll.run(line)
  expect(again, again.stderr).toMatchObject({ code: 9, json: { accepted: 0, unknown: 1 } })
  const report = await payroll.batch('report', '--format', 'csv', '--output', 'table')
  expect(report.stdout).toContain('shows FAILED since')
  expect(payroll.service.creates).toHaveLength(1)
  status = 'SUCCESS'
  expect((await payroll.run(waiting)).code).toBe(0)
  expect((await payroll.run(line)).code).toBe(0)
})
