/** `--dry-run` refuses what the run would refuse, with the same code, and writes nothing. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { impatient, stillClock } from '../../kit/clock.ts'
import { create, type Flags } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { type Answering, addHandProfile, serviceByHand } from '../../kit/service.ts'

async function desk(added: readonly string[] = [], answering: Answering = () => undefined) {
  const home = newHome()
  const around = { home, clock: stillClock(), random: impatient }
  const service = await serviceByHand(answering)
  await addHandProfile(home, service.url)
  await succeeds(paydesk(['profile', 'add', 'hand', ...added, '--json'], { home }))
  const pay = (given: Flags = {}) => paydesk([...create({ profile: 'hand', ...given }), '--json'], around)
  const dry = (given: Flags = {}) => pay({ ...given, 'dry-run': true })
  /** Every file of this home, byte for byte. */
  const all = () => {
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    // The index of SQLite's log is shared memory of its readers.
    const kept = files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => !path.endsWith('-shm'))
    return new Map(kept.map((path) => [path, readFileSync(path).toString('base64')]))
  }
  const list = async () => (await paydesk(['journal', 'list', '--json'], { home })).stdout
  return { home, service, pay, dry, all, list }
}

test('payout create --dry-run: a payout over a limit is held (13) as in the run, and nothing is kept', async () => {
  const { service, pay, dry, list } = await desk(['--limit', 'GEL 20/day'])
  expect((await pay({ key: 'first' })).code).toBe(0)
  const before = await list()
  const sent = service.seen.length
  const ended = await dry({ key: 'second' })
  expect(ended.code, ended.stderr).toBe(13)
  // The text of --confirm: the run wants it before it keeps the payment as held.
  expect(ended.json).toMatchObject({ dryRun: true, confirm: 'GEL 12.50' })
  expect(ended.error).toMatchObject({
    name: 'held',
    moneyMoved: 'no',
    message: expect.stringMatching(
      /^it will not be sent now, but held: over a limit: GEL 20\.00\/day leaves GEL 7\.50/,
    ),
  })
  expect([await list(), service.seen.length]).toEqual([before, sent])
  const run = await pay({ key: 'second' })
  expect(run.code).toBe(13)
  const why = (told: { error: Record<string, unknown> }) => String(told.error.message).split('over a limit')[1]
  expect(why(run)).toBe(why(ended))
  const still = await dry({ key: 'second' })
  expect(still.code).toBe(13)
  expect(still.error.message).toContain(`stays held (${run.error.journalId})`)
})

test('payout create --dry-run --key: another amount is refused (7), and the same body says that nothing would be sent', async () => {
  const { pay, dry, list } = await desk()
  const done = await pay({ key: 'emp-17' })
  const before = await list()
  const other = await dry({ key: 'emp-17', amount: '13' })
  expect(other.code).toBe(7)
  expect(other.error).toMatchObject({ name: 'duplicate', journalId: done.json.journalId })
  expect(other.error.message).toBe((await pay({ key: 'emp-17', amount: '13' })).error.message)
  const same = await succeeds(dry({ key: 'emp-17' }))
  expect(same.json.warnings).toEqual([
    `it was sent before: the run would send nothing, and answer with ${done.json.journalId} (accepted)`,
  ])
  expect(await list()).toBe(before)
})

test.each(['refuse', 'warn'] as const)(
  'payout create --dry-run: a suspected duplicate ends as in the run, with --duplicate-guard %s',
  async (guard) => {
    const { pay, dry, all } = await desk(['--duplicate-guard', guard])
    const first = await pay()
    const before = all()
    const ended = await dry()
    expect(ended.code, ended.stderr).toBe(guard === 'refuse' ? 7 : 0)
    const id = String(first.json.journalId)
    if (guard === 'refuse') expect(ended.error.journalId).toBe(id)
    else expect(ended.json.warnings).toEqual([expect.stringContaining(id)])
    expect((await dry({ 'allow-duplicate': id })).code).toBe(0)
    expect(all()).toEqual(before)
    expect((await pay()).code).toBe(ended.code)
  },
)

test('payout create --dry-run: an unknown payment is warned about, because the run would resolve it first', async () => {
  const { pay, dry } = await desk([], ({ path, method }) =>
    method === 'POST' && path === '/api/distributor' ? 'reset' : undefined,
  )
  const lost = await pay({ key: 'lost' })
  expect(lost.code, lost.stderr).toBe(9)
  const ended = await succeeds(dry({ key: 'lost' }))
  expect(ended.json.warnings).toEqual([
    `an earlier attempt is open (${lost.error.journalId}): the run would resolve it first`,
  ])
})

test('payout create --dry-run: a --confirm of another sum is declined (3), and --curl refuses another amount (7)', async () => {
  const { pay, dry } = await desk()
  const wrong = { yes: null, confirm: 'GEL 99.00' }
  const [ran, tried] = [await pay(wrong), await dry(wrong)]
  expect([tried.code, tried.error.message]).toEqual([ran.code, ran.error.message])
  expect(tried.code).toBe(3)
  await pay({ key: 'k' })
  expect((await pay({ key: 'k', amount: '13', curl: true })).code).toBe(7)
})

test('payout create --dry-run --key: no journal is made, and the uniqueId is the one sent later', async () => {
  const { home, pay, dry } = await desk()
  const tried = await succeeds(dry({ key: 'emp-17' }))
  expect(readdirSync(home)).not.toContain('journal')
  expect(String(tried.json.body)).toContain(`"uniqueId":"${(await pay({ key: 'emp-17' })).json.uniqueId}"`)
})
