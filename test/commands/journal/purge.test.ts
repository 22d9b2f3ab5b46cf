/** A purge erases the personal data of old payouts, also from the file. It keeps what prevents a second payment. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { beneficiaryIban, create } from '../../kit/payment.ts'
import { answers, paydesk } from '../../kit/program.ts'
import { journalFile, tamper, valueIn } from '../../kit/store.ts'
import { addFault, clearFaults, done, ledgerOf, place } from '../../kit/world.ts'

type Place = ReturnType<typeof place>

const day = 24 * 60 * 60 * 1000
const name = 'Nino Beridze'

/** `--before` as a moment that is 31 days before now. */
const longAgo = ({ clock }: Place) => new Date(clock.now() - 31 * day).toISOString()

const purge = (around: Place, ...more: readonly string[]) =>
  paydesk(['journal', 'purge', '--before', longAgo(around), '--json', ...more], around)

const shown = async (around: Place, id: string) => (await done(['journal', 'show', id], around)).json

/** A payout whose last status was read: it is paid. */
async function paid(around: Place, key: string, more: Parameters<typeof create>[0] = {}) {
  const { json } = await done(create({ key, ...more }), around)
  const waited = await done(['payout', 'wait', String(json.journalId), '-p', 'sandbox'], around)
  expect(waited.json).toMatchObject({ status: 'SUCCESS' })
  return String(json.journalId)
}

/** The bytes of all files of the journal. */
function bytesOf({ home }: Place): string {
  const folder = join(home, 'journal')
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'latin1'))
    .join('')
}

test('journal purge: name, account and description are removed, also from the bytes of the file, and a repeat still works', async () => {
  const around = place()
  const id = await paid(around, 'salary-1')
  const before = await shown(around, id)
  expect(bytesOf(around)).toContain(name)
  around.clock.skip(32 * day)
  const ended = await purge(around, '--yes')
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { removed: 1, erased: true, dryRun: false } })
  const bytes = bytesOf(around)
  for (const text of [name, 'Nino', beneficiaryIban, 'Salary, November']) expect(bytes, text).not.toContain(text)
  const after = await shown(around, id)
  const { amount, currency, uniqueId } = before.request as Record<string, unknown>
  const gone = { beneficiaryName: 'removed', toIban: 'removed', description: 'removed' }
  expect(after).toEqual({
    ...before,
    ...{ payee: 'removed', statusDescription: 'removed', removedAt: ended.json.removedAt },
    request: { amount, currency, uniqueId, ...gone },
  })
  expect((await done(['journal', 'verify'], around)).json).toMatchObject({ intact: true, findings: [] })
})

test('journal purge: freed pages and the write-ahead log are erased too while another program has the journal open', async () => {
  const around = place()
  await paid(around, 'salary-1')
  const scrap = `insert into scrap values ('${name}')`
  tamper(around.home, `pragma secure_delete = off; create table scrap (words); ${scrap}; drop table scrap`)
  around.clock.skip(32 * day)
  const other = new DatabaseSync(journalFile(around.home))
  try {
    other.prepare('select count(*) from intents').get()
    expect((await purge(around, '--yes')).json).toMatchObject({ removed: 1, erased: true })
    expect(bytesOf(around)).not.toContain(name)
  } finally {
    other.close()
  }
})

test('journal purge: afterwards the same key is replayed, and the key with another body is refused (7)', async () => {
  const around = place()
  const id = await paid(around, 'salary-1')
  around.clock.skip(32 * day)
  await purge(around, '--yes')
  const again = await done(create({ key: 'salary-1' }), around)
  expect(again.json).toMatchObject({ journalId: id, replayed: true })
  const others = [{ amount: '12.51' }, { description: 'Bonus' }, { 'beneficiary-name': 'Nino Beridse' }]
  for (const other of others) {
    const ended = await paydesk([...create({ key: 'salary-1', ...other }), '--json'], around)
    expect(ended, JSON.stringify(other)).toMatchObject({ code: 7, error: { moneyMoved: 'yes' } })
  }
  expect(await ledgerOf(around.home, around.clock)).toHaveLength(1)
})

test('journal purge: an unknown payment stays whole and can be resolved afterwards', async () => {
  const around = place()
  await done(create({ amount: '1' }), around)
  await addFault(around.home, { kind: 'reset', at: 'after', times: 9 })
  const lost = await paydesk([...create({ key: 'lost' }), '--timeout', '2s', '--json'], around)
  expect(lost.code, lost.stderr).toBe(9)
  await clearFaults(around.home)
  around.clock.skip(40 * day)
  const ended = await purge(around, '--yes')
  expect(ended.json).toMatchObject({ removed: 0, kept: { open: 1, notEnded: 1, approved: 0, young: 0 } })
  const id = String(lost.error.journalId)
  expect(await shown(around, id)).toMatchObject({ state: 'unknown', payee: beneficiaryIban, removedAt: null })
  expect((await done(['resume', id, '--confirm', 'GEL 12.50'], around)).json).toMatchObject({ journalId: id })
  expect(await ledgerOf(around.home, around.clock)).toHaveLength(2)
})

test('journal purge: a purged refused payment is sent whole when its command is run again', async () => {
  const around = place()
  const broke = create({ key: 'large', amount: '999999999' })
  const refused = await paydesk([...broke, '--json'], around)
  expect(refused.code, refused.stderr).toBe(5)
  around.clock.skip(32 * day)
  expect((await purge(around, '--yes')).json).toMatchObject({ removed: 1 })
  const id = String(refused.error.journalId)
  expect(await shown(around, id)).toMatchObject({ state: 'refused', payee: 'removed' })
  const mended = await done(create({ key: 'large' }), around)
  expect(mended.json).toMatchObject({ journalId: id })
  expect(await shown(around, id)).toMatchObject({ payee: beneficiaryIban, removedAt: null })
  expect(await ledgerOf(around.home, around.clock)).toMatchObject([{ executions: 1 }])
})

