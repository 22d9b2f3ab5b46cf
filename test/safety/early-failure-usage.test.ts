/**
 * A wrong command line (2) or a profile that does not exist (4) ends a command before it has looked for the payment:
 * it never says that an earlier run did not pay.
 */
import { expect, test } from 'vitest'
import PayoutCreate from '../../src/commands/payout/create.ts'
import { readableFlags, TypedLine } from '../../src/lib/cli/flags/typed-line.ts'
import { employees, plannedPayroll } from '../kit/batch.ts'
import { create } from '../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import { addHandProfile, serviceByHand } from '../kit/service.ts'

/** A payout that was accepted under its key, or under an id of its own. */
async function paid(named: { readonly key?: string; readonly 'unique-id'?: string }) {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const run = (argv: readonly string[]) => paydesk([...argv, '--json'], { home })
  const made = await succeeds(run(create({ profile: 'hand', ...named })))
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

test('payout create --key, two profiles, one of them has paid the key: usage (2), moneyMoved unknown', async () => {
  const { run } = await paid({ key: 'K1' })
  const ended = await run([...create({ profile: 'sandbox', key: 'K1' }), '-p', 'hand'])
  expect(ended, ended.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
})

test('batch resume of two plans, one of them is done: usage (2), moneyMoved yes', async () => {
  const payroll = await plannedPayroll(employees(2))
  expect((await payroll.batch('run', '--confirm', 'GEL 3.50')).code).toBe(0)
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
