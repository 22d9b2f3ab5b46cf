import { expect, test } from 'vitest'
import { employees, plannedPayroll, refusing } from '../../kit/batch.ts'
import { newHome, paydesk } from '../../kit/program.ts'

test('batch show: shows rows with state and reason, by --state and --limit', async () => {
  const payroll = await plannedPayroll(employees(3), refusing('"amount":1.25'))
  await payroll.batch('run', '--confirm', 'GEL 6.75')
  const refused = await payroll.batch('show', '--state', 'refused')
  expect(refused.json).toMatchObject({
    rows: 3,
    shown: [{ row: 2, state: 'refused', key: 'e-1', because: expect.stringContaining('5042') }],
  })
  const all = await payroll.batch('show', '--limit', '2')
  expect(all.json.shown).toHaveLength(2)
})

test('batch show: rows that are not shown are counted, with the command that shows them', async () => {
  const payroll = await plannedPayroll(employees(24), refusing('"amount":1.25'))
  const show = (...more: readonly string[]) => payroll.batch('show', ...more)
  const drawn = await show('--output', 'table')
  expect(drawn.stdout).toMatch(/ Nino Beridze GE29 NB00 /)
  const line = `paydesk batch show ${payroll.planId}`
  expect(drawn.stdout.trimEnd()).toMatch(new RegExp(`… and 4 more rows; to see all: \`${line} --limit 24\`$`))
  expect((await show()).json).toMatchObject({ moreRows: 4 })
  expect((await show('--limit', '24', '--output', 'table')).stdout).not.toContain('more rows')
  const none = await show('--limit', '0', '--output', 'table')
  expect(none.stdout).toContain('No rows.')
  expect(none.stdout).toContain('… and 24 more rows')
  await payroll.batch('run', '--confirm', 'GEL 306')
  const accepted = await show('--state', 'accepted', '--limit', '3')
  expect(accepted.json, accepted.stderr).toMatchObject({ moreRows: 20 })
  expect(accepted.json.shown).toHaveLength(3)
  const some = await show('--state', 'accepted', '--output', 'table')
  expect(some.stdout).toContain(`… and 3 more rows; to see all: \`${line} --state accepted --limit 23\``)
  expect((await show('--state', 'held', '--limit', '0', '--output', 'table')).stdout).toContain('No rows found.')
})

test('batch show: an unknown plan is not found (6), and a malformed plan id is a usage error (2)', async () => {
  const home = newHome()
  const none = await paydesk(['batch', 'show', 'b-000000000000', '--json'], { home })
  expect(none).toMatchObject({ code: 6, error: { moneyMoved: 'no' } })
  expect(await paydesk(['batch', 'show', '../../x', '--json'], { home })).toMatchObject({ code: 2 })
})
