import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import OrderCreate from '../../../src/commands/order/create.ts'
import { orderExamples } from '../../../src/lib/contract/order/examples.ts'
import type { Flags } from '../../kit/payment.ts'
import { newHome, paydesk, standInBrowser, succeeds } from '../../kit/program.ts'
import { until } from '../../kit/tools.ts'
import {
  addFault,
  cardSaved,
  clearFaults,
  done,
  ledger,
  onSandbox,
  order,
  ordered,
  place,
  play,
  shop,
  standingSandbox,
  tamar,
} from '../../kit/world.ts'

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** A private file with a token. */
function tokenFile(home: string, token: string, mode = 0o600): string {
  const path = join(home, 'card.token')
  writeFileSync(path, `${token}\n`)
  chmodSync(path, mode)
  return path
}

test('order create: the address that a killed sandbox left behind does not count as one that runs', async () => {
  const around = place()
  await paydesk(['sandbox', 'ledger', '--json'], around)
  const stale = { url: 'http://127.0.0.1:1', pid: process.pid }
  writeFileSync(join(around.home, 'sandbox', 'server.json'), JSON.stringify(stale), { mode: 0o600 })
  expect((await done(order(), around)).json.warnings).toEqual([expect.stringContaining('`paydesk sandbox start`')])
})

test('order create --json: the receipt is one document that agrees with the ledger of the sandbox', async () => {
  const around = place()
  const ended = await done(order(), around)
  const [entry] = (await ledger(around)).orders
  expect(ended.stderr).toBe('')
  expect(ended.json).toEqual({
    outcome: 'accepted',
    operation: 'order.create',
    integratorOrderId: entry?.integratorOrderId,
    urlForQR: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/checkout\/[0-9a-f-]+$/),
    status: null,
    amount: 12.5,
    currency: 'GEL',
    journalHead: expect.stringMatching(/^\d+-[0-9a-f]{24}$/),
    journalId: expect.stringMatching(/^j-[0-9a-f]{12}$/),
    profile: 'sandbox',
    environment: 'sandbox',
    sumConfirmed: true,
    replayed: false,
    warnings: [expect.stringContaining('`paydesk sandbox start`')],
  })
  expect(ended.stdout).toContain('"amount":12.50,')
  expect(entry).toMatchObject({ status: 'INITIAL', currency: 'GEL', integratorOrderId: expect.stringMatching(uuidV4) })
})

test('order create: the command that plays the payer is named unless a sandbox server runs', async () => {
  const around = place()
  const closed = await done(order({ key: 'a' }), around)
  expect(closed.json.warnings).toEqual([
    expect.stringContaining(`paydesk sandbox trigger paid --order ${closed.json.integratorOrderId}`),
  ])
  await standingSandbox(around.home)
  expect((await done(order({ key: 'b' }), around)).json.warnings).toEqual([])
})

test('order create --key: a second run replays with urlForQR and sends nothing; another amount is refused (7)', async () => {
  const around = place()
  const first = await done(order({ key: 'shop-4711' }), around)
  const again = await done(order({ key: 'shop-4711', amount: '12.5' }), around)
  expect(again.json).toEqual({ ...first.json, replayed: true })
  expect((await ledger(around)).orders).toHaveLength(1)
  const other = await paydesk([...order({ key: 'shop-4711', amount: '13' }), '--json'], around)
  expect(other.code).toBe(7)
})

test('order create --plan: the receipt shows the plan, because its amount is 0', async () => {
  const around = place()
  const plan = order({
    amount: '0',
    'save-card': true,
    'direct-link-provider': 'BOG',
    plan: 'monthly:2:15.00',
    key: 'p',
  })
  const { json, stdout } = await done(plan, around)
  expect(json).toMatchObject({ amount: 0, subscriptionPlan: { interval: 'MONTHLY', intervalCount: 2, amount: 15 } })
  expect(stdout).toContain('"amount":15.00')
  expect((await paydesk(plan, around)).stdout).toMatch(/^plan +GEL 15\.00 every 2 months$/m)
})

