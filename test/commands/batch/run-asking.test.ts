import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { employees, handPayroll, sandboxPayroll } from '../../kit/batch.ts'
import { beneficiaryIban } from '../../kit/payment.ts'
import { atTerminal } from '../../kit/program.ts'
import { ledgerOf } from '../../kit/world.ts'

const enter = '\r'

test('batch run: without a plan a terminal asks for the file, shows the sums and asks for consent', async () => {
  const payroll = sandboxPayroll(employees(3))
  const ended = await atTerminal(
    ['batch', 'run', '-p', 'sandbox'],
    { home: payroll.home },
    [/Which file/, `${join(payroll.home, 'payroll.csv')}${enter}`],
    [/Send it\?/, `yes${enter}`],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.stderr).toContain('GEL 6.75')
  expect(ended.stderr).toContain('Pay 3 of 3 rows of payroll.csv: GEL 6.75 in all')
  expect(await ledgerOf(payroll.home)).toHaveLength(3)
})

test('batch run: names that do not belong to their accounts stand above the question', async () => {
  const payroll = sandboxPayroll([{ key: 'e-1', iban: beneficiaryIban }])
  const named = ['--beneficiary-name', 'Levan Gelashvili', '--to-iban', beneficiaryIban]
  expect((await payroll.run(['payee', 'add', ...named])).code).toBe(0)
  const planned = await payroll.plan()
  const argv = ['batch', 'run', String(planned.json.planId)]
  const ended = await atTerminal(argv, { home: payroll.home }, [/CAUTION: [\s\S]*Send it\?/, `no${enter}`])
  expect(ended.code, ended.stderr).toBe(3)
  expect(ended.stderr).not.toContain('<U+000A>')
  expect(await ledgerOf(payroll.home)).toEqual([])
})

test('batch run: a file that does not exist is asked for again, and ~ is the person’s home', async () => {
  const payroll = sandboxPayroll(employees(1))
  const ended = await atTerminal(
    ['batch', 'run', '-p', 'sandbox'],
    { home: payroll.home, env: { HOME: payroll.home } },
    [/Which file/, `~/payrol.csv${enter}`],
    [/payrol\.csv\s+does\s+not\s+exist\./, `${'\u007f'.repeat(4)}l.csv${enter}`],
    [/Send it\?/, `yes${enter}`],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(await ledgerOf(payroll.home)).toHaveLength(1)
})

test('batch run: a file that needs a flag is refused (2) with the batch plan command that takes it', async () => {
  const payroll = sandboxPayroll(employees(1))
  const path = join(payroll.home, 'payroll.csv')
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^key/, 'Schlüssel'))
  const ended = await atTerminal(['batch', 'run', '-p', 'sandbox'], { home: payroll.home }, [
    /Which file/,
    `${path}${enter}`,
  ])
  expect(ended.code, ended.stderr).toBe(2)
  expect(ended.stderr).toContain('(Schlüssel) is not a field of a payout: --key-column can make it the key')
  expect(ended.stderr.replace(/\s+/g, ' ')).toContain(`paydesk batch plan ${path} <flags>`)
})

test('batch resume: a terminal asks for the words of the whole plan and tells what is left and what is unknown', async () => {
  let isLost = true
  const rows = [...employees(3), { key: 'u-1', amount: '5', currency: 'USD' }]
  const payroll = await handPayroll(rows, ({ path, body }) =>
    path === '/api/distributor' && isLost && body.includes('"amount":2.25') ? 'reset' : undefined,
  )
  await payroll.plan()
  const words = 'GEL 6.75 + USD 5.00'
  const line = ['--concurrency', '1', '--max-failures', '1'] as const
  const lost = await payroll.batch('run', '--confirm', words, ...line)
  expect(lost, lost.stderr).toMatchObject({ code: 9, json: { accepted: 1, unknown: 1, planned: 2 } })
  isLost = false
  const ended = await atTerminal(['batch', 'resume', payroll.planId, '-p', 'hand'], { home: payroll.home }, [
    /Type/,
    `no${enter}`,
  ])
  expect(ended.code, ended.stderr).toBe(3)
  expect(ended.stderr).toContain(`Pay 3 of 4 rows of payroll.csv: GEL 5.50 + USD 5.00; the whole plan is ${words}`)
  expect(ended.stderr).toContain('1 of them has no definite answer (GEL 2.25)')
})

test('batch run: the answer no sends nothing (3) and keeps the plan', async () => {
  const payroll = sandboxPayroll(employees(2))
  const ended = await atTerminal(
    ['batch', 'run', '-p', 'sandbox'],
    { home: payroll.home },
    [/Which file/, `${join(payroll.home, 'payroll.csv')}${enter}`],
    [/Send it\?/, `no${enter}`],
  )
  expect(ended).toMatchObject({ code: 3, stdout: '' })
  expect(await ledgerOf(payroll.home)).toEqual([])
  expect(JSON.parse((await payroll.run(['batch', 'list'])).stdout)).toHaveLength(1)
})

test('batch run: without a plan and without a terminal it is a usage error (2)', async () => {
  const payroll = sandboxPayroll(employees(1))
  const ended = await payroll.run(['batch', 'run', '--yes'])
  expect(ended).toMatchObject({ code: 2, stdout: '', error: { moneyMoved: 'no' } })
  expect(String(ended.error.hints)).toContain('batch list')
})
