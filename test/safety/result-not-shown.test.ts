/** A payment is told as what it is, though its result cannot be shown as asked, its status cannot be read, or two runs record it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realRandom } from '../../src/lib/edge.ts'
import { Journal } from '../../src/lib/journal/journal.ts'
import { type JournalTables, journalSchema } from '../../src/lib/store/journal/schema.ts'
import { employees, payroll } from '../kit/batch.ts'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, certificate, json, serviceByHand } from '../kit/service.ts'
import { memoryStore } from '../kit/store.ts'
import { ledgerOf } from '../kit/world.ts'

test.each([
  ['--fields', 'transactionID', 'there is no field transactionID'],
  ['--query', '[', 'Syntax error'],
  ['--query', 'nosuch(status)', 'Unknown function: nosuch()'],
  ['--query', 'warnings[].sort_by(@)', 'Invalid arity: sort_by()'],
])('payout create: %s %s, which no result can be shown by, is refused (2) unsent', async (flag, value, says) => {
  const home = newHome()
  const ended = await paydesk([...create(), '--json', flag, value], { home })
  expect(ended.code, ended.stdout).toBe(2)
  expect(ended.error).toMatchObject({ name: 'usage', moneyMoved: 'no' })
  expect(ended.error.message).toContain(says)
  expect(await ledgerOf(home)).toEqual([])
})

test.each([
  ['--fields', 'headers'],
  ['--query', 'length(headers)'],
])('payout create: %s %s, which this result cannot be shown by, gives all of it (0)', async (flag, value) => {
  const home = newHome()
  const ended = await paydesk([...create(), '--json', flag, value], { home })
  expect(ended).toMatchObject({ code: 0, json: { outcome: 'accepted' } })
  expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
})

test('payout create --key: a repeat with a field that no result has is refused (2), and says that the money may have moved', async () => {
  const home = newHome()
  expect((await paydesk([...create({ key: 'k-1' }), '--json'], { home })).code).toBe(0)
  const ended = await paydesk([...create({ key: 'k-1' }), '--json', '--fields', 'nosuch'], { home })
  expect(ended.code).toBe(2)
  expect(ended.error.moneyMoved).not.toBe('no')
})

describe.each([['--query', 'length(nosuch)']])('%s %s', (flag, value) => {
  const asked = ['--json', flag, value]
  const said = expect.stringMatching(new RegExp(`^${flag}: .*; the whole result is shown$`))

  /** Accepts payouts, which stay under way, but for those of 2.25. */
  async function accepted() {
    const home = newHome()
    let payout: Record<string, unknown> = {}
    const service = await serviceByHand(({ path, body }) => {
      if (path === '/api/distributor/details') {
        return json({ value: { ...payout, transactionId: 4711, status: 'PENDING' } })
      }
      if (path !== '/api/distributor') return undefined
      payout = JSON.parse(body) as Record<string, unknown>
      return payout.amount === 2.25 ? json({ message: 'no', statusCode: 5038 }, 400) : undefined
    })
    await addHandProfile(home, service.url)
    return home
  }

  test(`payout wait and create --wait: a pending payout (8) is shown whole beside ${flag} ${value}`, async () => {
    const home = await accepted()
    const line = create({ profile: 'hand', key: 'k-1', wait: true, timeout: '3s' })
    const around = { home, clock: hurriedClock(), random: impatient }
    const made = await paydesk([...line, ...asked], around)
    expect(made, made.stderr).toMatchObject({ code: 8, json: { transactionId: '4711', warnings: [said] } })
    expect(made.error).toMatchObject({ name: 'pending', moneyMoved: 'unknown', transactionId: '4711' })
    const waited = await paydesk(['payout', 'wait', '4711', '-p', 'hand', '--timeout', '3s', ...asked], around)
    expect(waited, waited.stderr).toMatchObject({ code: 8, json: { status: 'PENDING' }, error: { name: 'pending' } })
    const inWords = await paydesk([...line, flag, value], around)
    expect(inWords.code, inWords.stderr).toBe(8)
    expect(inWords.stdout).toContain('4711')
    expect(inWords.stderr).toContain('the whole result is shown')
  })

  test(`batch run: a partial run (10) is shown whole beside ${flag} ${value}`, async () => {
    const home = await accepted()
    writeFileSync(join(home, 'rows.csv'), payroll(employees(2)))
    const line = [join(home, 'rows.csv'), '--key-column', 'key', '-p', 'hand', '--json']
    const { json: plan } = await paydesk(['batch', 'plan', ...line], { home })
    const ran = await paydesk(['batch', 'run', String(plan.planId), '--confirm', 'GEL 3.50', ...asked], { home })
    expect(ran, ran.stderr).toMatchObject({ code: 10, json: { planId: plan.planId }, error: { name: 'partial' } })
  })

  test(`batch check: a wrong file (2) is shown whole beside ${flag} ${value}`, async () => {
    const home = newHome()
    writeFileSync(join(home, 'rows.csv'), payroll([{ key: 'e-1', amount: '-1' }]))
    const checked = await paydesk(['batch', 'check', join(home, 'rows.csv'), ...asked], { home })
    expect(checked, checked.stderr).toMatchObject({ code: 2, error: { name: 'usage' } })
    expect(checked.error.message).not.toContain(flag)
    expect(checked.stdout).not.toBe('')
  })
})

