/** A flag or a word that was typed once too often ends a command (2); it was about each of them, and denies none. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { employees, handPayroll } from '../kit/batch/payroll.ts'
import { create } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { addHandProfile, serviceByHand } from '../kit/service/service-by-hand.ts'

const uniqueId = '5a9db0c0-0301-4a11-8c11-00000000aaaa'
const other = '5a9db0c0-0301-4a11-8c11-00000000bbbb'

/** A payout that was accepted under its key, or under an id of its own. */
async function paid(named: { readonly key?: string; readonly 'unique-id'?: string }) {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const run = (argv: readonly string[]) => paydesk([...argv, '--json'], { home })
  const made = await run(create({ profile: 'hand', ...named }))
  expect(made.code, made.stderr).toBe(0)
  return { home, run, journalId: String(made.json.journalId) }
}

describe('payout create', () => {
  test.each([
    ['--key zz --key K1', { key: 'zz' }, ['--key', 'K1']],
    ['--key K1 --key zz', { key: 'K1' }, ['--key', 'zz']],
    ['--key zz --key=K1 --key yy', { key: 'zz' }, ['--key=K1', '--key', 'yy']],
  ])('%s', async (_, first, more) => {
    const { run, journalId } = await paid({ key: 'K1' })
    const ended = await run([...create({ profile: 'hand', ...first }), ...more])
    expect(ended, ended.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'unknown', journalId } })
  })

  test('two ids, and two profiles beside a key', async () => {
    const { run, journalId } = await paid({ 'unique-id': uniqueId })
    const ended = await run([...create({ profile: 'hand', 'unique-id': other }), '--unique-id', uniqueId])
    expect(ended, ended.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'unknown', journalId } })
    const keyed = await paid({ key: 'K1' })
    const twice = await keyed.run([...create({ profile: 'sandbox', key: 'K1' }), '-p', 'hand'])
    expect(twice, twice.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
  })

  test('two files, of which the second holds the id', async () => {
    const { home, run, journalId } = await paid({ 'unique-id': uniqueId })
    const [empty, file] = [join(home, 'empty.json'), join(home, 'payout.json')]
    writeFileSync(empty, '{}')
    writeFileSync(file, JSON.stringify({ uniqueId }))
    const ended = await run(['payout', 'create', '-p', 'hand', '--file', empty, '--file', file, '--yes'])
    expect(ended, ended.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'unknown', journalId } })
  })
})

test('a word too much of payout get, and of a plan', async () => {
  const { run, journalId } = await paid({ key: 'K1' })
  const ended = await run(['payout', 'get', 'zz', 'K1', '-p', 'hand'])
  expect(ended, ended.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'unknown', journalId } })
  const payroll = await handPayroll(employees(2))
  await payroll.plan()
  expect((await payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 3.50'])).code).toBe(0)
  const again = await payroll.run(['batch', 'resume', 'b-000000000000', payroll.planId, '--confirm', 'GEL 3.50'])
  expect(again, again.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'yes' } })
})
