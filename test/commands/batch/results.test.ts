import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PlansInFolder } from '../../../src/lib/batch/local-plans.ts'
import { minorUnits } from '../../../src/lib/contract/core/decimal.ts'
import { realClock } from '../../../src/lib/edge.ts'
import {
  employees,
  type HandPayroll,
  handPayroll,
  painFile,
  paperFiles,
  papersIn,
  payment,
  plannedPayroll,
  plannedSandboxPayroll,
  refusing,
} from '../../kit/batch.ts'
import { succeeds } from '../../kit/program.ts'
import { json } from '../../kit/service.ts'

const results = ({ planId }: { readonly planId: string }, dir: string, ...more: readonly string[]) => [
  ...['batch', 'results', planId, '--dir', dir],
  ...more,
]

test('batch results: each row stands in one of four files, its own columns first, then its outcome', async () => {
  const payroll = await plannedPayroll(employees(4), refusing('"amount":2.25'))
  await payroll.batch('run', '--confirm', 'GEL 11', '--concurrency', '1', '--max-failures', '1')
  const dir = join(payroll.home, 'november')
  const ended = await succeeds(payroll.run(results(payroll, dir)))
  expect(ended.json).toMatchObject({
    rows: 4,
    totals: { GEL: 11 },
    papers: [
      { path: join(dir, 'ok.csv'), rows: 1, totals: { GEL: 1.25 } },
      { path: join(dir, 'refused.csv'), rows: 1, totals: { GEL: 2.25 } },
      { rows: 0, totals: {} },
      { path: join(dir, 'unsent.csv'), rows: 2, totals: { GEL: 7.5 } },
    ],
    report: null,
    notPaid: 0,
    journalHead: expect.stringMatching(/^\d+-[0-9a-f]{24}$/),
  })
  const header = readFileSync(join(dir, 'ok.csv'), 'utf8').split('\n')[0]
  expect(header).toBe(
    '\uFEFFkey,amount,currency,description,toIban,beneficiaryName,paydesk:state,paydesk:status,paydesk:code,paydesk:why,paydesk:row,paydesk:uniqueId,paydesk:transactionId,paydesk:journalId',
  )
  const { ok, refused, unsent } = papersIn(dir)
  expect(ok).toMatchObject([{ key: 'e-1', 'paydesk:state': 'accepted', 'paydesk:transactionId': '4711' }])
  expect(refused).toMatchObject([
    { key: 'e-2', amount: '2.25', 'paydesk:code': '5042', 'paydesk:why': expect.stringContaining('type mismatch') },
  ])
  expect(unsent.map((row) => [row.key, row['paydesk:state']])).toEqual([
    ['e-3', 'planned'],
    ['e-4', 'planned'],
  ])
  expect(readdirSync(dir).toSorted()).toEqual(['ok.csv', 'refused.csv', 'unknown.csv', 'unsent.csv'])
  for (const name of paperFiles) expect(statSync(join(dir, `${name}.csv`)).mode & 0o777).toBe(0o600)
})

test('batch results: an existing file is not overwritten (2) without --overwrite', async () => {
  const payroll = await plannedSandboxPayroll(employees(2))
  const dir = join(payroll.home, 'papers')
  await payroll.run(results(payroll, dir))
  writeFileSync(join(dir, 'refused.csv'), 'mended')
  await payroll.batch('run', '--yes')
  const refused = await payroll.run(results(payroll, dir))
  expect(refused).toMatchObject({ code: 2, error: { message: expect.stringContaining('already exists') } })
  expect(readFileSync(join(dir, 'refused.csv'), 'utf8')).toBe('mended')
  expect(papersIn(dir).ok).toEqual([])
  await succeeds(payroll.run(results(payroll, dir, '--overwrite')))
  expect(papersIn(dir).ok).toHaveLength(2)
  expect(readdirSync(dir)).toHaveLength(4)
})