const refusing = () =>
  serviceByHand(({ path }) =>
    path === '/api/distributor/details' ? json({ message: 'no', statusCode: 5039 }, 400) : undefined,
  )

test('payout create --wait: an accepted payout whose details are refused is pending (8), with its receipt', async () => {
  const [home, service] = [newHome(), await refusing()]
  await addHandProfile(home, service.url)
  const ended = await paydesk([...create({ profile: 'hand', wait: true }), '--json'], { home })
  expect(ended.code).toBe(8)
  expect(ended.json).toMatchObject({ outcome: 'accepted', transactionId: '4711' })
})

test('payout wait: a payout whose details are refused is unknown (9), not refused', async () => {
  const [home, service] = [newHome(), await refusing()]
  await addHandProfile(home, service.url)
  const ended = await paydesk(['payout', 'wait', '4711', '-p', 'hand', '--json'], { home })
  expect(ended).toMatchObject({ code: 9, error: { moneyMoved: 'unknown', transactionId: '4711' } })
})

test('payout create: on a live profile an id that was refused before is held as a suspected duplicate (7)', async () => {
  const home = newHome()
  let refuse = true
  const service = await serviceByHand(
    ({ path }) => (refuse && path === '/api/distributor' ? json({ message: 'no', statusCode: 5038 }, 400) : undefined),
    true,
  )
  await addHandProfile(home, service.url, { environment: 'live', 'ca-file': certificate })
  const pay = (id: string) =>
    paydesk(create({ profile: 'hand', yes: null, confirm: 'GEL 12.50', 'unique-id': id }), { home })
  const [x, y] = ['0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11', '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a12']
  expect((await pay(x)).code).toBe(5)
  refuse = false
  expect((await pay(y)).code).toBe(0)
  expect((await pay(x)).code).toBe(7)
})

describe('journal: two runs of one payment', () => {
  const draft = {
    operation: 'payout.create',
    profile: 'p',
    environment: 'test',
    service: 's',
    serviceId: 's',
    clientId: 'c',
    uniqueId: 'u',
    idempotencyKey: null,
    body: '{}',
    bodyDigest: 'd',
    payee: 'x',
    amountMinor: '1250',
    currency: 'GEL',
  }
  const guard = { duplicates: 'off', allowed: null, limits: [], sendsHeld: true } as const
  const accepted = {
    kind: 'accepted',
    transactionId: '1',
    status: 'INITIAL',
    statusDescription: null,
    createdAt: null,
    answer: null,
  } as const
  const lost = { kind: 'unknown', why: 'no answer', words: null } as const

  async function slowAndQuick() {
    const store = await memoryStore<JournalTables>(journalSchema)
    let now = 0
    const clock = { now: () => now, steady: () => null, sleep: async () => undefined }
    const run = (self: string) => new Journal(store, clock, realRandom, { self, standing: () => 'unknown' })
    const [slow, quick] = [run('slow'), run('quick')]
    const first = await slow.begin(draft, guard, 1000, 'recognised')
    if (first.kind !== 'begun') throw new Error('not begun')
    now = 5000
    const second = await quick.begin(draft, guard, 1000, 'recognised')
    if (second.kind !== 'begun') throw new Error('not begun')
    return { slow, quick, first, second }
  }

  test('journal: a lost answer of a run whose lease ended does not take back the outcome that another run recorded', async () => {
    const { slow, quick, first, second } = await slowAndQuick()
    await quick.finish(second.intent, second.attempt, accepted)
    expect(await slow.finish(first.intent, first.attempt, lost)).toMatchObject({
      state: 'accepted',
      transactionId: '1',
    })
  })
})