test('order create: an unknown provider is sent with a warning', async () => {
  const around = place()
  await done(['sandbox', 'reset', '--yes', '--provider', 'openBankingLinkProvider=NEWBANK'], around)
  const { json } = await done(order({ 'open-banking-link-provider': 'NEWBANK' }), around)
  expect(json.warnings).toEqual([
    expect.stringContaining('openBankingLinkProvider NEWBANK is not among the codes known here'),
    expect.stringContaining('sandbox start'),
  ])
})

const lines = OrderCreate.examples.slice(0, orderExamples.length)

test('order create --help: there is one smallest order for each of the eleven kinds', () => {
  expect(lines.map(({ description }) => description)).toEqual(orderExamples.map(({ title }) => title))
  expect(orderExamples).toHaveLength(11)
})

test('order create --split: a branch, a user and an account are sent with their parts', async () => {
  const around = place()
  const split = [`BRANCH:${shop}=5`, `user:${tamar.toUpperCase()}=2.50`, 'IBAN:ge29 nb00 0000 0101 9049 17=5.00']
  const argv = order({ 'dry-run': true }, ...split.flatMap((each) => ['--split', each]))
  expect((await done(argv, around)).json.payload).toMatchObject({
    splitDetails: [
      { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 5 },
      { receiverType: 'USER', receiverIdentifier: tamar, amount: 2.5 },
      { receiverType: 'IBAN', receiverIdentifier: 'GE29NB0000000101904917', amount: 5 },
    ],
  })
})

test('order create: properties, a plan with start and callback, and switches are sent as given', async () => {
  const around = place()
  const treasury = order(
    { profile: 'sandbox-treasury', 'dry-run': true },
    ...['--property', 'personal_number=01001000001', '--property', 'PAYER_NAME=Nino = Beridze'],
    ...['--property', 'IS_FOREIGN=false', '--property-editable', 'PURPOSE=State fee'],
  )
  expect((await done(treasury, around)).json.payload).toMatchObject({
    orderProperties: {
      PERSONAL_NUMBER: { value: '01001000001' },
      PAYER_NAME: { value: 'Nino = Beridze' },
      IS_FOREIGN: { value: 'false' },
      PURPOSE: { value: 'State fee', isEditable: true },
    },
  })
  const plan = order(
    { amount: '0', 'direct-link-provider': 'BOG', 'save-card': true, 'dry-run': true },
    ...['--plan', 'monthly:2:15.00', '--plan-start-date', '2099-01-31'],
    ...['--plan-callback-url', 'https://example.com/s', '--no-is-foreign', '--pay-with-pre-auth'],
  )
  expect((await done(plan, around)).json.payload).toMatchObject({
    amount: 0,
    saveCard: true,
    isForeign: false,
    payWithPreAuth: true,
    subscriptionPlan: {
      interval: 'MONTHLY',
      intervalCount: 2,
      amount: 15,
      startDate: '2099-01-31',
      callbackUrl: 'https://example.com/s',
    },
  })
})

test('order create --file: flags win over scalars and lists, and member by member over properties', async () => {
  const around = place()
  const file = join(around.home, 'order.yaml')
  writeFileSync(
    file,
    `amount: 20
saveCard: true
directLinkProvider: BOG
orderProperties:
  DESCRIPTION: { value: from the file }
  INVOICE_NUMBER_LABEL: { value: 17, isEditable: true }
`,
  )
  const argv = order({ file, 'dry-run': true }, '--no-save-card', '--property', 'DESCRIPTION=mine')
  expect((await done(argv, around)).json.payload).toMatchObject({
    amount: 12.5,
    saveCard: false,
    directLinkProvider: 'BOG',
    orderProperties: { DESCRIPTION: { value: 'mine' }, INVOICE_NUMBER_LABEL: { value: '17', isEditable: true } },
  })
})