test('batch results: a directory that cannot be made is refused (2) and nothing is written', async () => {
  const payroll = await plannedSandboxPayroll(employees(1))
  writeFileSync(join(payroll.home, 'file'), '')
  const ended = await payroll.run(results(payroll, join(payroll.home, 'file', 'below')))
  expect(ended).toMatchObject({ code: 2, error: { moneyMoved: 'no', message: expect.stringContaining('cannot be') } })
})

test('batch results: result files that do not add up to their plan are not written (1)', async () => {
  const payroll = await plannedSandboxPayroll(employees(3))
  const store = await new PlansInFolder(join(payroll.home, 'batches'), realClock).open(payroll.planId)
  await store.write(({ db }) =>
    db.updateTable('plan_rows').set({ amount_minor: '126' }).where('number', '=', 2).execute(),
  )
  await store.close()
  const dir = join(payroll.home, 'papers')
  const ended = await payroll.run(results(payroll, dir))
  expect(ended).toMatchObject({ code: 1, stdout: '', error: { message: expect.stringContaining('do not add up') } })
  expect(readdirSync(dir)).toEqual([])
})

type Fate = 'accepted' | 'refused' | 'unknown' | 'turned-away' | 'exists'

const fates: readonly Fate[] = ['accepted', 'refused', 'unknown', 'turned-away', 'exists']

/** A service that does to each payout what its description says. */
async function fatedPayroll(rows: readonly { readonly fate: Fate; readonly cents: number }[]): Promise<HandPayroll> {
  const given = rows.map(({ fate, cents }, at) => ({
    key: `k-${at}`,
    amount: (cents / 100).toFixed(2),
    currency: at % 3 === 0 ? 'USD' : 'GEL',
    description: `Fate ${fate}`,
  }))
  const tried = new Map<string, number>()
  return handPayroll(given, ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const { description, uniqueId } = JSON.parse(body) as { description: string; uniqueId: string }
    const tries = (tried.get(uniqueId) ?? 0) + 1
    tried.set(uniqueId, tries)
    const fate = description.slice('Fate '.length)
    if (fate === 'refused') return json({ message: 'no', statusCode: 5042 }, 400)
    if (fate === 'unknown') return 'reset'
    if (fate === 'turned-away') return json({ message: 'later' }, 429)
    if (fate === 'exists') return tries === 1 ? 'reset' : json({ message: 'Duplicate', statusCode: 5017 }, 400)
    return undefined
  })
}

const sumOf = (rows: readonly Readonly<Record<string, string>>[]) =>
  rows.reduce((sum, { amount = '' }) => sum + (minorUnits(amount) ?? -1_000_000n), 0n)

/** The status of a plan has the sums of its papers. */
async function mustAgree(payroll: HandPayroll, told: Readonly<Record<string, unknown>>): Promise<void> {
  const papers = told.papers as readonly { readonly totals: Readonly<Record<string, number>> }[]
  const status = await payroll.batch('status')
  const cents = (sum: number | undefined) => Math.round((sum ?? 0) * 100)
  for (const of of status.json.money as readonly Readonly<Record<string, number>>[]) {
    const own = papers.map(({ totals }) => cents(totals[String(of.currency)]))
    const unknown = cents(of.exists) + cents(of.unknown) + cents(of.conflict) + cents(of.sending)
    expect([cents(of.accepted), cents(of.refused), unknown, cents(of.left)]).toEqual(own)
  }
}

