import { expect, test } from 'vitest'
import { newHome, paydesk } from '../../../kit/program.ts'
import { as, did, peopleAtHome } from '../../../kit/team.ts'

test('team key list: lists persons in the order they were added, revoked ones included', async () => {
  const { around, anna } = await peopleAtHome()
  await did(['team', 'key', 'revoke', 'Nino', ...as(anna)], around)
  const listed = await paydesk(['team', 'key', 'list', '--json'], around)
  expect(listed.json).toMatchObject([{ name: 'Anna', role: 'administrator' }, { name: 'Nino' }, { name: 'Giorgi' }])
  const table = await paydesk(['team', 'key', 'list'], around)
  expect(table.stdout).toMatch(/Nino +revoked/)
})

test('team key list: without a person it says so', async () => {
  expect((await paydesk(['team', 'key', 'list'], { home: newHome() })).stdout).toContain('No persons')
})