test('order create: every violation is named by its flag (2), and nothing is sent', async () => {
  const around = place()
  const argv = order(
    { amount: '12.505', 'receiver-id': 'nobody', 'valid-until': 'tomorrow', currency: 'RUB' },
    ...['--split', `BRANCH:${shop}=1.005`, '--split', 'USER:no-uuid=x', '--split', 'IBAN'],
    ...['--property', 'PAYER_NAME=Nino', '--property', 'COLOUR=red', '--property', 'DESCRIPTION'],
    ...['--property', 'PAYER_NAME=Tamar'],
    ...['--plan', 'daily:0', '--plan-start-date', '2020-01-01'],
    ...['--card-token-file', tokenFile(around.home, 'not-a-token')],
  )
  const ended = await paydesk(argv, around)
  expect(ended.code).toBe(2)
  for (const complaint of [
    ...['--amount has more than 2 decimals', '--receiver-id must be a UUID'],
    ...['--currency must be one of GEL, USD, EUR', '--valid-until must be a moment'],
    ...['--split entry 1: amount has more than 2 decimals'],
    ...['--split entry 2: amount must be a plain decimal number'],
    ...['--split entry 3: receiverIdentifier is required', '--property PAYER_NAME is given more than once'],
    ...['--property COLOUR is no order property', '--property DESCRIPTION value is required'],
    ...['--plan interval must be one of MONTHLY, WEEKLY', '--plan intervalCount must be a whole number'],
    ...['--plan amount is required', '--plan-start-date must be today'],
    ...['--save-card must be true with a subscription plan', '--card-token-file must be a UUID, version 4'],
    ...['--split takes BRANCH:<uuid>=10.50'],
  ]) {
    expect(ended.stderr).toContain(complaint)
  }
  expect(ended.stderr).not.toContain('not-a-token')
  expect((await ledger(around)).orders).toEqual([])
})

test("order create: the profile's order type decides which properties are allowed and required (2)", async () => {
  const around = place()
  const treasury = await paydesk(order({ profile: 'sandbox-treasury' }, '--property', 'DESCRIPTION=x'), around)
  expect(treasury.code).toBe(2)
  expect(treasury.stderr).toContain('--property DESCRIPTION is not used by orders of type TREASURY')
  expect(treasury.stderr).toContain('--property PURPOSE is required for orders of type TREASURY')
  const usual = await paydesk(order({}, '--property', 'PURPOSE=x'), around)
  expect(usual.stderr).toContain('--property PURPOSE is not used by orders of type DEFAULT')
})

test('order create: a property that both property flags give is refused (2)', async () => {
  const ended = await paydesk(order({}, '--property', 'DESCRIPTION=x', '--property-editable', 'description=y'), place())
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('--property DESCRIPTION is given more than once')
})

test('order create: an order too long for its one RSA block is refused (2) before the journal holds it', async () => {
  const around = place()
  const long = order({ profile: 'sandbox-legacy' }, '--property', `DESCRIPTION=${'x'.repeat(500)}`)
  const ended = await paydesk(long, around)
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('has room for 501')
  expect((await done(['journal', 'list'], around)).json).toEqual([])
  await done(order({ profile: 'sandbox-legacy' }), around)
})

test('order create: a refusal for want of a permission (5) names the field', async () => {
  const ended = await paydesk(order({ profile: 'sandbox-bare', 'valid-until': '2099-12-31 23:59:59' }), place())
  expect(ended.code).toBe(5)
  expect(ended.stderr).toContain('6032')
  expect(ended.stderr).toContain('validUntil')
})

