import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { employees, handPayroll, plannedSandboxPayroll, refusing, sandboxPayroll } from '../../kit/batch.ts'
import { hurriedClock } from '../../kit/clock.ts'
import { beneficiaryIban, create } from '../../kit/payment.ts'
import { succeeds } from '../../kit/program.ts'
import { ledgerOf } from '../../kit/world.ts'

const day = 24 * 60 * 60 * 1000

test('batch plan: tells totals, words of consent and balance, and sends nothing', async () => {
  const payroll = sandboxPayroll([...employees(3), { key: 'u-1', amount: '5', currency: 'USD' }])
  const planned = await succeeds(payroll.plan())
  expect(planned.json).toMatchObject({
    planId: expect.stringMatching(/^b-[0-9a-f]{12}$/),
    rows: 4,
    totals: { GEL: 6.75, USD: 5 },
    consent: 'GEL 6.75 + USD 5.00',
    replayed: 0,
    firstTime: 1,
    known: 0,
    otherAccounts: 0,
    renewed: false,
    balances: [
      { currency: 'GEL', needed: 6.75, covers: true },
      { currency: 'USD', needed: 5, covers: true },
    ],
    warnings: [`1 beneficiary is paid for the first time: ${beneficiaryIban}`],
  })
  expect(planned.stdout).toContain('"GEL":6.75,"USD":5.00')
  expect(await ledgerOf(payroll.home)).toEqual([])
})

test('batch plan: tells the largest row of each currency by value, and batch show repeats it', async () => {
  const payroll = sandboxPayroll([
    { key: 'e-1', amount: '999.99' },
    { key: 'e-2', amount: '1000.00' },
    { key: 'e-3', amount: '1000' },
    { key: 'e-4', amount: '9.5', currency: 'USD' },
    { key: 'e-5', amount: '10.05', currency: 'USD' },
  ])
  const planned = await payroll.plan()
  const largest = { GEL: { row: 3, amount: 1000 }, USD: { row: 6, amount: 10.05 } }
  expect(planned.json, planned.stderr).toMatchObject({ largest })
  expect(planned.stdout).toContain('"largest":{"GEL":{"row":3,"amount":1000.00},"USD":{"row":6,"amount":10.05}}')
  expect((await payroll.batch('show')).json).toMatchObject({ largest })
  const drawn = await payroll.batch('show', '--output', 'table')
  expect(drawn.stdout).toMatch(/^largest row +GEL 1000\.00 \(row 3\), USD 10\.05 \(row 6\)$/m)
})

test('batch plan: counts known payees, first payments and known payees with another account, and warns of the last', async () => {
  const [otherIban, newIban] = ['GE18SB1000000000000014', 'GE60NB0000000123456789']
  const payroll = sandboxPayroll([
    { key: 'e-1', iban: beneficiaryIban },
    { key: 'e-2', iban: otherIban },
    { key: 'e-3', iban: newIban },
  ])
  expect((await payroll.run(create({ profile: null, amount: '1', 'to-iban': otherIban }))).code).toBe(0)
  const before = await payroll.plan()
  expect(before.json, before.stderr).toMatchObject({ firstTime: 2, known: 0, otherAccounts: 0 })
  const named = ['--beneficiary-name', 'Nino Beridze', '--to-iban', beneficiaryIban]
  expect((await payroll.run(['payee', 'add', ...named])).code).toBe(0)
  const planned = await payroll.plan('--again', 'once more')
  expect(planned.json, planned.stderr).toMatchObject({ firstTime: 1, known: 1, otherAccounts: 2 })
  const [first] = planned.json.warnings as readonly string[]
  expect(first).toContain('2 rows have a name and an account that do not belong together')
  expect(first).toContain(`row 3: Nino Beridze is listed with another account: ${beneficiaryIban}`)
  const drawn = await payroll.run(['batch', 'plan', `${payroll.home}/payroll.csv`, '--again', 'x', '--output', 'table'])
  expect(drawn.stdout).toMatch(/^CAUTION +2 rows have a name and an account that do not belong together$/m)
  expect(drawn.stdout).toMatch(/^listed payees +1$/m)
})