test('batch results: the four files and batch status agree with the plan to the last cent, whatever the outcomes', async () => {
  const row = fc.record({ fate: fc.constantFrom(...fates), cents: fc.integer({ min: 1, max: 999_999_99 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      const payroll = await fatedPayroll(rows)
      const planned = await payroll.plan()
      const consent = String(planned.json.consent)
      await payroll.batch('run', '--confirm', consent, '--timeout', '2s')
      const dir = join(payroll.home, 'papers')
      const ended = await succeeds(payroll.run(results(payroll, dir)))
      await mustAgree(payroll, ended.json)
      const papers = papersIn(dir)
      const all = paperFiles.flatMap((name) => papers[name])
      expect(all.map(({ key }) => key).toSorted()).toEqual(rows.map((_, at) => `k-${at}`).toSorted())
      expect(sumOf(all)).toBe(rows.reduce((sum, { cents }) => sum + BigInt(cents), 0n))
      for (const { description = '' } of papers.ok) expect(description).toMatch(/accepted|exists/)
      for (const { description = '' } of papers.refused) expect(description).toBe('Fate refused')
    }),
    { numRuns: 6 },
  )
  // Six whole runs of a plan.
}, 60_000)

test('batch plan: an edited refused.csv is planned without complaint, and each of its rows is paid once under its key', async () => {
  let isStrict = true
  const payroll = await plannedPayroll(
    [...employees(2), { key: '-7', amount: '3', description: '+Bonus' }],
    ({ path, body }) =>
      path === '/api/distributor' && isStrict && (body.includes('2.25') || body.includes('Bonus'))
        ? json({ message: 'no', statusCode: 5042 }, 400)
        : undefined,
  )
  const first = await payroll.batch('run', '--confirm', 'GEL 6.50')
  expect(first, first.stderr).toMatchObject({ code: 10, json: { refused: 2 } })
  await payroll.run(results(payroll, payroll.home))
  isStrict = false
  const path = join(payroll.home, 'refused.csv')
  const text = readFileSync(path, 'utf8')
  expect(text).toContain("'-7,3,GEL,'+Bonus")
  writeFileSync(path, text.replace('2.25', '2.20').replace('Bonus', 'Bonus 11'))
  const planned = await payroll.run(['batch', 'plan', path, '--key-column', 'key'])
  expect(planned, planned.stderr).toMatchObject({ code: 0, json: { rows: 2, totals: { GEL: 5.2 } } })
  const planId = String(planned.json.planId)
  const second = await payroll.run(['batch', 'run', planId, '--confirm', 'GEL 5.20'])
  expect(second, second.stderr).toMatchObject({ code: 0, json: { accepted: 2 } })
  const sent = payroll.service.creates.map(({ body }) => JSON.parse(body))
  const refused = sent.find(({ amount }) => amount === 2.25)
  const mended = sent.filter(({ amount }) => amount === 2.2)
  expect(mended.map(({ uniqueId }) => uniqueId)).toEqual([refused.uniqueId])
  expect(sent.filter(({ description }) => description.startsWith('+Bonus'))).toHaveLength(2)
  expect((await payroll.run(['batch', 'results', planId, '--dir', join(payroll.home, 'again')])).code).toBe(0)
  const header = readFileSync(join(payroll.home, 'again', 'ok.csv'), 'utf8').split('\n')[0] ?? ''
  expect(header.match(/paydesk:state/g)).toHaveLength(1)
})

test('batch results: refused.csv of a pain.001 plan has payout fields, uses EndToEndId as key, and can be planned', async () => {
  const payroll = await handPayroll([], refusing('"amount":2.5', '"amount":3'))
  const file = painFile({
    payments: [payment('emp-1', '1.5'), payment('emp-2', '+02.500'), payment('NOTPROVIDED', '3')],
  })
  const path = join(payroll.home, 'pain.xml')
  writeFileSync(path, file)
  const planned = await payroll.run(['batch', 'plan', path])
  const planId = String(planned.json.planId)
  await payroll.run(['batch', 'run', planId, '--confirm', 'GEL 7'])
  const ended = await payroll.run(results({ planId }, payroll.home))
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { report: join(payroll.home, 'pain.002.xml') } })
  expect(existsSync(join(payroll.home, 'pain.002.xml'))).toBe(true)
  expect(papersIn(payroll.home).refused).toMatchObject([
    {
      EndToEndId: 'emp-2',
      amount: '2.50',
      currency: 'GEL',
      beneficiaryName: 'Nino Beridze',
      'paydesk:PmtInfId': 'p-1',
    },
    { EndToEndId: `${planId}/3`, amount: '3.00' },
  ])
  const refused = join(payroll.home, 'refused.csv')
  const again = await payroll.run(['batch', 'plan', refused, '--key-column', 'EndToEndId'])
  expect(again, again.stderr).toMatchObject({ code: 0, json: { rows: 2, totals: { GEL: 5.5 } } })
})
