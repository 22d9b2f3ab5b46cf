/** Rows whose key stands for another payment, and plans whose profile has become another client: no hint pays them. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  employees,
  type HandPayroll,
  handPayroll,
  type Payroll,
  papersIn,
  plannedSandboxPayroll,
} from '../kit/batch.ts'
import { create } from '../kit/payment.ts'
import { succeeds } from '../kit/program.ts'
import { serviceByHand } from '../kit/service.ts'

const consent = 'GEL 1.25'
const single = (amount: string) => create({ profile: null, key: 'e-1', amount, description: 'Salary' })
const batch = (command: string, { planId }: Payroll, ...more: readonly string[]) => ['batch', command, planId, ...more]
const go = (command: string, payroll: Payroll, words = consent) =>
  payroll.run(batch(command, payroll, '--confirm', words, '--timeout', '60s'))

const otherClient = '11111111-2222-4333-8444-666666666666'

/** A service that executes and whose answers are lost for as long as its line is lost. */
async function losing(rows = employees(1)): Promise<HandPayroll & { readonly line: { isLost: boolean } }> {
  const line = { isLost: false }
  const payroll = await handPayroll(rows, ({ path }) =>
    path === '/api/distributor' && line.isLost ? { status: 502, body: '<html>' } : undefined,
  )
  return Object.assign(payroll, { line })
}

async function papers(payroll: Payroll) {
  const dir = join(payroll.home, `papers-${payroll.planId}`)
  await succeeds(payroll.run(batch('results', payroll, '--dir', dir, '--overwrite')))
  return papersIn(dir)
}

