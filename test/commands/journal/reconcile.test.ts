import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dayAtService } from '../../../src/lib/contract/date.ts'
import type { Reconciliation } from '../../../src/lib/reconcile/reconcile.ts'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { create, journalOf, mustVerify } from '../../kit/payment.ts'
import { postgresServer } from '../../kit/postgres.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { addFault } from '../../kit/world.ts'
import { camt, type WrittenEntry } from '../../lib/reconcile/bank-file.ts'

const server = postgresServer()
const now = Date.parse('2026-11-27T10:00:00Z')

/** A home in which an accepted payout and an unknown one were paid, GEL 1.00 and 4.00. `env`: of every command. */
async function twoPayouts(env: Record<string, string> = {}) {
  const home = newHome()
  const around = { home, clock: hurriedClock(now), random: impatient, env }
  const run = async (...argv: string[]) => await paydesk([...argv, '--json'], around)
  const accepted = await run(...create({ amount: '1', key: 'emp-1' }))
  await addFault(home, { at: 'after', kind: 'reset', times: 5 })
  const unknown = await run(...create({ amount: '4', key: 'emp-4' }))
  await paydesk(['sandbox', 'fault', 'clear', '--json'], around)
  expect([accepted.code, unknown.code]).toEqual([0, 9])
  const [iban] = (await journalOf(around)).map(({ payee }) => String(payee))
  const bank = (name: string, text: string) => {
    const path = join(home, name)
    mkdirSync(home, { recursive: true })
    writeFileSync(path, text)
    return path
  }
  const statement = (entries: readonly WrittenEntry[]) => bank('bank.xml', camt([{ entries }]))
  const reconcile = async (path: string, ...more: string[]) => {
    const { code, stdout, stderr } = await paydesk(
      ['journal', 'reconcile', path, '--days', '0', '--json', ...more],
      around,
    )
    const error = stderr === '' ? null : (JSON.parse(stderr) as { error: Record<string, unknown> }).error
    return { code, stdout, stderr, error, told: JSON.parse(stdout || '{}') as Reconciliation }
  }
  return { home, around, iban: iban ?? '', accepted: accepted.json, unknown: unknown.error, bank, statement, reconcile }
}

/** The words of a line that is to be pasted, behind the name of the program. */
const wordsOf = (line: string | null | undefined) =>
  [...(line ?? '').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '').slice(1)

const both = [
  { sum: '1.00', endToEndId: 'emp-1' },
  { sum: '4.00', endToEndId: 'emp-4' },
]

test('all matched: 0, with counts, balances and items; nothing changes', async () => {
  const { home, statement, reconcile, unknown } = await twoPayouts()
  const ended = await reconcile(statement(both))
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.told).toMatchObject({
    ...{
      format: 'camt.053',
      entries: 2,
      matched: 2,
      different: 0,
      notInJournal: 0,
      notOnStatement: 0,
      ambiguous: 0,
      applied: 0,
    },
    ...{ opening: 1000, closing: 995, from: '2026-11-27', to: '2026-11-27' },
    items: [
      { kind: 'matched', by: 'key', state: 'accepted', entry: { entry: 'E1', amount: 1, direction: 'debit' } },
      { kind: 'matched', by: 'key', journalId: unknown.journalId, state: 'unknown', applied: false },
    ],
  })
  expect(ended.told.warnings.join()).toContain('--apply resolves it')
  expect((await journalOf({ home })).map(({ state }) => state)).toEqual(['unknown', 'accepted'])
})

test('--apply resolves an unknown payout by its key: EXISTS, with the entry as evidence, chained; once', async () => {
  const { home, statement, reconcile, unknown } = await twoPayouts()
  const path = statement(both)
  const ended = await reconcile(path, '--apply')
  expect(ended).toMatchObject({ code: 0, told: { applied: 1 } })
  expect(ended.told.items[1]).toMatchObject({ applied: true, state: 'exists' })
  const [entry] = await journalOf({ home }, '--named', String(unknown.journalId))
  const because = 'bank statement S1, entry E2 of 2026-11-27: GEL 4.00, found by its key'
  expect(entry).toMatchObject({ state: 'exists', sumConfirmed: true, because })
  await mustVerify({ home })
  expect(await reconcile(path, '--apply')).toMatchObject({ code: 0, told: { applied: 0, matched: 2 } })
})