test('batch plan: a row gets the uniqueId that payout create gives the same idempotency key', async () => {
  const payroll = await plannedSandboxPayroll(employees(1))
  const shown = await payroll.batch('show')
  const alone = await payroll.run([
    ...create({ profile: null, key: 'e-1', amount: '1.25', description: 'Salary' }),
    '--dry-run',
  ])
  const { shown: rows } = shown.json as { shown: readonly { uniqueId: string }[] }
  expect(JSON.stringify(alone.json)).toContain(String(rows[0]?.uniqueId))
})

test('batch plan: a row whose key was paid before is counted as replayed', async () => {
  const payroll = sandboxPayroll(employees(2))
  expect((await payroll.run(create({ profile: null, key: 'e-2', amount: '2.25', description: 'Salary' }))).code).toBe(0)
  const planned = await payroll.plan()
  expect(planned.json, planned.stderr).toMatchObject({ replayed: 1, rows: 2 })
  expect(String(planned.json.warnings)).toContain('1 row was sent before and is not sent again: row 3')
})

test('batch plan: a key that stands for another payment is refused (2) and nothing is planned', async () => {
  const payroll = sandboxPayroll(employees(1))
  expect((await payroll.run(create({ profile: null, key: 'e-1', amount: '99' }))).code).toBe(0)
  const planned = await payroll.plan()
  expect(planned).toMatchObject({ code: 2, stdout: '' })
  expect(planned.error.message).toContain('1 row has the key of another payment: row 2: e-1 is j-')
  expect((await payroll.run(['batch', 'list'])).stdout).toBe('[]\n')
})

test('batch plan: stdin and a named pipe are refused (2), because a plan reads its file twice', async () => {
  const payroll = sandboxPayroll(employees(1))
  const pipe = join(payroll.home, 'pipe')
  execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', pipe])
  for (const [path, name] of [['-', 'stdin'] as const, [pipe, pipe] as const]) {
    const planned = await payroll.run(['batch', 'plan', path])
    expect(planned).toMatchObject({ code: 2, stdout: '' })
    expect(planned.error.message).toBe(`a plan reads its file twice, but ${name} can be read only once`)
    expect(String(planned.error.hints)).toContain('paydesk batch plan <file>')
  }
})

test('batch plan: a file without rows is refused (2)', async () => {
  const planned = await sandboxPayroll([]).plan('--name', 'nov')
  expect(planned.code).toBe(2)
  expect(planned.error.message).toContain('no rows')
})

test('batch plan: the same file again is the same plan (7), and after a day the plan is renewed (0)', async () => {
  const clock = hurriedClock()
  const payroll = sandboxPayroll(employees(2), { clock })
  const { planId } = (await payroll.plan()).json
  const again = await payroll.plan()
  expect(again).toMatchObject({ code: 7, error: { moneyMoved: 'no' }, json: { planId, rows: 2, renewed: false } })
  expect(again.error.message).toContain(String(planId))
  clock.skip(day + 1)
  expect((await payroll.plan()).json).toMatchObject({ planId, renewed: true })
})

test('batch plan: a file whose rows were all sent is not offered to be paid', async () => {
  const payroll = sandboxPayroll(employees(2))
  const { planId } = (await payroll.plan()).json
  expect((await payroll.run(['batch', 'run', String(planId), '--yes'])).code).toBe(0)
  const again = await payroll.run(['batch', 'plan', join(payroll.home, 'payroll.csv'), '--output', 'table'])
  expect(again.code).toBe(7)
  expect(again.stdout).toContain(
    `Nothing new to pay: every row was sent before. How they ended: paydesk batch status ${planId}`,
  )
  expect(again.stdout).not.toContain('Pay it')
})

test('batch plan: a file whose last open row was refused is not offered to be paid', async () => {
  const payroll = await handPayroll(employees(2), refusing('"amount":2.25'))
  const { planId } = (await payroll.plan()).json
  expect((await payroll.batch('run', '--confirm', 'GEL 3.5')).json).toMatchObject({ accepted: 1, refused: 1 })
  const again = await payroll.plan('--output', 'table')
  expect(again.stdout).toContain(`Nothing is left for a run to pay. How the rows ended: paydesk batch status ${planId}`)
  expect(again.stdout).not.toContain('--confirm')
  expect(again.code).toBe(7)
  const sent = payroll.service.creates.length
  await payroll.batch('run', '--confirm', 'GEL 3.5')
  expect(payroll.service.creates).toHaveLength(sent)
})

