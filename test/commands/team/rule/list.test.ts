import { expect, test } from 'vitest'
import { newHome, paydesk } from '../../../kit/program.ts'
import { peopleAtHome } from '../../../kit/team.ts'

test('team rule list: lists the rules with currency, sum and approvers', async () => {
  const { around } = await peopleAtHome({ from: '1000' }, { from: '500', currency: 'USD', approvers: 2 })
  const listed = await paydesk(['team', 'rule', 'list', '--json'], around)
  expect(listed.json, listed.stderr).toMatchObject([
    { currency: 'GEL', from: 1000, approvers: 1, addedBy: 'Anna' },
    { currency: 'USD', from: 500, approvers: 2 },
  ])
  expect((await paydesk(['team', 'rule', 'list'], around)).stdout).toContain('GEL 1000.00')
})

test('team rule list: without a rule it says so', async () => {
  expect((await paydesk(['team', 'rule', 'list'], { home: newHome() })).stdout).toContain('No rule')
})
