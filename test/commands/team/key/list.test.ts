import { expect, test } from 'vitest'
import { as, did, peopleAtHome } from '../../../kit/approval/persons.ts'
import { newHome, paydesk } from '../../../kit/program/paydesk.ts'

test('lists persons in the order in which they were added, the revoked ones, too', async () => {
  const { around, anna } = await peopleAtHome()
  await did(['team', 'key', 'revoke', 'Nino', ...as(anna)], around)
  const listed = await paydesk(['team', 'key', 'list', '--json'], around)
  expect(listed.json).toMatchObject([{ name: 'Anna', role: 'administrator' }, { name: 'Nino' }, { name: 'Giorgi' }])
  const table = await paydesk(['team', 'key', 'list'], around)
  expect(table.stdout).toMatch(/Nino +revoked/)
})

test('nobody', async () => {
  expect((await paydesk(['team', 'key', 'list'], { home: newHome() })).stdout).toContain('Nobody was added')
})