test.each(['accepted', 'unknown'] as const)(
  'batch run: a row whose key stands for another payment that is %s is a conflict, never unsent, and no hint resumes it',
  async (end) => {
    const payroll = await losing()
    await payroll.plan()
    payroll.line.isLost = end === 'unknown'
    await payroll.run([...single('9'), '--timeout', '60s'])
    payroll.line.isLost = false
    const ended = await go('run', payroll)
    const isOpen = end === 'unknown'
    expect(ended, ended.stderr).toMatchObject({
      code: isOpen ? 9 : 10,
      json: { refused: isOpen ? 0 : 1, unknown: isOpen ? 1 : 0, unsent: 0, conflicts: 1 },
      error: { moneyMoved: 'unknown', retry: 'never' },
    })
    expect(ended.error.message).toMatch(/its key e-1 belongs to another payment, j-\w+ \(GEL 9.00 to/)
    expect(String(ended.error.hints)).not.toContain('batch resume')
    const { unsent, refused, unknown } = await papers(payroll)
    expect([unsent, refused]).toEqual([[], []])
    expect(unknown).toMatchObject([
      { 'paydesk:state': 'conflict', 'paydesk:why': expect.stringMatching(/j-\w+ .*: money may have moved/) },
    ])
    const report = await payroll.run(batch('report', payroll))
    expect(report.stdout).not.toContain('sends them')
    const waited = await payroll.run([...batch('wait', payroll), '--timeout', '60s'])
    for (const hints of [String(report.json.next), String(waited.error.hints)]) {
      expect(hints).not.toContain('batch resume')
      expect(hints).toContain(isOpen ? 'resolve that payment first' : 'Compare each')
    }
    // A request of the other payment may still arrive after its command has ended.
    expect(payroll.service.creates.filter(({ body }) => Number(JSON.parse(body).amount) !== 9)).toEqual([])
  },
)

test('batch run: a row whose key stands for another payment that was settled as refused by hand is a conflict, and cannot be planned with another sum', async () => {
  const payroll = await losing()
  await payroll.plan()
  payroll.line.isLost = true
  await payroll.run([...single('9'), '--timeout', '60s'])
  payroll.line.isLost = false
  await succeeds(payroll.run(['resume', 'e-1', '--settle', 'refused', '--because', 'the bank says so', '--yes']))
  const sent = payroll.service.creates.length
  const ended = await go('run', payroll)
  expect(ended, ended.stderr).toMatchObject({ code: 10, json: { planned: 0, refused: 1, conflicts: 1 } })
  expect(ended.error.message).toMatch(/its key e-1 belongs to another payment, j-\w+ \(GEL 9.00 to/)
  expect(String(ended.error.hints)).not.toContain('batch resume')
  expect(payroll.service.creates).toHaveLength(sent)
  payroll.write([{ key: 'e-1', amount: '2' }])
  expect(await payroll.plan()).toMatchObject({ code: 2 })
})

test('batch run: a refused row that was edited and paid by another plan is a conflict in the first plan (10)', async () => {
  const payroll = await plannedSandboxPayroll(employees(1, { amount: '0.01' }))
  const first = payroll.planId
  expect((await payroll.run(['batch', 'run', first, '--yes'])).code).toBe(10)
  payroll.write(employees(1, { amount: '7' }))
  await payroll.plan()
  expect((await payroll.batch('run', '--yes')).code).toBe(0)
  const again = await payroll.run(['batch', 'run', first, '--yes'])
  expect(again).toMatchObject({ code: 10, json: { refused: 1, unsent: 0, conflicts: 1 }, error: { retry: 'never' } })
})

test('batch run: a profile was moved to another service: rows that were sent to the first one are conflicts, and not sent (10)', async () => {
  const payroll = await losing()
  await payroll.plan()
  expect((await go('run', payroll)).code).toBe(0)
  const there = await serviceByHand()
  const moved = ['profile', 'add', 'hand', '--base-url', there.url, '--replace', '--another-service']
  expect((await payroll.run(moved)).code).toBe(0)
  const planned = await succeeds(payroll.plan())
  expect(String(planned.json.warnings)).toMatch(/1 row belongs to a payment that was sent to another address.*j-/)
  const ended = await go('run', payroll)
  expect(ended, ended.stderr).toMatchObject({
    code: 10,
    json: { planned: 0, refused: 1, conflicts: 1 },
    error: { moneyMoved: 'unknown', retry: 'never' },
  })
  expect((await papers(payroll)).unknown[0]?.['paydesk:why']).toContain(payroll.service.url)
  expect(there.creates).toEqual([])
})

const replaced = ['profile', 'add', 'hand', '--client-id', otherClient, '--replace']

test.each(['run', 'resume'])(
  'batch %s: a plan of another client than the profile is now is not sent (12), and the hints say what a new plan would pay',
  async (command) => {
    const payroll = await losing(employees(2))
    await payroll.plan()
    expect((await go('run', payroll, 'GEL 3.50')).code).toBe(0)
    payroll.write([...employees(2), { key: 'e-9', amount: '3' }])
    await payroll.plan()
    const sent = payroll.service.creates.length
    expect((await payroll.run(replaced)).code).toBe(0)
    const ended = await go(command, payroll, 'GEL 6.50')
    expect(ended, ended.stderr).toMatchObject({
      code: 12,
      json: { accepted: 2, planned: 1 },
      error: { moneyMoved: 'yes' },
    })
    expect(ended.error.message).toContain(`is now the client ${otherClient}`)
    const hints = String(ended.error.hints)
    expect(hints).toContain('OTHER ids')
    expect(hints).toContain('2 rows were accepted and 0 are unknown')
    expect(payroll.service.creates).toHaveLength(sent)
  },
)

test('batch resume: unknown rows of another client stay unknown (9) until the profile is that client again, and are resolved then (0)', async () => {
  const payroll = await losing()
  await payroll.plan()
  payroll.line.isLost = true
  expect((await go('run', payroll)).code).toBe(9)
  payroll.line.isLost = false
  expect((await payroll.run(replaced)).code).toBe(0)
  const sent = payroll.service.creates.length
  const ended = await go('resume', payroll)
  expect(ended, ended.stderr).toMatchObject({ code: 9, json: { unknown: 1 }, error: { moneyMoved: 'unknown' } })
  expect(String(ended.error.hints)).toContain('which alone can resolve its 1 unknown row')
  expect(payroll.service.creates).toHaveLength(sent)
  const back = ['profile', 'add', 'hand', '--client-id', '11111111-2222-4333-8444-555555555555', '--replace']
  expect((await payroll.run(back)).code).toBe(0)
  expect(await go('resume', payroll)).toMatchObject({ code: 0, json: { accepted: 1 } })
})