test('--apply with a transactionId that the statement names: ACCEPTED', async () => {
  const { home, statement, reconcile, unknown } = await twoPayouts()
  const references = '<Prtry><Tp>transactionId</Tp><Ref>100002</Ref></Prtry>'
  const [first, second] = both
  const entries = [first, { ...second, references }] as WrittenEntry[]
  const ended = await reconcile(statement(entries), '--apply')
  expect(ended).toMatchObject({ code: 0, told: { applied: 1 } })
  expect(ended.told.warnings.join()).toContain('payout list --refresh')
  const [entry] = await journalOf({ home }, '--named', String(unknown.journalId))
  expect(entry).toMatchObject({ state: 'accepted', transactionId: '100002', sumConfirmed: true })
})

test('found by its sum: nothing is applied, and the line with the word of the operator resolves it', async () => {
  const { home, around, statement, reconcile, unknown, iban } = await twoPayouts()
  const entries = [both[0] as WrittenEntry, { sum: '4.00', account: iban }]
  const ended = await reconcile(statement(entries), '--apply')
  expect(ended).toMatchObject({ code: 0, told: { applied: 0, matched: 2 } })
  const { by, next } = ended.told.items[1] ?? {}
  expect(by).toBe('sum')
  expect(next).toMatch(/^paydesk resume j-\w+ --settle executed --because 'bank statement S1, entry E2/)
  const words = wordsOf(next)
  expect(await paydesk([...words, '--json'], around)).toMatchObject({ code: 0 })
  const [entry] = await journalOf({ home }, '--named', String(unknown.journalId))
  expect(entry).toMatchObject({
    state: 'exists',
    because: expect.stringContaining('the operator says: bank statement S1'),
  })
})

test('another sum is 7, and is not applied', async () => {
  const { home, statement, reconcile } = await twoPayouts()
  const ended = await reconcile(statement([both[0] as WrittenEntry, { sum: '5.00', endToEndId: 'emp-4' }]), '--apply')
  expect(ended).toMatchObject({
    code: 7,
    told: { different: 1, applied: 0 },
    error: { name: 'duplicate', moneyMoved: 'no' },
  })
  expect((await journalOf({ home }))[0]).toMatchObject({ state: 'unknown' })
})

test('a payout that the statement lacks, and an entry of somebody else: 10', async () => {
  const { statement, reconcile } = await twoPayouts()
  const ended = await reconcile(statement([both[1] as WrittenEntry, { sum: '9.00', endToEndId: 'x' }]))
  expect(ended).toMatchObject({
    code: 10,
    told: { notOnStatement: 1, notInJournal: 1, matched: 1 },
    error: { name: 'partial' },
  })
  expect(ended.error?.message).toContain('1 not in this journal, 1 not on the statement')
})

test('a payment that came back: its reason, and the line that pays anew under a new key', async () => {
  const { around, statement, reconcile } = await twoPayouts()
  const back = { sum: '1.00', direction: 'CRDT', isReversal: true, reason: 'AC04', endToEndId: 'emp-1' } as const
  const ended = await reconcile(statement([...both, back]))
  expect(ended).toMatchObject({ code: 10, told: { returned: 1, matched: 2 } })
  const { reason, next } = ended.told.items[2] ?? {}
  expect(reason).toContain('AC04, the account is closed')
  const words = wordsOf(next)
  expect(words).toContain('emp-1:again')
  expect(await paydesk([...words, '--yes', '--json'], around)).toMatchObject({ code: 0 })
})

test('a file that cannot be read, or does not add up, is 2, and nothing changes', async () => {
  const { home, bank, reconcile } = await twoPayouts()
  const short = bank('short.xml', camt([{ closing: '999.00', entries: both }]))
  expect(await reconcile(short, '--apply')).toMatchObject({ code: 2, stdout: '' })
  expect(await reconcile(bank('none.xml', '<a/>'))).toMatchObject({ code: 2 })
  expect(await reconcile(bank('empty.xml', ''))).toMatchObject({ code: 2 })
  expect(await reconcile(join(home, 'absent.xml'))).toMatchObject({ code: 2 })
  expect((await journalOf({ home }))[0]).toMatchObject({ state: 'unknown' })
})

test('one account, one profile, some days', async () => {
  const { bank, reconcile } = await twoPayouts()
  const other = { account: 'GE29NB0000000101904919', entries: [{ sum: '3.00', endToEndId: 'x' }] }
  const path = bank('two.xml', camt([{ entries: both }, other]))
  expect(await reconcile(path)).toMatchObject({ code: 10, told: { entries: 3, opening: null } })
  expect(await reconcile(path, '--account', 'GE29 NB00 0000 0101 9049 17')).toMatchObject({
    code: 0,
    told: { entries: 2, opening: 1000 },
  })
  expect(await reconcile(path, '--account', 'GE29NB0000000101904920')).toMatchObject({ code: 2 })
  expect(await reconcile(path, '--from', '2026-11-28')).toMatchObject({ code: 0, told: { entries: 0 } })
  expect(await reconcile(path, '--from', '28.11.2026')).toMatchObject({ code: 2 })
  expect(await reconcile(path, '-p', 'sandbox')).toMatchObject({ code: 10, told: { matched: 2 } })
})

test('a CSV with a map', async () => {
  const { bank, reconcile } = await twoPayouts()
  const csv = bank(
    'bank.csv',
    'Kontoauszug\nDatum;Betrag;Verwendung;Saldo\n27.11.2026;-1,00;emp-1;1.099,00\n27.11.2026;-4,00;emp-4;1.095,00\n',
  )
  const map = bank(
    'map.yaml',
    'columns: {Datum: date, Betrag: amount, Verwendung: reference, Saldo: balance}\nconstants: {currency: GEL, decimalMark: ",", dateForm: dd.MM.yyyy}\n',
  )
  const ended = await reconcile(csv, '--map', map)
  expect(ended).toMatchObject({ code: 0, told: { format: 'csv', matched: 2, opening: 1100, closing: 1095 } })
  expect(await reconcile(csv)).toMatchObject({ code: 2 })
})

test('the journal of a team: matched, resolved with --apply, and chained', async () => {
  const { around, unknown, bank, reconcile } = await twoPayouts({ PAYDESK_STORE: await server.newAddress() })
  // The clock of a team is that of its server.
  const days = (await journalOf(around)).map(({ openedAt }) => dayAtService(Date.parse(String(openedAt))))
  const [to = '', from = ''] = days
  const path = bank('team.xml', camt([{ from, to, entries: both.map((entry) => ({ ...entry, day: to })) }]))
  const ended = await reconcile(path, '--apply')
  expect(ended).toMatchObject({ code: 0, told: { matched: 2, applied: 1, notOnStatement: 0 } })
  const [entry] = await journalOf(around, '--named', String(unknown.journalId))
  expect(entry).toMatchObject({ state: 'exists', sumConfirmed: true })
  await mustVerify(around)
})

test('table, CSV and a page', async () => {
  const { home, around, statement } = await twoPayouts()
  const path = statement([both[0] as WrittenEntry, { sum: '5.00', endToEndId: 'emp-4', text: '&lt;b&gt;&amp;' }])
  const run = async (...more: string[]) => await paydesk(['journal', 'reconcile', path, '--days', '0', ...more], around)
  const table = await run()
  expect(table.code).toBe(7)
  expect(table.stdout).toContain('1 of 2 matched')
  expect(table.stdout).toContain('GEL -5.00')
  const csv = await run('--output', 'csv')
  expect(csv.stdout).toMatch(/^\uFEFFkind,by,statement,entry,/)
  expect(csv.stdout.trim().split('\n')).toHaveLength(3)
  const page = await run('--html')
  expect(page).toMatchObject({ code: 7 })
  expect(page.stdout).toMatch(/^<!doctype html>/)
  expect(page.stdout).toContain('Different amount, account or outcome: 1')
  const file = join(home, 'page.html')
  expect((await run('--html', '--out', file)).code).toBe(7)
  expect(readFileSync(file, 'utf8')).toContain('Not everything agrees')
  expect((await run('--html', '--json')).code).toBe(2)
  expect((await run('--out', file)).code).toBe(2)
})
