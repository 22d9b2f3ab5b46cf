import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stillClock } from '../../kit/clock.ts'
import { branch, create, createToReceiver } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { addHandProfile, json, serviceByHand } from '../../kit/service.ts'
import { ledgerOf } from '../../kit/world.ts'

test('payout create --json: the receipt is one document that agrees with the ledger of the sandbox', async () => {
  const home = newHome()
  const ended = await paydesk([...create(), '--json'], { home })
  expect(ended.stderr).toBe('')
  expect(ended.code).toBe(0)
  const [executed] = await ledgerOf(home)
  expect(ended.json).toEqual({
    outcome: 'accepted',
    transactionId: executed?.transactionId,
    status: 'INITIAL',
    statusDescription: 'Created',
    uniqueId: executed?.uniqueId,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}$/),
    amount: 12.5,
    currency: 'GEL',
    payee: 'GE29NB0000000101904917',
    journalHead: expect.stringMatching(/^2-[0-9a-f]{24}$/),
    journalId: expect.stringMatching(/^j-[0-9a-f]{12}$/),
    profile: 'sandbox',
    environment: 'sandbox',
    idUnknown: false,
    sumConfirmed: true,
    replayed: false,
    warnings: [],
  })
  expect(executed).toMatchObject({ executions: 1, currency: 'GEL', amount: { text: '12.50' } })
})

test('payout create: the table shows amount, grouped IBAN, status with its meaning and every id', async () => {
  const home = newHome()
  const ended = await paydesk(create(), { home })
  expect(ended.code).toBe(0)
  const [executed] = await ledgerOf(home)
  const lines = ended.stdout.split('\n')
  expect(lines[0]).toBe('Payout accepted')
  expect(ended.stdout).toMatch(/^amount +GEL 12\.50$/m)
  expect(ended.stdout).toMatch(/^to +GE29 NB00 0000 0101 9049 17$/m)
  expect(ended.stdout).toMatch(/^status +INITIAL \(accepted, not yet with the bank\)$/m)
  expect(ended.stdout).toMatch(new RegExp(`^transactionId +${executed?.transactionId}$`, 'm'))
  expect(ended.stdout).toMatch(new RegExp(`^uniqueId +${executed?.uniqueId}$`, 'm'))
  expect(ended.stdout).toMatch(/^profile +sandbox \(sandbox\)$/m)
  expect(ended.stderr).toBe('sandbox: no real money\n')
})

test('payout create: --fields and --query cut the receipt, also as CSV and NDJSON', async () => {
  const home = newHome()
  const around = { home }
  const fields = await paydesk([...create(), '--json', '--fields', 'amount,currency'], around)
  expect(fields.stdout).toBe('{"amount":12.50,"currency":"GEL"}\n')
  const query = await paydesk([...create(), '--json', '--query', 'transactionId'], around)
  expect(query.stdout).toBe('"100002"\n')
  const csv = await paydesk([...create(), '--output', 'csv', '--fields', 'outcome,amount,transactionId'], around)
  expect(csv.stdout).toBe('outcome,amount,transactionId\naccepted,12.50,100003\n')
  const ndjson = await paydesk([...create(), '--output=ndjson', '--fields', 'outcome'], around)
  expect(ndjson.stdout).toBe('{"outcome":"accepted"}\n')
  expect(ndjson.stderr).toBe('')
})

test('payout create: a missing beneficiary name is warned about on stderr or in the document', async () => {
  const home = newHome()
  const warning = expect.stringContaining('without --beneficiary-name')
  const table = await paydesk(create({ 'beneficiary-name': null }), { home })
  expect(table.stderr).toEqual(expect.stringContaining('warning: without --beneficiary-name'))
  const other = await paydesk([...create({ 'beneficiary-name': null, amount: '3' }), '--json'], { home })
  expect(other.stderr).toBe('')
  expect(other.json.warnings).toEqual([warning])
})

test('payout create: a payout that waits for the balance is accepted with a warning', async () => {
  const ended = await paydesk([...create({ description: 'sandbox:insufficient-balance' }), '--json'], {
    home: newHome(),
  })
  expect(ended.code).toBe(0)
  expect(ended.json).toMatchObject({
    status: 'INITIAL_INSUFFICIENT_BALANCE',
    warnings: [expect.stringContaining('waits for the balance')],
  })
})

