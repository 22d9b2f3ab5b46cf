import { expect, test } from 'vitest'
import { create, mustVerify } from '../../../kit/payment.ts'
import { newHome, paydesk } from '../../../kit/program.ts'
import { tamper } from '../../../kit/store.ts'
import { as, did, keyFile, peopleAtHome } from '../../../kit/team.ts'

const rule = (from: string, ...more: readonly string[]) => [
  ...['team', 'rule', 'add', '--currency', 'GEL', '--from', from, '--json'],
  ...more,
]

test('team rule add: only an administrator adds a rule (4), and the same number of approvers twice is a conflict (7)', async () => {
  const { around, anna, nino } = await peopleAtHome()
  expect((await paydesk(rule('1000', ...as(nino)), around)).code).toBe(4)
  const added = await paydesk(rule('1000.5', ...as(anna)), around)
  expect(added.json, added.stderr).toMatchObject({
    currency: 'GEL',
    from: 1000.5,
    approvers: 1,
    addedBy: 'Anna',
    warnings: [],
  })
  expect((await paydesk(rule('2000', ...as(anna)), around)).code).toBe(7)
  expect((await paydesk(rule('2000', '--approvers', '2', ...as(anna)), around)).code).toBe(0)
  const far = await paydesk(rule('3000', '--approvers', '3', ...as(anna)), around)
  expect(far.json.warnings).toEqual([expect.stringContaining('fewer persons than this rule needs')])
  for (const wrong of ['-1', 'x', '1e3', '1.005'])
    expect((await paydesk(rule(wrong, ...as(anna)), around)).code).toBe(2)
  await mustVerify(around)
})

test('team rule add: a store without persons takes no rule (4)', async () => {
  expect((await paydesk(rule('1', ...as(keyFile())), { home: newHome() })).code).toBe(4)
})

test('payout create: a rule loosened outside paydesk is damage (1) and nothing is sent', async () => {
  const { around } = await peopleAtHome({ from: '1000' })
  tamper(around.home, "update approval_rules set from_units = '99999999'")
  expect((await paydesk([...create({ key: 'k', amount: '5' }), '--json'], around)).code).toBe(1)
  await expect(did(['journal', 'verify'], around)).rejects.toThrow()
})

test('team rule add: --confirm with another sum is refused (3) and adds nothing; --yes and the sum add it', async () => {
  const { around, anna } = await peopleAtHome()
  expect((await paydesk(rule('1000', '--confirm', 'GEL 1001', ...as(anna)), around)).code).toBe(3)
  expect((await paydesk(rule('1000', '--confirm', 'GEL 1000', ...as(anna)), around)).code).toBe(0)
  expect((await paydesk(rule('2000', '--approvers', '2', '--yes', ...as(anna)), around)).code).toBe(0)
})
