import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answers } from '../../kit/answers.ts'
import { employees, sandboxPayroll } from '../../kit/batch/payroll.ts'
import { paydesk } from '../../kit/program/paydesk.ts'
import { ledgerOf } from '../../kit/world.ts'

const enter = '\r'

test('without a plan a terminal is asked for the file, shows what it comes to, and asks for consent', async () => {
  const payroll = sandboxPayroll(employees(3))
  const ended = await paydesk(['batch', 'run', '-p', 'sandbox'], {
    home: payroll.home,
    terminal: true,
    dialogue: answers([/Which file/, `${join(payroll.home, 'payroll.csv')}${enter}`], [/Send it\?/, `yes${enter}`]),
  })
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.stderr).toContain('GEL 6.75')
  expect(ended.stderr).toContain('Pay 3 of 3 rows of payroll.csv: GEL 6.75 in all')
  expect(await ledgerOf(payroll.home)).toHaveLength(3)
})

test('a file that is not there is asked for again, and `~` is the home of the person', async () => {
  const payroll = sandboxPayroll(employees(1))
  const ended = await paydesk(['batch', 'run', '-p', 'sandbox'], {
    home: payroll.home,
    env: { HOME: payroll.home },
    terminal: true,
    dialogue: answers(
      [/Which file/, `~/payrol.csv${enter}`],
      [/payrol\.csv does not exist\./, `${'\u007f'.repeat(4)}l.csv${enter}`],
      [/Send it\?/, `yes${enter}`],
    ),
  })
  expect(ended.code, ended.stderr).toBe(0)
  expect(await ledgerOf(payroll.home)).toHaveLength(1)
})

test('a file that needs a flag of the plan is answered with the command that takes it', async () => {
  const payroll = sandboxPayroll(employees(1))
  const path = join(payroll.home, 'payroll.csv')
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^key/, 'Schlüssel'))
  const ended = await paydesk(['batch', 'run', '-p', 'sandbox'], {
    home: payroll.home,
    terminal: true,
    dialogue: answers([/Which file/, `${path}${enter}`]),
  })
  expect(ended.code, ended.stderr).toBe(2)
  expect(ended.stderr).toContain('(Schlüssel) is no field of a payout: --key-column can make it the key')
  expect(ended.stderr.replace(/\s+/g, ' ')).toContain(`paydesk batch plan ${path} <flags>`)
})

test('a no sends nothing, and leaves the plan', async () => {
  const payroll = sandboxPayroll(employees(2))
  const ended = await paydesk(['batch', 'run', '-p', 'sandbox'], {
    home: payroll.home,
    terminal: true,
    dialogue: answers([/Which file/, `${join(payroll.home, 'payroll.csv')}${enter}`], [/Send it\?/, `no${enter}`]),
  })
  expect(ended).toMatchObject({ code: 3, stdout: '' })
  expect(await ledgerOf(payroll.home)).toEqual([])
  expect(JSON.parse((await payroll.run(['batch', 'list'])).stdout)).toHaveLength(1)
})

test('without a plan and without a terminal nobody is asked (2)', async () => {
  const payroll = sandboxPayroll(employees(1))
  const ended = await payroll.run(['batch', 'run', '--yes'])
  expect(ended).toMatchObject({ code: 2, stdout: '', error: { moneyMoved: 'no' } })
  expect(String(ended.error.hints)).toContain('batch list')
})