test('payout create: the request has every field by its flag, the amount as a number, and nothing else', async () => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url, { 'allow-restricted': true })
  const uniqueId = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
  const ended = await paydesk(
    create({
      profile: 'hand',
      amount: '1200.00',
      'to-iban': 'ge29 nb00 0000 0101 9049 17',
      'beneficiary-identity-number': '01001000001',
      'beneficiary-address': 'Rustaveli 1, Tbilisi',
      'birth-date': '29.02.1988',
      'unique-id': uniqueId,
      'debtor-name': 'Acme LLC',
      'debtor-iban': 'GE00TB0000000000000001',
      'debtor-identity-number': '123456789',
      'from-iban': 'GE00TB0000000000000002',
    }),
    { home },
  )
  expect(ended.code, ended.stderr).toBe(0)
  const [sent] = service.creates
  expect(sent?.body).toContain('"amount":1200.00')
  expect(JSON.parse(sent?.body ?? '')).toEqual({
    amount: 1200,
    currency: 'GEL',
    description: 'Salary, November',
    beneficiaryIdentityNumber: '01001000001',
    beneficiaryName: 'Nino Beridze',
    beneficiaryAddress: 'Rustaveli 1, Tbilisi',
    toIban: 'GE29NB0000000101904917',
    birthDate: '29.02.1988',
    uniqueId,
    debtorName: 'Acme LLC',
    debtorIban: 'GE00TB0000000000000001',
    debtorIdentityNumber: '123456789',
    fromIban: 'GE00TB0000000000000002',
  })
})

test('payout create: a Georgian name and description are sent unchanged', async () => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const ended = await paydesk(
    create({ profile: 'hand', 'beneficiary-name': 'ნინო ბერიძე', description: 'ხელფასი, ნოემბერი' }),
    { home },
  )
  expect(ended.code).toBe(0)
  expect(JSON.parse(service.creates[0]?.body ?? '')).toMatchObject({
    beneficiaryName: 'ნინო ბერიძე',
    description: 'ხელფასი, ნოემბერი',
  })
})

test('payout create: a registered receiver is paid by its type and id', async () => {
  const home = newHome()
  const ended = await succeeds(paydesk([...createToReceiver(), '--json'], { home }))
  expect(ended.json).toMatchObject({ payee: `BRANCH ${branch}`, profile: 'sandbox-receiver' })
  expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
})

test('payout create: restricted fields are sent where the profile permits them, and fromIban is debited', async () => {
  const home = newHome()
  const ended = await paydesk(
    [...createToReceiver({ 'debtor-name': 'Acme LLC', 'from-iban': 'GE18SB1000000000000014' }), '--json'],
    { home },
  )
  expect(ended.code, ended.stderr).toBe(0)
  const balance = await paydesk(['payout', 'balance', '-p', 'sandbox-receiver', '--currency', 'GEL', '--json'], {
    home,
  })
  expect(balance.json).toMatchObject([{ amount: 500000 }])
})

test('payout create: every violation is named by its flag (2), and nothing is sent', async () => {
  const home = newHome()
  const ended = await paydesk(
    create({
      amount: '12,50',
      currency: 'RUB',
      description: 'Зарплата',
      'to-iban': 'GE29NB0000000101904918',
      'birth-date': '31.02.1988',
      'unique-id': 'not-a-uuid',
      'debtor-name': 'Acme',
      'from-iban': 'GE00TB0000000000000002',
    }),
    { home },
  )
  expect(ended.code).toBe(2)
  expect(ended.stdout).toBe('')
  for (const flag of ['amount', 'currency', 'description', 'to-iban', 'birth-date', 'unique-id', 'debtor-name']) {
    expect(ended.stderr).toContain(`--${flag} `)
  }
  expect(ended.stderr).toContain('--from-iban ')
  expect(ended.stderr).toContain('Nothing was sent')
  expect(await ledgerOf(home)).toEqual([])
})

