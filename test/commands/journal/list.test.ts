import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realRandom } from '../../../src/lib/edge.ts'
import { newRow } from '../../../src/lib/journal/row.ts'
import { openStore } from '../../../src/lib/store/engine/sqlite.ts'
import { addIntent } from '../../../src/lib/store/journal/intents.ts'
import { type JournalTables, journalSchema } from '../../../src/lib/store/journal/schema.ts'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { create, createToReceiver, journalOf } from '../../kit/payment.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { addFault, done, onSandbox, ordered, place, play } from '../../kit/world.ts'

const day = 24 * 3_600_000

/** Accepted on the 18th, refused on the 19th, one by receiver and one unknown on the 20th. */
async function journalOfThreeDays() {
  const home = newHome()
  const clock = hurriedClock(Date.parse('2026-11-18T10:00:00Z'))
  const around = { home, clock, random: impatient }
  const run = async (argv: string[]) => paydesk([...argv, '--json'], around)
  const accepted = await run(create({ key: 'emp-17' }))
  clock.skip(day)
  const refused = await run(create({ amount: '0.01' }))
  clock.skip(day)
  const other = await run(createToReceiver({ amount: '3' }))
  await addFault(home, { at: 'before', kind: 'reset', times: 5 })
  const unknown = await run(create({ amount: '4' }))
  expect([accepted.code, refused.code, other.code, unknown.code]).toEqual([0, 5, 0, 9])
  const list = async (...more: string[]) => {
    return await journalOf({ home }, ...more)
  }
  return {
    home,
    list,
    receipt: accepted.json,
    ids: {
      accepted: accepted.json.journalId,
      refused: refused.error.journalId,
      other: other.json.journalId,
      unknown: unknown.error.journalId,
    },
  }
}

/** Refused at second `number` of a minute that is over. */
function intentRow(number: number) {
  const now = new Date(Date.UTC(2026, 10, 20, 10, 0, number)).toISOString()
  const draft = {
    ...{ operation: 'payout.create', profile: 'sandbox', environment: 'sandbox', idempotencyKey: null },
    ...{ service: 'http://127.0.0.1:1', serviceId: 'http://127.0.0.1:1' },
    ...{ clientId: realRandom.uuid(), uniqueId: realRandom.uuid() },
    ...{ body: '{"amount":"12.50"}', bodyDigest: String(number), payee: '', amountMinor: '1250', currency: 'GEL' },
  } as const
  const free = { holder: null, held_until: null, held_until_steady: null }
  return { ...newRow(draft, realRandom, now, free), state: 'refused' } as const
}

const idsOf = (entries: readonly { journalId: string }[]) => entries.map(({ journalId }) => journalId)

test('journal list: an empty journal is an empty list, in words and as JSON', async () => {
  const home = newHome()
  expect(await paydesk(['journal', 'list'], { home })).toMatchObject({ code: 0, stdout: 'No payments found.\n' })
  expect(await paydesk(['journal', 'list', '--json'], { home })).toMatchObject({ code: 0, stdout: '[]\n' })
})

test('journal list: without --limit the newest hundred are listed, and the cut is told', async () => {
  const home = newHome()
  const path = join(home, 'journal', 'journal.db')
  const store = await openStore<JournalTables>(path, journalSchema)
  const drafts = Array.from({ length: 101 }, (_, number) => intentRow(number))
  await store.write(async (db) => {
    for (const row of drafts) await addIntent(db, row)
  })
  await store.close()
  const listed = await journalOf({ home })
  expect(idsOf(listed)).toEqual(
    drafts
      .slice(1)
      .map(({ id }) => id)
      .toReversed(),
  )
  const cut = await paydesk(['journal', 'list'], { home })
  expect(cut.stderr).toContain('only the newest 100 are shown')
  const whole = await paydesk(['journal', 'list', '--limit', '101'], { home })
  expect(whole.stderr).toBe('')
})