test('batch plan: rows with one account under two names are told', async () => {
  const payroll = sandboxPayroll([
    { key: 'e-1', name: 'Nino Beridze' },
    { key: 'e-2', name: 'NINO  BERIDZE' },
    { key: 'e-3', name: 'Levan Gelashvili' },
  ])
  const { warnings } = (await payroll.plan()).json as { warnings: string[] }
  expect(warnings[0]).toMatch(/^1 row has an account that an earlier row has under another name.*: rows 2, 4: GE/)
})

test('batch plan: an account that was paid before under another name is told', async () => {
  const payroll = sandboxPayroll([{ key: 'e-1', name: 'Levan Gelashvili' }])
  expect((await payroll.run(create({ profile: null, amount: '1', key: 'earlier' }))).code).toBe(0)
  const { warnings } = (await payroll.plan()).json as { warnings: string[] }
  expect(warnings[0]).toMatch(/^1 row has an account that was paid before under another name.*: row 2: GE.*, paid as /)
  payroll.write([{ key: 'e-1' }])
  expect(String((await payroll.plan()).json.warnings)).not.toContain('another name')
})

test('batch plan: with --again the same file is another plan, and its rows without a key have other ids', async () => {
  const payroll = sandboxPayroll([{ amount: '3' }, { amount: '3' }])
  const ids = async () => {
    const { shown } = (await payroll.batch('show')).json as { shown: { uniqueId: string }[] }
    return shown.map(({ uniqueId }) => uniqueId)
  }
  expect((await payroll.plan('--name', 'nov')).code).toBe(0)
  const first = await ids()
  expect(new Set(first).size).toBe(2)
  expect((await payroll.plan('--name', 'nov', '--again', 'a bonus')).code).toBe(0)
  const second = await ids()
  expect(new Set([...first, ...second]).size).toBe(4)
})

test('batch plan: an edited file keeps the ids of the rows that did not change', async () => {
  const ids = async (payroll: ReturnType<typeof sandboxPayroll>) => {
    const { shown } = (await payroll.batch('show')).json as {
      shown: { uniqueId: string; amount: number }[]
    }
    return new Map(shown.map(({ uniqueId, amount }) => [amount, uniqueId]))
  }
  const payroll = sandboxPayroll([{ amount: '3' }, { amount: '4' }])
  await payroll.plan('--name', 'nov')
  const before = await ids(payroll)
  payroll.write([{ amount: '7' }, { amount: '4' }])
  await payroll.plan('--name', 'nov')
  const after = await ids(payroll)
  expect(after.get(4)).toBe(before.get(4))
  expect(after.get(7)).not.toBe(before.get(3))
})

test('batch plan: on a live profile rows without a key need --name (2)', async () => {
  const payroll = await handPayroll([{ amount: '3' }], undefined, 'live')
  const planned = await payroll.run(['batch', 'plan', `${payroll.home}/payroll.csv`])
  expect(planned).toMatchObject({ code: 2, error: { message: expect.stringContaining('needs a name') } })
})

test('batch plan: on a live profile two equal rows are suspected duplicates (7) unless --allow-duplicates is given', async () => {
  const payroll = await handPayroll([{ amount: '3' }, { amount: '3' }], undefined, 'live')
  const planned = await payroll.plan('--name', 'nov')
  expect(planned).toMatchObject({ code: 7, error: { moneyMoved: 'no' } })
  expect(planned.error.message).toContain('rows 2, 3')
  expect((await payroll.plan('--name', 'nov', '--allow-duplicates')).code).toBe(0)
})

test('batch plan: on a live profile a row like a payout of today is a suspected duplicate (7) unless allowed', async () => {
  const payroll = await handPayroll(employees(1), undefined, 'live')
  await succeeds(payroll.run(create({ profile: null, amount: '1.25', yes: null, confirm: 'GEL 1.25' })))
  expect((await payroll.plan()).code).toBe(7)
  expect((await payroll.plan('--allow-duplicates')).code).toBe(0)
})