test('payout create: an IBAN beside a receiver, neither of them, and half a receiver are refused (2)', async () => {
  const home = newHome()
  for (const wrong of [
    { 'receiver-id': branch, 'receiver-type': 'BRANCH' },
    { 'to-iban': null },
    { 'to-iban': null, 'receiver-id': branch },
    { 'to-iban': null, 'receiver-type': 'BRANCH' },
  ]) {
    expect(await paydesk(create(wrong), { home }), JSON.stringify(wrong)).toMatchObject({ code: 2, stdout: '' })
  }
  expect(await ledgerOf(home)).toEqual([])
})

test('payout create: without a confirmation in a pipe it is refused (2), and nothing is sent', async () => {
  const home = newHome()
  const ended = await paydesk(create({ yes: null }), { home })
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('--yes')
  expect(await ledgerOf(home)).toEqual([])
})

test.each(['GEL 12.50', 'gel 12.5', ' GEL  12.50 '])('payout create --confirm: "%s" is consent', async (confirm) => {
  const ended = await paydesk(create({ yes: null, confirm }), { home: newHome() })
  expect(ended.code).toBe(0)
})

test.each(['GEL 12.51', 'USD 12.50', '12.50', 'yes', ''])(
  'payout create --confirm: "%s" is no consent to GEL 12.50 (3), and nothing is sent',
  async (confirm) => {
    const home = newHome()
    const ended = await paydesk(create({ yes: null, confirm }), { home })
    expect(ended.code).toBe(3)
    expect(ended.stderr).toContain('nothing was sent')
    expect(await ledgerOf(home)).toEqual([])
  },
)

describe('payout create --file', () => {
  const fields = {
    amount: 7.1,
    currency: 'GEL',
    toIban: 'GE29NB0000000101904917',
    beneficiaryName: 'Nino Beridze',
    description: 'From a file',
  }
  const rest = ['-p', 'sandbox', '--yes', '--json']

  test('payout create --file: a request in JSON is sent', async () => {
    const home = newHome()
    const file = join(home, 'payout.json')
    writeFileSync(file, JSON.stringify(fields))
    const ended = await succeeds(paydesk(['payout', 'create', '--file', file, ...rest], { home }))
    expect(ended.json).toMatchObject({ amount: 7.1 })
  })

  test('payout create --file: a request in YAML is sent, and amounts and long numbers keep their digits', async () => {
    const home = newHome()
    const service = await serviceByHand()
    await addHandProfile(home, service.url)
    const file = join(home, 'payout.yaml')
    writeFileSync(
      file,
      `# November
amount: 12.50
currency: GEL
toIban: GE29NB0000000101904917
beneficiaryIdentityNumber: 01001000001
description: 'Salary, November'
`,
    )
    await succeeds(paydesk(['payout', 'create', '--file', file, '-p', 'hand', '--yes', '--json'], { home }))
    expect(service.creates[0]?.body).toContain('"amount":12.50')
    expect(service.creates[0]?.body).toContain('"beneficiaryIdentityNumber":"01001000001"')
  })

  test('payout create --file -: the request is read from stdin', async () => {
    const ended = await paydesk(['payout', 'create', '--file', '-', ...rest], {
      home: newHome(),
      stdin: JSON.stringify(fields),
    })
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json).toMatchObject({ amount: 7.1 })
  })

  test('payout create --file: flags win over the file', async () => {
    const ended = await paydesk(['payout', 'create', '--file', '-', '--amount', '8.20', ...rest], {
      home: newHome(),
      stdin: JSON.stringify(fields),
    })
    expect(ended.json).toMatchObject({ amount: 8.2, payee: 'GE29NB0000000101904917' })
  })

  test.each([
    ['a list', '[1, 2]'],
    ['JSON that is cut off', '{"amount": 1'],
    ['a member twice', '{"amount": 1, "amount": 2}'],
    ['an unknown field', '{"amount": 1, "amuont": 2}'],
    ['an empty text', ''],
  ])('payout create --file: %s is refused (2), and nothing is sent', async (_what, stdin) => {
    const home = newHome()
    const ended = await paydesk(['payout', 'create', '--file', '-', ...rest], { home, stdin })
    expect(ended.code).toBe(2)
    expect(ended.stdout).toBe('')
    expect(await ledgerOf(home)).toEqual([])
  })

  test('payout create --file: a missing file is refused (2), and the error names it', async () => {
    const ended = await paydesk(['payout', 'create', '--file', '/nowhere/payout.yaml', ...rest], { home: newHome() })
    expect(ended).toMatchObject({ code: 2, error: { name: 'usage' } })
    expect(ended.stderr).toContain('/nowhere/payout.yaml')
  })
})

