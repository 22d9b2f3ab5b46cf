/** Payments that must never be told as "no money moved", and words that no later run may take back. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realRandom } from '../../src/lib/edge.ts'
import { Journal } from '../../src/lib/journal/journal.ts'
import { type JournalTables, journalSchema } from '../../src/lib/store/journal/schema.ts'
import { employees, payroll } from '../kit/batch/payroll.ts'
import { create } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { addHandProfile, certificate, json, serviceByHand } from '../kit/service/service-by-hand.ts'
import { memoryStore } from '../kit/store/memory.ts'
import { ledgerOf } from '../kit/world.ts'

describe('a result that cannot be shown as asked', () => {
  test.each([
    ['--fields', 'transactionID'],
    ['--query', '['],
  ])('is shown whole, because the payout was made: %s %s', async (flag, value) => {
    const home = newHome()
    const ended = await paydesk([...create(), '--json', flag, value], { home })
    expect(ended).toMatchObject({ code: 0, json: { outcome: 'accepted' } })
    expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
  })
})

describe.each([
  ['--fields', 'nosuch'],
  ['--query', 'a['],
])('a failure whose document cannot be shown as asked (%s %s) stays what it is, the document whole', (flag, value) => {
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

  test('payout wait and create --wait are pending (8)', async () => {
    const home = await accepted()
    const line = create({ profile: 'hand', key: 'k-1', wait: true, timeout: '3s' })
    const made = await paydesk([...line, ...asked], { home })
    expect(made, made.stderr).toMatchObject({ code: 8, json: { transactionId: '4711', warnings: [said] } })
    expect(made.error).toMatchObject({ name: 'pending', moneyMoved: 'unknown', transactionId: '4711' })
    const waited = await paydesk(['payout', 'wait', '4711', '-p', 'hand', '--timeout', '3s', ...asked], { home })
    expect(waited, waited.stderr).toMatchObject({ code: 8, json: { status: 'PENDING' }, error: { name: 'pending' } })
    const inWords = await paydesk([...line, flag, value], { home })
    expect(inWords.code, inWords.stderr).toBe(8)
    expect(inWords.stdout).toContain('4711')
    expect(inWords.stderr).toContain('the whole result is shown')
  })

  test('batch run is partial (10)', async () => {
    const home = await accepted()
    writeFileSync(join(home, 'rows.csv'), payroll(employees(2)))
    const line = [join(home, 'rows.csv'), '--key-column', 'key', '-p', 'hand', '--json']
    const { json: plan } = await paydesk(['batch', 'plan', ...line], { home })
    const ran = await paydesk(['batch', 'run', String(plan.planId), '--confirm', 'GEL 3.50', ...asked], { home })
    expect(ran, ran.stderr).toMatchObject({ code: 10, json: { planId: plan.planId }, error: { name: 'partial' } })
  })

  test('sandbox run is refused (5), batch check usage (2)', async () => {
    const home = newHome()
    const scenario = join(home, 'scenario.yaml')
    writeFileSync(scenario, 'scenario: one\nsteps:\n  - { wait: 1ms, expect: { ledger: { payouts: 1 } } }\n')
    const played = await paydesk(['sandbox', 'run', scenario, ...asked], { home })
    expect(played, played.stderr).toMatchObject({ code: 5, json: { failed: 1 }, error: { name: 'refused' } })
    writeFileSync(join(home, 'rows.csv'), payroll([{ key: 'e-1', amount: '-1' }]))
    const checked = await paydesk(['batch', 'check', join(home, 'rows.csv'), ...asked], { home })
    expect(checked, checked.stderr).toMatchObject({ code: 2, error: { name: 'usage' } })
    expect(checked.error.message).not.toContain(flag)
    expect(checked.stdout).not.toBe('')
  })
})

describe('an accepted payout whose status cannot be read', () => {
  const refusing = () =>
    serviceByHand(({ path }) =>
      path === '/api/distributor/details' ? json({ message: 'no', statusCode: 5039 }, 400) : undefined,
    )

  test('is pending (8) for create --wait, with the receipt', async () => {
    const [home, service] = [newHome(), await refusing()]
    await addHandProfile(home, service.url)
    const ended = await paydesk([...create({ profile: 'hand', wait: true }), '--json'], { home })
    expect(ended.code).toBe(8)
    expect(ended.json).toMatchObject({ outcome: 'accepted', transactionId: '4711' })
  })

  test('is unknown (9) for payout wait, and never "refused"', async () => {
    const [home, service] = [newHome(), await refusing()]
    await addHandProfile(home, service.url)
    const ended = await paydesk(['payout', 'wait', '4711', '-p', 'hand', '--json'], { home })
    expect(ended).toMatchObject({ code: 9, error: { moneyMoved: 'unknown', transactionId: '4711' } })
  })

  test('is not taken for the payout that the answer speaks of', async () => {
    const home = newHome()
    const other = { transactionId: 999, status: 'SUCCESS', amount: 1, currency: 'GEL', uniqueId: 'another' }
    const service = await serviceByHand(({ path }) =>
      path === '/api/distributor/details' ? json({ value: other }) : undefined,
    )
    await addHandProfile(home, service.url)
    const ended = await paydesk(['payout', 'get', '4711', '-p', 'hand', '--json'], { home })
    expect(ended).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
  })
})

describe('the guard against suspected duplicates on a live profile', () => {
  test('looks at an id that the journal knows from a refusal, too', async () => {
    const home = newHome()
    let refuse = true
    const service = await serviceByHand(
      ({ path }) =>
        refuse && path === '/api/distributor' ? json({ message: 'no', statusCode: 5038 }, 400) : undefined,
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
})

describe('two runs of one payment', () => {
  const draft = {
    operation: 'payout.create',
    profile: 'p',
    environment: 'test',
    service: 's',
    serviceId: 's',
    clientId: 'c',
    uniqueId: 'u',
    businessKey: null,
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

  test('the outcome that a run recorded is not taken back by one whose lease had ended', async () => {
    const { slow, quick, first, second } = await slowAndQuick()
    await quick.finish(second.intent, second.attempt, accepted)
    expect(await slow.finish(first.intent, first.attempt, lost)).toMatchObject({
      state: 'accepted',
      transactionId: '1',
    })
  })

  test('a run whose lease had ended makes no further attempt', async () => {
    const { slow, first } = await slowAndQuick()
    await expect(slow.again(first.intent, [])).rejects.toMatchObject({ kind: 'locked' })
  })

  test("the operator's word does not overwrite what was learned while he was asked", async () => {
    const { slow, quick, first, second } = await slowAndQuick()
    const open = await slow.finish(first.intent, first.attempt, lost)
    await quick.finish(second.intent, second.attempt, accepted)
    await quick.release(second.intent)
    await expect(slow.close(open, 'refused', 'I say so')).rejects.toMatchObject({ kind: 'locked' })
  })
})
