import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Reconciliation } from '../../../src/lib/reconcile/reconcile.ts'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { create, type Flags } from '../../kit/payment.ts'
import { newHome, paydesk } from '../../kit/program.ts'

const now = Date.parse('2026-11-27T10:00:00Z')

/** A home with eight payouts, of which one fails, and a way to reconcile a statement of them. */
async function eightPayouts() {
  const home = newHome()
  const clock = hurriedClock(now)
  const around = { home, clock, random: impatient }
  const run = async (...argv: string[]) => await paydesk(argv, around)
  const flags = (at: number): Flags => ({
    amount: `${10 + at}`,
    key: `emp-${at}`,
    ...(at === 3 ? { description: 'sandbox:failed' } : {}),
  })
  for (let at = 0; at < 8; at += 1) expect((await run(...create(flags(at)), '--json')).code).toBe(0)
  clock.skip(10_000)
  const wait = await run('payout', 'get', 'emp-3', '-p', 'sandbox', '--json')
  expect(wait.json).toMatchObject({ status: 'FAILED' })
  const reconcile = async (path: string) => {
    const ended = await run('journal', 'reconcile', path, '--days', '0', '--json')
    return { code: ended.code, stderr: ended.stderr, told: JSON.parse(ended.stdout || '{}') as Reconciliation }
  }
  return { home, run, reconcile }
}

test('its own day agrees with the journal but for the return: commissions, a batch, the balances', async () => {
  const { home, run, reconcile } = await eightPayouts()
  const path = join(home, 'day.xml')
  const written = await run('sandbox', 'statement', '--date', '2026-11-27', '--out', path, '--json')
  // A batch of three, its commission, four alone, the failed one and its return.
  expect(written).toMatchObject({ code: 0, json: { statements: 1, entries: 8, payments: 10, damaged: [] } })
  const { code, told } = await reconcile(path)
  expect(code).toBe(10)
  expect(told).toMatchObject({
    entries: 10,
    matched: 8,
    returned: 1,
    other: 1,
    different: 0,
    notOnStatement: 0,
    ambiguous: 0,
    opening: 1000000,
  })
  expect(told.items.filter(({ kind }) => kind === 'returned')).toMatchObject([
    { key: 'emp-3', entry: { returnReason: 'AC04' } },
  ])
  // Seven payouts, GEL 95.00 and 0.49 of commissions; the failed one came back whole.
  expect(told.closing).toBe(999904.51)
})

test('damage: a sum, a double, a loss and a stranger, and the balances stay right', async () => {
  const { run, home, reconcile } = await eightPayouts()
  const path = join(home, 'damaged.xml')
  const written = await run('sandbox', 'statement', '--damaged', '--out', path, '--json')
  expect(written.json).toMatchObject({ damaged: ['another sum', 'a double', 'a loss', 'an entry of somebody else'] })
  const { code, told } = await reconcile(path)
  expect(code).toBe(7)
  expect(told).toMatchObject({ different: 1, ambiguous: 2, notOnStatement: 1, notInJournal: 1 })
})

test('on stdout it is the document; another day is empty, and opens with what is there then', async () => {
  const { home, run, reconcile } = await eightPayouts()
  const ended = await run('sandbox', 'statement', '--date', '2026-11-26')
  expect(ended).toMatchObject({ code: 0 })
  expect(ended.stdout).toMatch(/^<\?xml/)
  const path = join(home, 'next.xml')
  expect((await run('sandbox', 'statement', '--date', '2026-11-28', '--out', path)).stdout).toContain(
    '0 entries of 2026-11-28 are in',
  )
  expect(readFileSync(path, 'utf8')).not.toContain('<Ntry>')
  expect(await reconcile(path)).toMatchObject({ code: 0, told: { entries: 0 } })
  expect((await run('sandbox', 'statement', '--json')).code).toBe(2)
  expect((await run('sandbox', 'statement', '--date', '28.11.2026')).code).toBe(2)
})
