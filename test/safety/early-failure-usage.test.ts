/**
 * A wrong command line (2) or a profile that does not exist (4) ends a command before it has looked for the payment:
 * it never says that an earlier run did not pay.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import PayoutCreate from '../../src/commands/payout/create.ts'
import { readableFlags, TypedLine } from '../../src/lib/cli/flags/typed-line.ts'
import { employees, handPayroll } from '../kit/batch.ts'
import { create } from '../kit/payment.ts'
import { postgresServer } from '../kit/postgres.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, serviceByHand } from '../kit/service.ts'

const server = postgresServer()

const uniqueId = '5a9db0c0-0301-4a11-8c11-00000000aaaa'
const other = '5a9db0c0-0301-4a11-8c11-00000000bbbb'

/** A payout that was accepted under its key, or under an id of its own. */
async function paid(named: { readonly key?: string; readonly 'unique-id'?: string }) {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const run = (argv: readonly string[]) => paydesk([...argv, '--json'], { home })
  const made = await run(create({ profile: 'hand', ...named }))
  expect(made.code, made.stderr).toBe(0)
  return { home, run, service, json: made.json, journalId: String(made.json.journalId) }
}

test('payout create --key twice, one of the keys is paid: usage (2), moneyMoved unknown, with its journal id', async () => {
  const { run, journalId } = await paid({ key: 'K1' })
  for (const [first, more] of [
    [{ key: 'zz' }, ['--key', 'K1']],
    [{ key: 'K1' }, ['--key', 'zz']],
    [{ key: 'zz' }, ['--key=K1', '--key', 'yy']],
  ] as const) {
    const ended = await run([...create({ profile: 'hand', ...first }), ...more])
    expect(ended, ended.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'unknown', journalId } })
  }
})

test('payout create --unique-id twice or --file twice, the second is paid: usage (2), moneyMoved unknown, with its journal id', async () => {
  const { home, run, journalId } = await paid({ 'unique-id': uniqueId })
  const [empty, file] = [join(home, 'empty.json'), join(home, 'payout.json')]
  writeFileSync(empty, '{}')
  writeFileSync(file, JSON.stringify({ uniqueId }))
  for (const argv of [
    [...create({ profile: 'hand', 'unique-id': other }), '--unique-id', uniqueId],
    ['payout', 'create', '-p', 'hand', '--file', empty, '--file', file, '--yes'],
  ]) {
    const ended = await run(argv)
    expect(ended, ended.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'unknown', journalId } })
  }
})

test('payout create --key, two profiles, one of them has paid the key: usage (2), moneyMoved unknown', async () => {
  const { run } = await paid({ key: 'K1' })
  const ended = await run([...create({ profile: 'sandbox', key: 'K1' }), '-p', 'hand'])
  expect(ended, ended.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
})

test('payout get with a word too much: usage (2), moneyMoved unknown, with the journal id', async () => {
  const { run, journalId } = await paid({ key: 'K1' })
  const ended = await run(['payout', 'get', 'zz', 'K1', '-p', 'hand'])
  expect(ended, ended.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'unknown', journalId } })
})

test('batch resume of two plans, one of them is done: usage (2), moneyMoved yes', async () => {
  const payroll = await handPayroll(employees(2))
  await payroll.plan()
  expect((await payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 3.50'])).code).toBe(0)
  const again = await payroll.run(['batch', 'resume', 'b-000000000000', payroll.planId, '--confirm', 'GEL 3.50'])
  expect(again, again.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'yes' } })
})

test('payout create, get and wait with a mistyped profile: credentials (4), moneyMoved no only for a key that no profile has sent', async () => {
  const { home, json, service } = await paid({ key: 'k-1' })
  const refused = { code: 4, stdout: '', error: { name: 'credentials', journalId: null, uniqueId: null } }
  const pay = (key: string) => paydesk([...create({ profile: 'hnad', key }), '--json'], { home })
  const read = (command: string, id: string) => paydesk(['payout', command, id, '-p', 'hnad', '--json'], { home })
  for (const ended of [await pay('k-1'), await read('get', '4711'), await read('wait', String(json.uniqueId))]) {
    expect(ended, ended.stderr).toMatchObject({ ...refused, error: { ...refused.error, moneyMoved: 'unknown' } })
    expect(ended.error.message).toContain('there is no profile "hnad"; there is hand')
    expect(String(ended.error.hints)).toContain('paydesk journal list')
  }
  expect(await pay('k-2')).toMatchObject({ ...refused, error: { ...refused.error, moneyMoved: 'no' } })
  expect(service.creates).toHaveLength(1)
})