test('order create: a saved card is charged by token file, stdin or order, and no output or journal file holds the token', async () => {
  const around = place()
  const saved = await cardSaved(around)
  const token = String((await done(['card', 'get', saved, ...onSandbox], around)).json.token)
  const path = tokenFile(around.home, token.toUpperCase())
  const traces: string[] = []
  for (const [argv, stdin] of [
    [order({ key: 'file', 'card-token-file': path }), ''],
    [order({ key: 'stdin', 'card-token-file': '-' }), `${token}\n`],
    [order({ key: 'order', 'card-from-order': saved }), ''],
  ] as const) {
    const ended = await succeeds(paydesk([...argv, '--trace', '--wait'], { ...around, stdin }))
    expect(ended.stdout).toContain('SUCCESS (paid)')
    expect(ended.stderr).toContain('"cardToken":"[hidden]"')
    traces.push(ended.stdout, ended.stderr)
    const id = /integratorOrderId +(\S+)/.exec(ended.stdout)?.[1] ?? ''
    traces.push((await done(['journal', 'show', id], around)).stdout)
    expect((await done(['order', 'status', id, ...onSandbox], around)).json.status).toBe('SUCCESS')
  }
  traces.push((await done(['journal', 'list'], around)).stdout)
  expect(traces.join('\n').toLowerCase()).not.toContain(token)
  for (const file of readdirSync(join(around.home, 'journal'), { recursive: true, encoding: 'utf8' })) {
    const bytes = readFileSync(join(around.home, 'journal', file))
      .toString('latin1')
      .toLowerCase()
    expect(bytes, file).not.toContain(token)
  }
})

test('order create: a second charge of the same sum is warned about; while one is unknown a look-alike is refused (7)', async () => {
  const around = place()
  const saved = await cardSaved(around)
  const charge = order({ 'card-from-order': saved })
  await done(charge, around)
  const second = await done(charge, around)
  expect(second.json.warnings).toContainEqual(expect.stringContaining('less than 24 hours ago'))
  await addFault(around.home, { op: 'order.create', at: 'after', kind: 'html502' })
  await addFault(around.home, { op: 'order.status', at: 'before', kind: 'html502', times: 99 })
  const lost = await paydesk([...order({ 'card-from-order': saved, amount: '3' }), '--json'], around)
  expect(lost.code).toBe(9)
  await clearFaults(around.home)
  expect((await paydesk(order({ 'card-from-order': saved, amount: '3' }), around)).code).toBe(7)
  const resolved = await done(['resume', String(lost.error.journalId), ...onSandbox], around)
  expect(resolved.json).toMatchObject({ outcome: 'exists', status: 'SUCCESS' })
  expect((await ledger(around)).orders).toHaveLength(4)
})

test.each([
  ['a card token file that does not exist', { 'card-token-file': '/nowhere/card.token' }, 'it does not exist'],
  ['stdin for both the token and the order', { 'card-token-file': '-', file: '-' }, 'cannot both be read from stdin'],
  ['an empty token on stdin', { 'card-token-file': '-' }, 'stdin is empty'],
  ['a token file beside --card-from-order', { 'card-token-file': '-', 'card-from-order': shop }, 'not both'],
])('order create: %s is refused (2)', async (_what, more, words) => {
  const ended = await paydesk(order(more), place())
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain(words)
})

test('order create --card-from-order: an order without a saved card is 6, and nothing is sent', async () => {
  const around = place()
  const id = await ordered(around)
  const ended = await paydesk([...order({ 'card-from-order': id }), '--json'], around)
  expect(ended.code).toBe(6)
  expect((await ledger(around)).orders).toHaveLength(1)
})

test('order create: a card charge without --wait is told as open; once it failed a repeat is 5', async () => {
  const around = place()
  const saved = await cardSaved(around, 'declined-when-saved')
  const charge = order({ 'card-from-order': saved, key: 'charge' })
  const { json } = await done(charge, around)
  const id = String(json.integratorOrderId)
  expect(json.warnings).toEqual([
    `it is not known yet whether the card was charged: \`paydesk order wait ${id} -p sandbox\``,
  ])
  expect((await paydesk(['order', 'wait', id, ...onSandbox], around)).code).toBe(5)
  const again = await paydesk([...charge, '--json'], around)
  expect(again).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: 'FAILED' } })
  expect(again.error.message).toMatch(/ended in FAILED .*nothing was sent now/)
})

