import { stripVTControlCharacters } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { hurriedClock, impatient, stillClock } from '../../kit/clock.ts'
import { create, createToReceiver } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { addHandProfile, serviceByHand } from '../../kit/service.ts'
import { addFault } from '../../kit/world.ts'

const hour = 3_600_000
const tbilisi = { TZ: 'Asia/Tbilisi' }

interface Row {
  readonly journalId: string
  readonly [member: string]: unknown
}

/** Rows of a list that must succeed. */
async function rowsOf(around: Parameters<typeof paydesk>[1], ...flags: readonly string[]): Promise<readonly Row[]> {
  const ended = await succeeds(paydesk(['payout', 'list', ...flags, '--json'], around))
  return ended.json.rows as readonly Row[]
}

const keysOf = (rows: readonly Row[]) => rows.map(({ key }) => key)

/**
 * In Tbilisi: one late on the 19th, one early on the 20th, one to a receiver at noon, one refused, one unknown; it is
 * 21:00 then.
 */
async function yesterdayAndToday(env: Record<string, string> = tbilisi) {
  const home = newHome()
  const clock = stillClock(Date.parse('2026-11-19T19:30:00Z'))
  const around = { home, clock, random: impatient, env }
  const pay = (argv: string[]) => paydesk([...argv, '--json'], around)
  await pay(create({ key: 'late', 'beneficiary-name': 'ნინო ბერიძე' }))
  clock.skip(hour)
  await pay(create({ key: 'early', amount: '1200', 'beneficiary-name': '=1+1' }))
  clock.skip(11 * hour)
  await pay(createToReceiver({ key: 'noon', amount: '3' }))
  await pay(create({ key: 'small', amount: '0.01' }))
  await addFault(home, { at: 'before', kind: 'reset', times: 5 })
  await pay(create({ key: 'lost', amount: '4' }))
  clock.skip(9 * hour)
  return around
}

/** The same payouts for every test that only lists them: a read of one would be remembered. */
const shown: { around?: Awaited<ReturnType<typeof yesterdayAndToday>> } = {}

function looked(): Awaited<ReturnType<typeof yesterdayAndToday>> {
  if (!shown.around) throw new Error('the payouts are made before the tests')
  return shown.around
}

beforeAll(async () => {
  shown.around = await yesterdayAndToday()
})

/** The same list on a narrow terminal, a usual one and a wide one. */
const screens = [
  [
    40,
    `j-0123456789ab  2026-11-20 11:30
  Nino Beridze
  GEL 4.00  unknown
j-0123456789ab  2026-11-20 11:30
  Nino Beridze
  GEL 0.01  refused
j-0123456789ab  2026-11-20 11:30
  Nino Beridze
  GEL 3.00  INITIAL
j-0123456789ab  2026-11-20 00:30
  =1+1
  GEL 1200.00  INITIAL
j-0123456789ab  2026-11-19 23:30
  ნინო ბერიძე
  GEL 12.50  INITIAL
`,
  ],
  [
    80,
    `id              made (+04:00)     to                 amount  status   key
j-0123456789ab  2026-11-20 11:30  Nino Beridze     GEL 4.00  unknown  lost
j-0123456789ab  2026-11-20 11:30  Nino Beridze     GEL 0.01  refused  small
j-0123456789ab  2026-11-20 11:30  Nino Beridze     GEL 3.00  INITIAL  noon
j-0123456789ab  2026-11-20 00:30  =1+1          GEL 1200.00  INITIAL  early
j-0123456789ab  2026-11-19 23:30  ნინო ბერიძე     GEL 12.50  INITIAL  late
`,
  ],
  [
    200,
    `id              made (+04:00)     to                 amount  status   transaction  account                                      key    profile
j-0123456789ab  2026-11-20 11:30  Nino Beridze     GEL 4.00  unknown               GE29 NB00 0000 0101 9049 17                  lost   sandbox
j-0123456789ab  2026-11-20 11:30  Nino Beridze     GEL 0.01  refused               GE29 NB00 0000 0101 9049 17                  small  sandbox
j-0123456789ab  2026-11-20 11:30  Nino Beridze     GEL 3.00  INITIAL  100003       BRANCH 5a9db0c0-0011-4a11-8c11-000000000011  noon   sandbox-receiver
j-0123456789ab  2026-11-20 00:30  =1+1          GEL 1200.00  INITIAL  100002       GE29 NB00 0000 0101 9049 17                  early  sandbox
j-0123456789ab  2026-11-19 23:30  ნინო ბერიძე     GEL 12.50  INITIAL  100001       GE29 NB00 0000 0101 9049 17                  late   sandbox
`,
  ],
] as const