test('journal purge: a later read compares nothing with removed data and brings none of it back', async () => {
  const around = place()
  const id = await paid(around, 'salary-1')
  around.clock.skip(32 * day)
  await purge(around, '--yes')
  await done(['payout', 'get', id, '-p', 'sandbox'], around)
  const diff = await done(['payout', 'diff', id, '-p', 'sandbox'], around)
  expect(diff.json).toMatchObject({ equal: true })
  expect(diff.json.compared).toContainEqual({
    ...{ field: 'toIban', journal: 'removed', service: beneficiaryIban, equal: null },
    note: 'removed from the journal',
  })
  expect(await shown(around, id)).toMatchObject({ state: 'accepted', sumConfirmed: true, statusDescription: 'removed' })
  const { rows } = (await done(['payout', 'list', '-p', 'sandbox'], around)).json
  expect(rows).toMatchObject([{ name: 'removed', account: 'removed', status: 'SUCCESS' }])
  const receipt = await done(['payout', 'receipt', id, '-p', 'sandbox'], around)
  const beneficiary = { name: 'removed', account: 'removed' }
  expect(receipt.json).toMatchObject({ paid: true, beneficiary, description: 'removed', payer: null })
  const { stdout } = await paydesk(['journal', 'export', '--json'], around)
  expect(JSON.parse(stdout.split('\n')[0] ?? '')).toEqual(await shown(around, id))
  expect(bytesOf(around)).not.toContain(name)
})

test('journal verify: after a purge it still finds a row whose removal was undone outside paydesk (1)', async () => {
  const around = place()
  const id = await paid(around, 'salary-1')
  around.clock.skip(32 * day)
  await purge(around, '--yes')
  tamper(around.home, `update intents set removed_at = null where id = '${id}'`)
  const verified = await paydesk(['journal', 'verify', '--json'], around)
  expect(verified).toMatchObject({ code: 1, json: { findings: [{ kind: 'row-changed' }] } })
})

test('journal purge: the row has a new salt, and the old salt is gone from the file', async () => {
  const around = place()
  const id = await paid(around, 'salary-1')
  const salt = () => valueIn(around.home, `select salt from intents where id = '${id}'`)
  const old = salt()
  around.clock.skip(32 * day)
  await purge(around, '--yes')
  expect(salt()).not.toBe(old)
  expect(valueIn(around.home, 'select salt from attempts')).toBe(salt())
  expect(bytesOf(around)).not.toContain(String(old))
})

test('journal purge: --dry-run counts and writes nothing, and a second purge finds nothing', async () => {
  const around = place()
  await paid(around, 'a')
  await paid(around, 'b', { amount: '2' })
  around.clock.skip(32 * day)
  const { head } = (await done(['journal', 'verify'], around)).json
  const dry = await purge(around, '--dry-run')
  expect(dry.json).toMatchObject({ removed: 2, dryRun: true, removedAt: null, erased: null })
  expect((await done(['journal', 'verify'], around)).json.head).toBe(head)
  expect((await purge(around, '--yes')).json).toMatchObject({ removed: 2 })
  expect((await purge(around, '--yes')).json).toMatchObject({ removed: 0, erased: true })
})

test('journal purge: younger payments stay, and --before within the last 30 days is refused (2)', async () => {
  const around = place()
  await paid(around, 'old')
  around.clock.skip(31 * day)
  const young = await paid(around, 'young', { amount: '2' })
  around.clock.skip(2 * day)
  expect((await purge(around, '--yes')).json).toMatchObject({ removed: 1 })
  expect(await shown(around, young)).toMatchObject({ payee: beneficiaryIban })
  const today = new Date(around.clock.now() - 29 * day).toISOString()
  const refused = await paydesk(['journal', 'purge', '--before', today, '--yes', '--json'], around)
  expect(refused).toMatchObject({ code: 2, stdout: '', error: { moneyMoved: 'no' } })
})

test('journal purge: a clock that was set ahead makes no payment old', async () => {
  const around = place()
  await paid(around, 'young')
  around.clock.set(60 * day)
  expect((await purge(around, '--yes')).json).toMatchObject({ removed: 0, kept: { young: 1 } })
})

test('journal purge: without --yes it asks (no is 3), and off a terminal it is refused (2)', async () => {
  const around = place()
  const id = await paid(around, 'salary-1')
  around.clock.skip(32 * day)
  expect(await purge(around)).toMatchObject({ code: 2, stdout: '' })
  const argv = ['journal', 'purge', '--before', longAgo(around)]
  const terminal = { ...around, terminal: true, columns: 100 }
  const no = await paydesk(argv, { ...terminal, dialogue: answers([/of 1 payout\? This cannot be undone/, 'no\r']) })
  expect(no.code, no.stderr).toBe(3)
  expect(await shown(around, id)).toMatchObject({ payee: beneficiaryIban })
  const yes = await paydesk(argv, { ...terminal, dialogue: answers([/of 1 payout\? This cannot be undone/, 'yes\r']) })
  expect(yes.code, yes.stderr).toBe(0)
  expect(yes.stdout).toContain('written anew')
  expect(await shown(around, id)).toMatchObject({ payee: 'removed' })
})
