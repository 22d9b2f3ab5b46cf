import { expect, test } from 'vitest'
import { create, mustVerify } from '../../../kit/payment.ts'
import { paydesk } from '../../../kit/program.ts'
import { as, peopleAtHome } from '../../../kit/team.ts'

test('team rule remove: only an administrator removes a rule (4), and a payout that it held is then sent', async () => {
  const { around, anna, nino } = await peopleAtHome({ from: '1000' })
  const run = (argv: readonly string[]) => paydesk([...argv, '--json'], around)
  const listed = await run(['team', 'rule', 'list'])
  const id = String(JSON.parse(listed.stdout)[0].ruleId)
  const pay = create({ key: 'k', amount: '1200' })
  expect((await run(pay)).code).toBe(13)
  expect((await run(['team', 'rule', 'remove', id, ...as(nino)])).code).toBe(4)
  expect((await run(['team', 'rule', 'remove', 'r-000000000000', ...as(anna)])).code).toBe(6)
  const removed = await run(['team', 'rule', 'remove', id, ...as(anna)])
  expect(removed.json, removed.stderr).toMatchObject({ ruleId: id, currency: 'GEL' })
  expect((await run(['team', 'rule', 'list'])).json).toEqual([])
  expect((await run(['team', 'rule', 'remove', id, ...as(anna)])).code).toBe(6)
  expect((await run(pay)).code).toBe(0)
  await mustVerify(around)
})