test('order create --wait: no address to pay at is shown for a card charge or a paid order', async () => {
  const around = place()
  const saved = await cardSaved(around)
  const charge = order({ 'card-from-order': saved, wait: true, key: 'charge' })
  for (const run of ['first', 'again']) {
    const ended = await paydesk(charge, around)
    expect(ended.code, run).toBe(0)
    expect(ended.stderr, run).not.toMatch(/pay at|sandbox trigger/)
  }
  const paid = await ordered(around, { key: 'paid' })
  await play(around, paid)
  await done(['order', 'wait', paid, ...onSandbox], around)
  const replayed = await paydesk(order({ key: 'paid', wait: true }), around)
  expect(replayed.code).toBe(0)
  expect(replayed.stderr).not.toMatch(/pay at|sandbox trigger/)
})

describe('order create --plan: consent', () => {
  const plan: Flags = {
    amount: '0',
    yes: null,
    'save-card': true,
    'direct-link-provider': 'BOG',
    plan: 'monthly:2:15.00',
  }

  test.each([
    ['GEL 15.00 every 2 months', 0],
    ['gel 15 Every  2 months', 0],
    ['GEL 0.00', 3],
    ['GEL 15.00', 3],
    ['GEL 15.00 every month', 3],
    ['GEL 15.01 every 2 months', 3],
    ['USD 15.00 every 2 months', 3],
  ])('order create --plan: --confirm "%s" is %i', async (confirm, code) => {
    const around = place()
    const ended = await paydesk(order({ ...plan, confirm }), around)
    expect(ended.code, ended.stderr).toBe(code)
    expect((await ledger(around)).orders).toHaveLength(code === 0 ? 1 : 0)
  })

  test("resume: an old order with a plan is confirmed with the plan's price; the amount of 0 is declined (3)", async () => {
    const around = place()
    await addFault(around.home, { op: 'order.create', at: 'before', kind: '429', times: 99 })
    const away = await paydesk([...order({ ...plan, yes: true, timeout: '60s' }), '--json'], around)
    expect(away.code).toBe(5)
    await clearFaults(around.home)
    around.clock.skip(25 * 60 * 60_000)
    const resume = ['resume', String(away.error.journalId), ...onSandbox]
    expect((await paydesk([...resume, '--confirm', 'GEL 0.00'], around)).code).toBe(3)
    expect((await paydesk([...resume, '--confirm', 'GEL 15.00 every 2 months'], around)).code).toBe(0)
  })
})

describe('order create --dry-run and --curl', () => {
  const token = '16fd2706-8baf-433b-82eb-8c7fada847da'

  test('order create --dry-run and --curl: the payload is shown with its token masked, and nothing is sent', async () => {
    const around = place()
    const path = tokenFile(around.home, token)
    for (const flag of ['--dry-run', '--curl']) {
      const json = await paydesk([...order({ 'card-token-file': path }), flag, '--json'], around)
      const table = await paydesk([...order({ 'card-token-file': path }), flag], around)
      expect([json.code, table.code]).toEqual([0, 0])
      expect(json.json).toMatchObject({ dryRun: true, payload: { cardToken: '[hidden]', amount: 12.5 } })
      expect(json.stdout + table.stdout + table.stderr).not.toContain(token)
    }
    const body = JSON.parse(String((await done(order({ 'dry-run': true }), around)).json.body))
    expect(Object.keys(body)).toEqual(['identifier', 'encryptedData', 'encryptedKeys', 'aes'])
    expect((await ledger(around)).orders).toEqual([])
    expect((await done(['journal', 'list'], around)).json).toEqual([])
  })

  test('order create --dry-run --card-from-order: the card is not read, with a warning; with --curl it is refused (2)', async () => {
    const around = place()
    const { json } = await done(order({ 'card-from-order': shop, 'dry-run': true }), around)
    expect(json).toMatchObject({ payload: { cardToken: '[hidden]' } })
    expect(json.warnings).toEqual(['the card was not read: the token is a placeholder'])
    expect((await paydesk(order({ 'card-from-order': shop, curl: true }), around)).code).toBe(2)
  })
})