test('payout create --wait: an executed payout is 0 with its last status', async () => {
  const clock = stillClock()
  const ended = await succeeds(paydesk([...create({ wait: true }), '--json'], { home: newHome(), clock }))
  expect(ended.json).toMatchObject({ outcome: 'accepted', status: 'SUCCESS', statusDescription: 'Completed' })
})

test('payout create --wait: a payout that the bank fails is 5, and no money moved', async () => {
  const clock = stillClock()
  const ended = await paydesk([...create({ wait: true, description: 'sandbox:failed' }), '--json'], {
    home: newHome(),
    clock,
  })
  expect(ended.code).toBe(5)
  expect(ended.stdout).toBe('')
  expect(ended.error).toMatchObject({ name: 'refused', status: 'FAILED', moneyMoved: 'no' })
})

test('payout create --wait: when the time is up it is 8 with the receipt', async () => {
  const clock = stillClock()
  const ended = await paydesk(
    [...create({ wait: true, description: 'sandbox:insufficient-balance', timeout: '60s' }), '--json'],
    { home: newHome(), clock },
  )
  expect(ended.code).toBe(8)
  expect(ended.json).toMatchObject({ outcome: 'accepted', status: 'INITIAL_INSUFFICIENT_BALANCE' })
  expect(ended.error).toMatchObject({ name: 'pending', exit: 8, transactionId: ended.json.transactionId })
})

const accepted = (uniqueId: unknown) => ({
  transactionId: '9007199254740995',
  status: 'ON_THE_WAY',
  statusDescription: null,
  uniqueId,
  createdAt: '2026-11-20T10:00:00',
  distributionFlow: 'STANDARD',
})

test('payout create: an answer wrapped in value, with an unknown status and member, is accepted', async () => {
  const home = newHome()
  const service = await serviceByHand(({ path, body }) =>
    path === '/api/distributor' ? json({ value: accepted(JSON.parse(body).uniqueId) }) : undefined,
  )
  await addHandProfile(home, service.url)
  const ended = await succeeds(paydesk([...create({ profile: 'hand' }), '--json'], { home }))
  expect(ended.json).toMatchObject({
    transactionId: '9007199254740995',
    status: 'ON_THE_WAY',
    createdAt: '2026-11-20T10:00:00',
  })
})

test('payout create --file: a number in a text is sent as its digits with a warning; true is refused (2)', async () => {
  const home = newHome()
  const file = join(home, 'payout.json')
  const fields = { amount: 12.5, currency: 'GEL', description: 'Invoice', toIban: 'GE29NB0000000101904917' }
  const line = ['payout', 'create', '--file', file, '-p', 'sandbox', '--yes', '--json']
  writeFileSync(file, JSON.stringify({ ...fields, beneficiaryName: 'Nino', beneficiaryIdentityNumber: 62001012345 }))
  const sent = await succeeds(paydesk(line, { home }))
  expect(sent.json.warnings).toContainEqual(
    '--file: beneficiaryIdentityNumber is text, and is a number there: it is sent as "62001012345", without zeros before it',
  )
  const over = await paydesk([...line, '--beneficiary-identity-number', '01001000001'], { home })
  expect(JSON.stringify(over.json.warnings)).not.toContain('is a number there')
  writeFileSync(file, JSON.stringify({ ...fields, beneficiaryName: true }))
  const wrong = await paydesk(line, { home })
  expect([wrong.code, wrong.error.moneyMoved]).toEqual([2, 'no'])
  expect(wrong.error.message).toContain('--beneficiary-name is text: write "true" in quotes')
})