/** The ways of writing `-p hand`, behind flags in the same word, too. */
const spellings = [
  ['-p', 'hand'],
  ['-phand'],
  ['-p=hand'],
  ['-qp', 'hand'],
  ['-yp', 'hand'],
  ['-qyphand'],
  ['--yes=-phand'],
  ['--profile=hand'],
]

test.each(spellings.map((words) => [words.join(' '), words] as const))(
  'payout create %s: the line names the profile hand, as oclif reads it',
  async (_, words) => {
    const flags = readableFlags({ ...PayoutCreate.baseFlags, ...PayoutCreate.flags })
    expect(new TypedLine(words, flags).value('--profile')).toBe('hand')
    // A line that oclif read otherwise would end as a defect (1).
    const ended = await paydesk(['payout', 'create', '--yes', ...words, '--json'], { home: newHome() })
    expect(ended, ended.stderr).toMatchObject({ code: 4, error: { message: expect.stringContaining('"hand"') } })
  },
)

test('payout create of a team, its profile spelled -p hand and -qyphand: one store, executed once', {
  timeout: 60_000,
}, async () => {
  const [home, service] = [newHome(), await serviceByHand()]
  await addHandProfile(home, service.url, { store: await server.newAddress() })
  for (const words of [['-p', 'hand'], ['-qyphand']]) {
    const ended = await paydesk([...create({ profile: null, key: 'k-1' }), ...words, '--json'], { home })
    expect(ended.code, `${words.join(' ')}: ${ended.stderr}`).toBe(0)
  }
  expect(service.creates).toHaveLength(1)
})

test('payout create -qyphand, a profile without a store, PAYDESK_PROFILE with one: the payout stands in the own journal', {
  timeout: 60_000,
}, async () => {
  const [home, service] = [newHome(), await serviceByHand()]
  await addHandProfile(home, service.url)
  const store = await server.newAddress()
  const add = ['profile', 'add', 'team', '--base-url', service.url, '--environment', 'test', '--store', store]
  const client = ['--client-id', '21111111-2222-4333-8444-555555555555', '--client-secret-env', 'X']
  const added = await paydesk([...add, ...client], { home })
  expect(added.code, added.stderr).toBe(0)
  const env = { PAYDESK_PROFILE: 'team' }
  for (const words of [['-qyphand'], ['--yes=-phand']]) {
    const ended = await paydesk([...create({ profile: null, key: 'k-1' }), ...words, '--json'], { home, env })
    expect(ended.code, `${words.join(' ')}: ${ended.stderr}`).toBe(0)
  }
  const listed = await paydesk(['payout', 'list', '-p', 'hand', '--json'], { home })
  expect(listed.stdout).toContain('k-1')
  expect(service.creates).toHaveLength(1)
})

/** Ends a command when it opens its desk. */
const noArchive = ['--har', '/nonexistent/x']

test('payout get of a journal id in capitals, archive not writable: usage (2), moneyMoved unknown, with the journal id', async () => {
  const { run, journalId } = await paid({ key: 'k-1' })
  const ended = await run(['payout', 'get', journalId.toUpperCase(), '-p', 'hand', ...noArchive])
  expect(ended).toMatchObject({ code: 2, error: { moneyMoved: 'unknown', journalId } })
})

test('payout wait, the profile spelled in one word before the key, archive not writable: usage (2), moneyMoved unknown', async () => {
  const { run } = await paid({ key: 'k-1' })
  for (const words of [['-p', 'hand'], ['-phand'], ['-qp', 'hand'], ['-qphand']]) {
    const ended = await run(['payout', 'wait', ...words, 'k-1', ...noArchive])
    expect(ended, words.join(' ')).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
  }
  const file = ['payout', 'create', '-phand', '--file=/nonexistent/pay.json', '--yes']
  expect(await run(file)).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
})
