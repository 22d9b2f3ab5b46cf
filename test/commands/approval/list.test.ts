import { expect, test } from 'vitest'
import { create } from '../../kit/payment.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { approved, asked, peopleAtHome } from '../../kit/team.ts'

test('approval list: lists open approvals, and with --all also the used ones', async () => {
  const { around, anna, nino } = await peopleAtHome({ from: '1000' })
  const list = (...more: readonly string[]) => paydesk(['approval', 'list', ...more], around)
  expect((await list()).stdout).toContain('No approval request is open.')
  const held = await paydesk([...create({ key: 'k', amount: '1200' }), '--json'], around)
  const id = await asked(String(held.error.journalId), anna, around)
  expect((await list()).stdout).toMatch(new RegExp(`${id}.*waiting.*0 of 1.*GEL 1200.00.*Nino Beridze GE29 .*Anna`))
  await approved(id, nino, around, 'GEL 1200')
  expect((await list('--json')).json).toMatchObject([{ approvalId: id, state: 'approved', subject: 'payment' }])
  await paydesk(['resume', String(held.error.journalId), '-p', 'sandbox', '--json'], around)
  expect((await list('--json')).json).toEqual([])
  expect((await list('--all', '--json')).json).toMatchObject([{ approvalId: id, state: 'used' }])
})

test('approval list: a store without persons has none', async () => {
  expect((await paydesk(['approval', 'list', '--json'], { home: newHome() })).json).toEqual([])
})