test('payout list: an empty journal says so at a terminal, and prints nothing into a pipe', async () => {
  const home = newHome()
  const shown = await paydesk(['payout', 'list'], { home, terminal: true })
  expect(shown).toMatchObject({ code: 0, stdout: 'No payouts found.\n' })
  expect(await paydesk(['payout', 'list'], { home })).toMatchObject({ code: 0, stdout: '' })
  expect(await rowsOf({ home })).toEqual([])
})

test('payout list: --today, --yesterday, --since and --until mean days of the local clock', async () => {
  const around = looked()
  expect(keysOf(await rowsOf(around, '--today'))).toEqual(['lost', 'small', 'noon', 'early'])
  expect(keysOf(await rowsOf(around, '--yesterday'))).toEqual(['late'])
  expect(keysOf(await rowsOf({ ...around, env: { TZ: 'UTC' } }, '--today'))).toEqual(['lost', 'small', 'noon'])
  expect(keysOf(await rowsOf(around, '--since', '2026-11-20'))).toHaveLength(4)
  expect(keysOf(await rowsOf(around, '--until', '2026-11-20'))).toEqual(['late'])
  expect(keysOf(await rowsOf(around, '--since', 'yesterday', '--until', 'today'))).toEqual(['late'])
  expect(keysOf(await rowsOf(around, '--since', '21h'))).toEqual(['lost', 'small', 'noon', 'early'])
  expect(keysOf(await rowsOf(around, '--since', '2026-11-19T20:00Z', '--until', '12h'))).toEqual(['early'])
})

test('payout list: payee, amount, status, key, profile and --open narrow the list', async () => {
  const around = looked()
  expect(keysOf(await rowsOf(around, '--payee', 'ბერი'))).toEqual(['late'])
  expect(keysOf(await rowsOf(around, '--payee', 'ge29 nb00'))).toEqual(['lost', 'small', 'early', 'late'])
  expect(keysOf(await rowsOf(around, '--payee', 'branch'))).toEqual(['noon'])
  expect(keysOf(await rowsOf(around, '--amount', '1200'))).toEqual(['early'])
  expect(keysOf(await rowsOf(around, '--amount', 'GEL 12.50'))).toEqual(['late'])
  expect(keysOf(await rowsOf(around, '--amount', '12.5 usd'))).toEqual([])
  expect(keysOf(await rowsOf(around, '--status', 'initial'))).toEqual(['noon', 'early', 'late'])
  expect(keysOf(await rowsOf(around, '--status', 'refused', '--status', 'unknown'))).toEqual(['lost', 'small'])
  expect(keysOf(await rowsOf(around, '--key', 'la*'))).toEqual(['late'])
  expect(keysOf(await rowsOf(around, '--key', 'la'))).toEqual([])
  expect(keysOf(await rowsOf(around, '--key', 'lost'))).toEqual(['lost'])
  expect(keysOf(await rowsOf(around, '-p', 'sandbox-receiver'))).toEqual(['noon'])
  expect(keysOf(await rowsOf(around, '--open'))).toEqual(['lost', 'noon', 'early', 'late'])
})

test('payout list --refresh: a status that is not final is read, and the journal remembers it', async () => {
  const around = await yesterdayAndToday()
  const before = await rowsOf(around, '--status', 'SUCCESS')
  expect(before).toEqual([])
  const paid = await rowsOf(around, '--status', 'SUCCESS', '--refresh')
  expect(keysOf(paid)).toEqual(['noon', 'early', 'late'])
  expect(paid[0]).toMatchObject({ end: 'paid', moneyMoved: 'yes', open: false })
  expect(paid[0]?.readAt).toMatch(/^2026-11-20T16:/)
  expect(keysOf(await rowsOf(around, '--open'))).toEqual(['lost'])
  const [known] = await rowsOf(around, '--key', 'noon', '--refresh')
  expect(known).toMatchObject({ status: 'SUCCESS', readAt: null })
})