test('journal list: shows the payments of every profile, newest first, in local time', async () => {
  const { home, list, ids } = await journalOfThreeDays()
  expect(idsOf(await list())).toEqual([ids.unknown, ids.other, ids.refused, ids.accepted])
  const table = await paydesk(['journal', 'list'], { home, env: { TZ: 'Asia/Tbilisi' } })
  expect(table.stdout).toContain('GEL 12.50')
  expect(table.stdout).toMatch(/made \(UTC\+04:00\).*\n(?:.*\n)*.* 2026-11-18 14:00:0\d /)
})

test('journal list: is narrowed by state, profile, time, name and number', async () => {
  const { list, ids, receipt } = await journalOfThreeDays()
  expect(idsOf(await list('--state', 'unknown'))).toEqual([ids.unknown])
  expect(idsOf(await list('--state', 'refused'))).toEqual([ids.refused])
  expect(idsOf(await list('-p', 'sandbox-receiver'))).toEqual([ids.other])
  expect(idsOf(await list('--since', '2026-11-20'))).toEqual([ids.unknown, ids.other])
  expect(idsOf(await list('--until', '2026-11-19'))).toEqual([ids.accepted])
  expect(idsOf(await list('--since', '2026-11-19T09:59', '--until', '2026-11-19T11:00'))).toEqual([ids.refused])
  for (const name of [receipt.uniqueId, receipt.transactionId, receipt.journalId, 'emp-17']) {
    expect(idsOf(await list('--named', String(name)))).toEqual([ids.accepted])
  }
  expect(idsOf(await list('--limit', '2'))).toEqual([ids.unknown, ids.other])
})

test('journal list: amounts are numbers, ids are text, and the request is an object', async () => {
  const { list, receipt } = await journalOfThreeDays()
  const [entry] = await list('--named', 'emp-17')
  expect(entry).toMatchObject({
    journalId: receipt.journalId,
    operation: 'payout.create',
    state: 'accepted',
    uniqueId: receipt.uniqueId,
    key: 'emp-17',
    amount: 12.5,
    currency: 'GEL',
    payee: 'GE29NB0000000101904917',
    transactionId: receipt.transactionId,
    profile: 'sandbox',
    environment: 'sandbox',
    openedAt: expect.stringMatching(/^2026-11-18T10:00:0\d\.\d{3}Z$/),
    request: expect.objectContaining({ description: 'Salary, November', uniqueId: receipt.uniqueId }),
  })
  expect(entry).not.toHaveProperty('holder')
})

test('journal list: shows the id of each order, and of refunds and completions the currency of their order', async () => {
  const around = place()
  const paid = await ordered(around, { currency: 'USD' })
  await play(around, paid)
  await done(['order', 'refund', paid, '--amount', '5', '--yes', ...onSandbox], around)
  const blocked = await ordered(around, { 'pay-with-pre-auth': true })
  await play(around, blocked)
  await done(['order', 'complete', blocked, '--amount', '2', '--yes', ...onSandbox], around)
  for (const columns of [80, 200]) {
    const { stdout } = await paydesk(['journal', 'list'], { ...around, terminal: true, columns })
    for (const id of [paid, blocked]) expect(stdout.split(`order ${id}`)).toHaveLength(3)
    expect(stdout).toContain('USD 5.00')
    expect(stdout).toContain('GEL 2.00')
  }
  const sums = (await journalOf(around)).map(({ currency, amount }) => [currency, amount])
  expect(sums).toEqual([
    ['GEL', 2],
    ['GEL', 12.5],
    ['USD', 5],
    ['USD', 12.5],
  ])
  const refund = await done(['journal', 'list', '--query', "[?operation=='order.refund'].journalId | [0]"], around)
  const shown = await done(['journal', 'show', String(refund.json)], around)
  expect(shown.json).toMatchObject({ currency: 'USD', request: { amount: 5 } })
})

test.each([
  ['--since', '20.11.2026'],
  ['--since', '2026-11-31'],
  ['--until', 'tomorrow'],
  ['--state', 'lost'],
  ['--limit', '0'],
])('journal list: %s %s is refused (2)', async (flag, value) => {
  expect(await paydesk(['journal', 'list', flag, value], { home: newHome() })).toMatchObject({ code: 2, stdout: '' })
})