describe('order create --qr', () => {
  const code = /[▀▄█]{10,}/

  test('order create --qr: the code stands below the receipt at a terminal, and nowhere else', async () => {
    const around = place()
    const seen = await succeeds(paydesk(order({ qr: true }), { ...around, terminal: true }))
    expect(seen.stdout).toMatch(code)
    expect(seen.stderr).not.toMatch(code)
    const piped = await paydesk(order({ qr: true }), around)
    expect(piped.stdout).not.toMatch(code)
    expect(piped.stderr).toContain('--qr draws on a terminal only')
    const json = await paydesk([...order({ qr: true }), '--json'], { ...around, terminal: true })
    expect(json.stdout + json.stderr).not.toMatch(code)
    expect(json.json.warnings).toContain('--qr draws on a terminal only')
  })

  test('order create --qr --wait: address and code are shown on stderr before it waits', async () => {
    const around = place()
    const ended = await paydesk(order({ qr: true, wait: true, timeout: '60s' }), { ...around, terminal: true })
    expect(ended.code).toBe(8)
    expect(ended.stderr).toMatch(code)
    expect(ended.stderr.indexOf('pay at')).toBeLessThan(ended.stderr.indexOf('pending:'))
    expect(ended.stdout).not.toMatch(code)
  })

  test('order create --open: the browser opens the address, and only with the flag', async () => {
    const opened = standInBrowser()
    const around = place()
    await done(order(), around)
    const { json } = await done(order({ open: true }), around)
    await until('the browser was asked', async () => opened().length > 0)
    expect(opened()).toEqual([json.urlForQR])
  })
})

test('order create --wait: a paid order is 0, and the receipt has its status', async () => {
  const around = place()
  const saved = await cardSaved(around)
  const { json } = await done(order({ 'card-from-order': saved, wait: true }), around)
  expect(json).toMatchObject({ outcome: 'accepted', status: 'SUCCESS' })
})

test('order create --wait: a failed order is 5, and when the time is up it is 8 with the receipt', async () => {
  const around = place()
  const saved = await cardSaved(around, 'declined-when-saved')
  const failed = await paydesk([...order({ 'card-from-order': saved, wait: true }), '--json'], around)
  expect(failed.code).toBe(5)
  expect(failed.error).toMatchObject({ status: 'FAILED', moneyMoved: 'no' })
  const open = await paydesk([...order({ wait: true, timeout: '60s' }), '--json'], around)
  expect(open.code).toBe(8)
  expect(open.json).toMatchObject({ outcome: 'accepted', status: 'INITIAL', urlForQR: expect.any(String) })
  expect(open.error.hints).toEqual([`Wait longer: \`paydesk order wait ${open.json.integratorOrderId} -p sandbox\`.`])
})

test('order create: without a profile and a terminal it is refused (4)', async () => {
  const home = newHome()
  expect((await paydesk(order({ profile: null }), { home })).code).toBe(4)
})

test('order create --integrator-id: another identity is refused (2), that of the profile passes in capitals, too', async () => {
  const around = place()
  const other = await paydesk([...order({ 'integrator-id': '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a99' }), '--json'], around)
  expect([other.code, other.error.moneyMoved]).toEqual([2, 'no'])
  expect(other.error.message).toContain('--integrator-id must be that of the profile sandbox')
  const own = '5A9DB0C0-0101-4A11-8C11-000000000101'
  expect((await done(order({ 'integrator-id': own }), around)).code).toBe(0)
})

test('order create --file: true in a text is refused (2), in a property, too; YAML takes it for text', async () => {
  const around = place()
  const file = join(around.home, 'order.json')
  const line = [...order(), '--file', file, '--json']
  writeFileSync(file, '{"language": true, "orderProperties": {"DESCRIPTION": {"value": false, "isEditable": true}}}')
  const wrong = await paydesk(line, around)
  expect([wrong.code, wrong.error.moneyMoved]).toEqual([2, 'no'])
  expect(wrong.error.message).toContain('--language is text: write "true" in quotes')
  expect(wrong.error.message).toContain('is text: write "false" in quotes')
  writeFileSync(file, 'orderProperties:\n  DESCRIPTION:\n    value: true\n')
  expect((await done(line, around)).code).toBe(0)
})