test('payout list --refresh: statuses that cannot be read are warned about once a reason, and the list is shown (0)', async () => {
  const around = { home: newHome(), clock: hurriedClock(), random: impatient }
  const service = await serviceByHand(({ method }) => (method === 'GET' ? 'reset' : undefined))
  await addHandProfile(around.home, service.url)
  for (const key of ['one', 'two']) await paydesk(create({ profile: 'hand', key }), around)
  const ended = await succeeds(paydesk(['payout', 'list', '--refresh', '--json', '--timeout', '60s'], around))
  expect(ended.json.rows).toHaveLength(2)
  expect(ended.json.warnings).toEqual([expect.stringMatching(/^2 statuses were not read: /)])
})

test('payout list: the id of a row names its payout in payout get', async () => {
  const around = await yesterdayAndToday()
  const [row] = await rowsOf(around, '--key', 'early')
  const read = await paydesk(['payout', 'get', String(row?.journalId), '-p', 'sandbox', '--json'], around)
  expect(read.json).toMatchObject({ amount: 1200, uniqueId: row?.uniqueId })
})

test.each(screens)('payout list at %i columns: every row fits, with and without colours', async (columns, screen) => {
  const around = looked()
  const { stdout } = await paydesk(['payout', 'list'], { ...around, terminal: true, columns })
  const plain = stripVTControlCharacters(stdout)
  const [rows, note] = plain.split('\n\n')
  expect(`${rows?.replace(/j-[0-9a-f]{12}/g, 'j-0123456789ab')}\n`).toBe(screen)
  expect(note?.replaceAll('\n', ' ')).toContain('as this journal saw it last; --refresh asks the service.')
  for (const line of plain.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
  expect(stdout).toContain('\u001b[33munknown\u001b[39m')
  const colourless = await paydesk(['payout', 'list'], {
    ...{ ...around, terminal: true, columns },
    env: { ...tbilisi, NO_COLOR: '1' },
  })
  expect(colourless.stdout).toBe(plain)
})

test('payout list in a pipe: every row is one line with its cells between tabs', async () => {
  const around = looked()
  const { stdout } = await paydesk(['payout', 'list'], around)
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(5)
  for (const line of lines) expect(line.split('\t')).toHaveLength(15)
  expect(lines[4]).toContain('\t2026-11-19 23:30:0')
  expect(lines[4]).toContain('\tUTC+04:00\tნინო ბერიძე\tGE29NB0000000101904917\tGEL\t12.50\taccepted\tINITIAL\t')
})

test('payout list --output table: in a pipe, too, it is a table, and no row is folded or shortened', async () => {
  const around = looked()
  const { stdout } = await paydesk(['payout', 'list', '--output', 'table'], around)
  // Below it stands what the statuses are worth.
  const [table = ''] = stdout.split('\n\n')
  const [head = '', ...rows] = table.split('\n')
  expect(head).toMatch(/^id +made \(\+04:00\) +to +amount +status /)
  expect(rows).toHaveLength(5)
  expect(stdout).not.toMatch(/\t|…/)
})

test('payout list --output csv: it begins with a byte order mark, and no cell is a formula', async () => {
  const around = looked()
  const { stdout } = await paydesk(['payout', 'list', '--output', 'csv'], around)
  expect(stdout.startsWith('\uFEFFid,made,zone,name,account,')).toBe(true)
  expect(stdout).toContain(",'=1+1,")
  expect(stdout).not.toMatch(/,[=+@-]/)
  const some = await paydesk(['payout', 'list', '--output', 'csv', '--fields', 'name,amount'], around)
  expect(some.stdout).toContain('\uFEFFname,amount\n')
  expect(some.stdout).toContain("\n'=1+1,1200.00\n")
})

test('payout list --limit: every form says that the list is cut, and that an outcome is unknown', async () => {
  const around = looked()
  const cut = /only the newest 2 are shown/
  const json = await paydesk(['payout', 'list', '--limit', '2', '--json'], around)
  expect(json.json).toMatchObject({
    more: true,
    warnings: [expect.stringMatching(cut), expect.stringMatching(/unknown.*resume j-/)],
  })
  expect(json.stderr).toBe('')
  const lines = (await paydesk(['payout', 'list', '--limit', '2', '--output', 'ndjson'], around)).stdout
    .trimEnd()
    .split('\n')
  expect(lines).toHaveLength(3)
  expect(JSON.parse(String(lines[2]))).toEqual({ warnings: [expect.stringMatching(cut), expect.anything()] })
  for (const form of ['table', 'csv']) {
    expect((await paydesk(['payout', 'list', '--limit', '2', '--output', form], around)).stderr).toMatch(cut)
  }
  expect((await paydesk(['payout', 'list', '--limit', '5', '--json'], around)).json).toMatchObject({ more: false })
})

test.each([
  [['--since', 'last week'], '--since takes an age like'],
  [['--status', 'foo'], 'Statuses: INITIAL'],
  [['--totals', '--status', 'foo'], 'is no status of the service'],
  [['--since', '2026-11-31'], '--since takes'],
  [['--until', '2026-11-20T25:00'], '--until takes'],
  [['--since', '1d', '--until', '2d'], 'must be later than'],
  [['--amount', '12,50'], '--amount takes a sum'],
  [['--amount', '1e3'], '--amount takes a sum'],
  [['--today', '--yesterday'], '--yesterday'],
  [['--limit', '0'], '--limit'],
])('payout list %j: refused (2) with "%s"', async (flags, words) => {
  const ended = await paydesk(['payout', 'list', ...flags], { home: newHome() })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain(words)
})

test('payout list: an unknown profile is 4', async () => {
  const ended = await paydesk(['payout', 'list', '-p', 'acme', '--json'], { home: newHome() })
  expect(ended.code).toBe(4)
  expect(ended.error.message).toContain('there is no profile "acme"')
})

test('payout list --totals: sums by local day, currency and payee; accepted, unknown and refused stand apart', async () => {
  const around = looked()
  const { code, json, stderr } = await paydesk(['payout', 'list', '--totals', '--json'], around)
  expect(code, stderr).toBe(0)
  const none = { count: 0, amount: 0 }
  const rows = json.rows as readonly Row[]
  expect(
    rows.map(({ day, currency, name, accepted, unknown, refused }) => [
      day,
      currency,
      name,
      accepted,
      unknown,
      refused,
    ]),
  ).toEqual([
    // One account under two names: neither sum stands under the name of the other.
    ['2026-11-20', 'GEL', '=1+1', { count: 1, amount: 1200 }, none, none],
    ['2026-11-20', 'GEL', 'Nino Beridze', { count: 1, amount: 3 }, none, none],
    ['2026-11-20', 'GEL', 'Nino Beridze', none, { count: 1, amount: 4 }, { count: 1, amount: 0.01 }],
    ['2026-11-19', 'GEL', 'ნინო ბერიძე', { count: 1, amount: 12.5 }, none, none],
  ])
  expect(json.totals).toEqual([
    {
      ...{ currency: 'GEL', accepted: { count: 3, amount: 1215.5 } },
      ...{ unknown: { count: 1, amount: 4 }, refused: { count: 1, amount: 0.01 } },
    },
  ])
  expect(json.warnings).toEqual([expect.stringContaining('the outcome of one write is unknown')])
})

test('payout list --totals at 40 columns: each sum stands behind its word', async () => {
  const narrow = { ...looked(), terminal: true, columns: 40 }
  const shown = stripVTControlCharacters((await paydesk(['payout', 'list', '--totals'], narrow)).stdout)
  expect(shown).toMatch(
    /\nall\n {2}GEL {2}accepted 1215\.50 \(3\)\n {2}unknown 4\.00 \(1\) {2}refused 0\.01 \(1\)\n\naccepted: paid, on its/,
  )
})

test('payout list --totals: a terminal shows the sum of each currency, CSV the rows alone, and --limit is refused (2)', async () => {
  const around = looked()
  const screen = await paydesk(['payout', 'list', '--totals'], { ...around, terminal: true, columns: 100 })
  const shown = stripVTControlCharacters(screen.stdout)
  expect(shown).toMatch(/^day +to +currency +accepted +unknown +refused\n/)
  expect(shown).toMatch(
    /\nall +GEL +1215\.50 \(3\) +4\.00 \(1\) +0\.01 \(1\)\n\naccepted: paid, on its way, or not confirmed\. /,
  )
  const sheet = await paydesk(['payout', 'list', '--totals', '--output', 'csv', '--yesterday'], around)
  const [head, ...lines] = sheet.stdout.replace('\uFEFF', '').trim().split(/\r?\n/)
  expect(head).toBe(
    'day,currency,name,account,acceptedCount,acceptedAmount,unknownCount,unknownAmount,refusedCount,refusedAmount',
  )
  expect(lines).toEqual([expect.stringMatching(/^2026-11-19,GEL,ნინო ბერიძე,GE\w+,1,12\.50,0,0\.00,0,0\.00$/)])
  const limited = await paydesk(['payout', 'list', '--totals', '--limit', '2', '--json'], around)
  expect(limited, limited.stdout).toMatchObject({ code: 2, stdout: '' })
})
