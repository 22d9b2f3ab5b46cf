/** What docs/how-to/back-up.md says of a restored journal: what it knows, and that nothing is paid twice under its keys. */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { hurriedClock } from '../kit/clock.ts'
import { create, type Flags } from '../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'
import { done, ledgerOf, ordered, play } from '../kit/world.ts'
import { root } from './typed/page.ts'

// Programs are started, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

/** A home in which one payout was made before the copy and one after it. */
async function copied() {
  const [home, folder] = [newHome(), temporaryDirectory('backup')]
  const [journal, copy] = [join(home, 'journal'), join(folder, 'copy')]
  const pay = (flags: Flags) => paydesk([...create(flags), '--json'], { home })
  expect((await pay({ key: 'before' })).code).toBe(0)
  cpSync(journal, copy, { recursive: true, preserveTimestamps: true })
  const after = await succeeds(pay({ key: 'after', amount: '20' }))
  return { home, journal, copy, pay, head: String(after.json.journalHead) }
}

test('a journal that was put back whole works, and says with a newer head that something is missing', async () => {
  const { home, journal, copy, pay, head } = await copied()
  rmSync(journal, { recursive: true })
  cpSync(copy, journal, { recursive: true })
  expect((await paydesk(['journal', 'verify'], { home })).code).toBe(0)
  expect((await paydesk(['journal', 'verify', '--head', head], { home })).code).toBe(1)
  const list = await paydesk(['payout', 'list', '--json'], { home })
  expect(list.json.rows).toMatchObject([{ key: 'before' }])
  expect(await pay({ key: 'before' })).toMatchObject({ code: 0, json: { replayed: true } })
  const again = await pay({ key: 'after', amount: '20' })
  expect(again.code, again.stderr).toBe(7)
  expect(again.error).toMatchObject({ moneyMoved: 'unknown', service: { statusCode: 5017 } })
  const executed = (await ledgerOf(home)).map(({ executions }) => executions)
  expect(executed).toHaveLength(2)
  for (const executions of executed) expect(executions).toBeLessThanOrEqual(1)
})

test('a refund that was made since the copy would be made once more: the page says so, and what to read before', async () => {
  const { home, journal, copy } = await copied()
  const around = { home, clock: hurriedClock() }
  const order = await ordered(around, { key: 'o-1' })
  await play(around, order)
  rmSync(copy, { recursive: true })
  cpSync(journal, copy, { recursive: true, preserveTimestamps: true })
  const refund = ['order', 'refund', order, '-p', 'sandbox', '--amount', '5', '--key', 'r-1', '--yes']
  await done(refund, around)
  rmSync(journal, { recursive: true })
  cpSync(copy, journal, { recursive: true })
  const status = await done(['order', 'status', order, '-p', 'sandbox'], around)
  expect(status.json.status).toMatch(/REFUND/)
  const page = readFileSync(join(root, 'docs/how-to/back-up.md'), 'utf8')
  expect(page).toMatch(/\*\*Refunds, completions, .* must not be sent again/)
  expect(page).toContain('`paydesk order status <id>`')
})

test('an old file beside the newer mark is told as damaged, and nothing is sent from it', async () => {
  const { home, journal, copy, pay } = await copied()
  for (const end of ['', '-wal', '-shm']) rmSync(join(journal, `journal.db${end}`), { force: true })
  cpSync(join(copy, 'journal.db'), join(journal, 'journal.db'))
  const ended = await pay({ key: 'third', amount: '30' })
  expect(ended.code, ended.stderr).toBe(1)
  expect(await ledgerOf(home)).toHaveLength(2)
})
