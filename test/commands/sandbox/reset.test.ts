import { expect, test } from 'vitest'
import { impatient } from '../../kit/clock.ts'
import { create } from '../../kit/payment.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { addFault, done, ordered, place, play } from '../../kit/world.ts'

const world = async (home: string) => (await paydesk(['sandbox', 'world', '--json'], { home })).json

function answering(answer: string) {
  let typed = false
  return (screen: string, type: (keys: string) => void) => {
    if (typed || !screen.includes('Reset the sandbox')) return
    typed = true
    // After the draw: inquirer listens to keys only then.
    setTimeout(() => type(`${answer}\r`), 20)
  }
}

test('sandbox reset: --yes begins a new world without faults and payouts', async () => {
  const home = newHome()
  const before = await world(home)
  await paydesk(['sandbox', 'fault', 'add', '--op', 'payout.get', '--at', 'after', '--kind', 'hang'], { home })
  const { code, json } = await paydesk(['sandbox', 'reset', '--yes', '--json'], { home })
  expect(code).toBe(0)
  expect(json.worldId).not.toBe(before.worldId)
  expect((await world(home)).worldId).toBe(json.worldId)
  expect((await paydesk(['sandbox', 'fault', 'list', '--json'], { home })).json).toEqual([])
})

test('sandbox reset: off a terminal without --yes it is refused (2) and the world stays', async () => {
  const home = newHome()
  const before = await world(home)
  const { code, stderr } = await paydesk(['sandbox', 'reset'], { home })
  expect(code).toBe(2)
  expect(stderr).toContain('--yes')
  expect(await world(home)).toEqual(before)
})

test('sandbox reset: at a terminal no or cancel keeps the world (3) and yes begins a new one', async () => {
  const home = newHome()
  const before = await world(home)
  const no = await paydesk(['sandbox', 'reset'], { home, terminal: true, dialogue: answering('no') })
  expect([no.code, await world(home)]).toEqual([3, before])
  const cancel = await paydesk(['sandbox', 'reset'], { home, terminal: true, dialogue: answering('cancel') })
  expect([cancel.code, await world(home)]).toEqual([3, before])
  const yes = await paydesk(['sandbox', 'reset'], { home, terminal: true, dialogue: answering('yes') })
  expect(yes.code).toBe(0)
  expect((await world(home)).worldId).not.toBe(before.worldId)
})

test('sandbox reset: --first-transaction-id numbers the transactions of the new world, and holds for one world only', async () => {
  const home = newHome()
  const reset = await paydesk(['sandbox', 'reset', '--yes', '--first-transaction-id', '9007199254740993'], { home })
  expect(reset.code).toBe(0)
  const made = await paydesk([...create(), '--json'], { home })
  expect(made.stdout).toContain('"transactionId":"9007199254740993"')
  expect(await paydesk(['sandbox', 'reset', '--yes'], { home })).toMatchObject({ code: 0 })
  expect((await paydesk([...create(), '--json'], { home })).json.transactionId).toBe('100001')
})

test.each(['0', '01', '-5', '1e3', '1234567890123456789', ''])(
  'sandbox reset: --first-transaction-id %j is refused (2) and the world stays',
  async (text) => {
    const home = newHome()
    const before = await world(home)
    const { code, stderr } = await paydesk(['sandbox', 'reset', '--yes', '--first-transaction-id', text], { home })
    expect(code).toBe(2)
    expect(stderr).toContain('--first-transaction-id must be a whole number')
    expect(await world(home)).toEqual(before)
  },
)

test('sandbox reset: --strict and --provider are kept until they are changed', async () => {
  const home = newHome()
  const settings = async () => (await world(home)).settings
  const reset = (...flags: string[]) => paydesk(['sandbox', 'reset', '--yes', ...flags], { home })
  expect(await settings()).toMatchObject({ strict: false, providers: { cryptoPaymentProvider: ['CITYPAY'] } })
  const providers = ['--provider', 'cryptoPaymentProvider=CITYPAY, COIN', '--provider', 'directLinkProvider=BOG']
  expect((await reset('--strict', ...providers)).code).toBe(0)
  const changed = {
    strict: true,
    providers: {
      directLinkProvider: ['BOG'],
      openBankingLinkProvider: ['TBC', 'BOG', 'CREDO', 'LB'],
      cryptoPaymentProvider: ['CITYPAY', 'COIN'],
      installmentPaymentProvider: ['CREDO'],
    },
    refundedBy: 'SERVICE',
  }
  expect(await settings()).toEqual(changed)
  await reset()
  expect(await settings()).toEqual(changed)
  await reset('--no-strict')
  expect(await settings()).toEqual({ ...changed, strict: false })
})

