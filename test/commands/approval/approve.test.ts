import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import { create } from '../../kit/payment.ts'
import { atTerminal, paydesk } from '../../kit/program.ts'
import { tamper } from '../../kit/store.ts'
import { approve, approved, as, asked, peopleAtHome } from '../../kit/team.ts'

async function scene() {
  const found = await peopleAtHome({ from: '1000' })
  const held = await paydesk([...create({ key: 'k', amount: '1200' }), '--json'], found.around)
  const journalId = String(held.error.journalId)
  const id = await asked(journalId, found.anna, found.around)
  return { ...found, journalId, id, run: (argv: readonly string[]) => paydesk(argv, found.around) }
}

test('approval approve: at a terminal it shows the payment and asks', async () => {
  const { around, nino, id } = await scene()
  const ended = await atTerminal(['approval', 'approve', id, ...as(nino)], around, [/Approve it\?/, 'yes\r'])
  expect(ended.code, ended.stderr).toBe(0)
  for (const words of [
    'amount: GEL 1200.00',
    'to: GE29 NB00 0000 0101 9049 17',
    'Nino Beridze',
    'asked by: Anna',
    'sandbox',
  ]) {
    expect(ended.log).toContain(words)
  }
  expect(ended.stdout).toContain('approved, 1 of 1')
  expect(ended.stdout, 'what was read above is not told again').not.toContain('Nino Beridze')
})

test('approval approve: other words of consent are refused (3), and the right ones count', async () => {
  const { nino, id, run } = await scene()
  expect((await run(approve(id, nino, 'GEL 1200.01'))).code).toBe(3)
  expect((await run(['approval', 'approve', id, ...as(nino), '--no-input', '--json'])).code).toBe(2)
  expect(await run(approve(id, nino, 'gel 1200'))).toMatchObject({ code: 0, json: { state: 'approved', needs: 1 } })
})

test('approval approve: the maker’s own approval is refused (4) and does not count', async () => {
  const { anna, journalId, id, run } = await scene()
  const own = await run(approve(id, anna, 'GEL 1200'))
  expect(own).toMatchObject({
    code: 4,
    error: { message: expect.stringContaining('yourself; another person must approve or reject it') },
  })
  expect((await run(['resume', journalId, '-p', 'sandbox', '--json'])).code).toBe(13)
})

test('approval approve: twice by one person counts once, and rejecting after an own approval is a conflict (7)', async () => {
  const { nino, giorgi, id, run } = await scene()
  await run(approve(id, nino, 'GEL 1200'))
  const again = await run(approve(id, nino, 'GEL 1200'))
  expect((again.json.words as unknown[]).length).toBe(1)
  expect((await run(['approval', 'reject', id, ...as(nino), '--json'])).code).toBe(7)
  expect((await run(['approval', 'reject', id, ...as(giorgi), '--json'])).code).toBe(0)
})

test('approval approve: an unknown approval is not found (6), and a used one is stale (12)', async () => {
  const { around, nino, giorgi, journalId, id, run } = await scene()
  expect((await run(approve('a-000000000000', nino, 'GEL 1'))).code).toBe(6)
  await approved(id, nino, around, 'GEL 1200')
  await run(['resume', journalId, '-p', 'sandbox', '--json'])
  expect((await run(approve(id, giorgi, 'GEL 1200'))).code).toBe(12)
})

test('approval approve: a key file that others can read is not used (4)', async () => {
  const { nino, id, run } = await scene()
  chmodSync(nino.file, 0o640)
  const ended = await run(approve(id, nino, 'GEL 1200'))
  expect(ended).toMatchObject({ code: 4, error: { message: expect.stringContaining('can be read by others') } })
})

test('resume: an approval whose facts were changed in the store is damage (1) and nothing is sent', async () => {
  const { around, journalId, id, run, nino } = await scene()
  await approved(id, nino, around, 'GEL 1200')
  tamper(around.home, `update approvals set facts = replace(facts, '1200.00', '1200.01')`)
  expect((await run(['resume', journalId, '-p', 'sandbox', '--json'])).code).toBe(1)
})