test('sandbox reset: --refunded-by names the status of the service’s own refunds until it is changed', async () => {
  const around = place()
  const reset = async (...flags: string[]) => await done(['sandbox', 'reset', '--yes', ...flags], around)
  const refunded = async () => {
    const id = await ordered(around)
    await play(around, id)
    await done(['sandbox', 'trigger', 'refunded', '--order', id], around)
    const seen = await paydesk(['order', 'wait', id, '-p', 'sandbox', '--json'], around)
    return [seen.code, seen.json.status]
  }
  expect(await refunded()).toEqual([0, 'REFUNDED_BY_SERVICE'])
  await reset('--refunded-by', 'EXAMPLE_PAY_2')
  expect(await refunded()).toEqual([0, 'REFUNDED_BY_EXAMPLE_PAY_2'])
  await reset()
  expect(await refunded()).toEqual([0, 'REFUNDED_BY_EXAMPLE_PAY_2'])
})

test.each(['', 'Example', 'EXAMPLE PAY', '2PAY', 'OPERATOR', 'INTEGRATOR', 'A'.repeat(41)])(
  'sandbox reset: --refunded-by %j is refused (2)',
  async (text) => {
    const { code, stderr } = await paydesk(['sandbox', 'reset', '--yes', '--refunded-by', text], { home: newHome() })
    expect(code).toBe(2)
    expect(stderr).toContain('--refunded-by must be a name of 1 to 40 capital letters')
  },
)

test.each(['BOG', 'directLinkProvider', 'directLinkProvider=', 'directLinkProvider=BOG,,TBC', 'provider=BOG', ''])(
  'sandbox reset: --provider %j is refused (2)',
  async (text) => {
    const { code, stderr } = await paydesk(['sandbox', 'reset', '--yes', '--provider', text], { home: newHome() })
    expect(code).toBe(2)
    expect(stderr).toContain('--provider must be one of directLinkProvider, openBankingLinkProvider')
  },
)

test('sandbox reset: a payment to the old world is said to be one, in the same words everywhere, and --settle closes it', async () => {
  const home = newHome()
  const around = { home, random: impatient }
  const run = (...argv: string[]) => paydesk([...argv, '-p', 'sandbox', '--json'], around)
  const paid = await paydesk([...create({ key: 'paid' }), '--json'], around)
  await addFault(home, { at: 'after', kind: 'reset', times: 99 })
  const lost = await paydesk([...create({ key: 'lost', amount: '7' }), '--timeout', '1s', '--json'], around)
  expect([paid.code, lost.code]).toEqual([0, 9])
  expect((await run('sandbox', 'reset', '--yes')).code).toBe(0)
  const [paidId, lostId] = [String(paid.json.journalId), String(lost.error.journalId)]
  const asked: readonly (readonly [string[], number, string])[] = [
    [['payout', 'get', paidId], 6, paidId],
    [['payout', 'wait', paidId], 6, paidId],
    [['payout', 'diff', 'paid'], 2, paidId],
    [['payout', 'get', lostId], 6, lostId],
    [['resume', lostId], 9, 'it'],
    [['resume', 'lost'], 9, 'it'],
  ]
  for (const [argv, code, what] of asked) {
    const ended = await run(...argv)
    expect([ended.code, ended.error.message], argv.join(' ')).toEqual([
      code,
      `${what} was sent to an earlier world of the sandbox, which \`sandbox reset\` has deleted`,
    ])
  }
  const every = await paydesk(['resume', '-p', 'sandbox'], around)
  expect([every.code, every.stderr]).toEqual([0, expect.stringContaining('1 unknown payment was sent to an earlier')])
  const settled = await run('resume', 'lost', '--settle', 'refused', '--because', 'its world is gone', '--yes')
  expect(settled.json).toMatchObject({ journalId: lostId, outcome: 'refused' })
})

test('sandbox reset: an order of the old world is said to be one', async () => {
  const home = newHome()
  await ordered({ home }, { key: 'old' })
  expect((await paydesk(['sandbox', 'reset', '--yes'], { home })).code).toBe(0)
  const ended = await paydesk(['order', 'status', 'old', '-p', 'sandbox', '--json'], { home })
  expect(ended.code).toBe(2)
  expect(ended.error.message).toMatch(/^j-\w+ was sent to an earlier world of the sandbox/)
})
