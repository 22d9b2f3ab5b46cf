import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { branch, create, createToReceiver } from '../../kit/payment.ts'
import { hurriedClock } from '../../kit/program/hurried.ts'
import { newHome, paydesk } from '../../kit/program/paydesk.ts'
import { addHandProfile, json, serviceByHand } from '../../kit/service/service-by-hand.ts'
import { ledgerOf } from '../../kit/world.ts'

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('the receipt of a payout', () => {
  test('is one JSON document that agrees with the ledger', async () => {
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

  test('keeps a transaction id above 2^53 and the two decimals of the amount, digit for digit', async () => {
    const ended = await paydesk([...create({ amount: '12.5' }), '--json'], { home: newHome() })
    expect(ended.stdout).toContain('"transactionId":"100001"')
    expect(ended.stdout).toContain('"amount":12.50,')
  })

  test('as a table shows amount, grouped IBAN, status with its meaning and every id', async () => {
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

  test('can be cut down with --fields and --query, and written as CSV and NDJSON', async () => {
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

  test('remarks that a name is missing, in words and inside the document', async () => {
    const home = newHome()
    const warning = expect.stringContaining('without --beneficiary-name')
    const table = await paydesk(create({ 'beneficiary-name': null }), { home })
    expect(table.stderr).toEqual(expect.stringContaining('warning: sent without --beneficiary-name'))
    const other = await paydesk([...create({ 'beneficiary-name': null, amount: '3' }), '--json'], { home })
    expect(other.stderr).toBe('')
    expect(other.json.warnings).toEqual([warning])
  })

  test('warns when the payout waits for the balance', async () => {
    const ended = await paydesk([...create({ description: 'sandbox:insufficient-balance' }), '--json'], {
      home: newHome(),
    })
    expect(ended.code).toBe(0)
    expect(ended.json).toMatchObject({
      status: 'INITIAL_INSUFFICIENT_BALANCE',
      warnings: [expect.stringContaining('waits for the balance')],
    })
  })
})

describe('the request', () => {
  test('has every field of the specification, amount as a number and nothing else', async () => {
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

  test('carries a Georgian name and description unchanged', async () => {
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

  test('goes to a registered receiver where the client pays out that way', async () => {
    const home = newHome()
    const ended = await paydesk([...createToReceiver(), '--json'], { home })
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json).toMatchObject({ payee: `BRANCH ${branch}`, profile: 'sandbox-receiver' })
    expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
  })

  test('may hold the restricted fields where the profile permits them; fromIban debits that account', async () => {
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
})

describe('a request that breaks the rules', () => {
  test('is refused with every violation at once, each by its flag, and nothing is sent', async () => {
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

  test('is refused with both ways to the beneficiary, with neither, and with half of one', async () => {
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

  test('is refused without a confirmation when no person can be asked', async () => {
    const home = newHome()
    const ended = await paydesk(create({ yes: null }), { home })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('--yes')
    expect(await ledgerOf(home)).toEqual([])
  })
})

describe('--confirm', () => {
  test.each(['GEL 12.50', 'gel 12.5', ' GEL  12.50 '])('"%s" is consent to GEL 12.50', async (confirm) => {
    const ended = await paydesk(create({ yes: null, confirm }), { home: newHome() })
    expect(ended.code).toBe(0)
  })

  test.each(['GEL 12.51', 'USD 12.50', '12.50', 'yes', ''])('"%s" is none: 3, nothing sent', async (confirm) => {
    const home = newHome()
    const ended = await paydesk(create({ yes: null, confirm }), { home })
    expect(ended.code).toBe(3)
    expect(ended.stderr).toContain('nothing was sent')
    expect(await ledgerOf(home)).toEqual([])
  })
})

describe('--file', () => {
  const fields = {
    amount: 7.1,
    currency: 'GEL',
    toIban: 'GE29NB0000000101904917',
    beneficiaryName: 'Nino Beridze',
    description: 'From a file',
  }
  const rest = ['-p', 'sandbox', '--yes', '--json']

  test('takes the request from JSON', async () => {
    const home = newHome()
    const file = join(home, 'payout.json')
    writeFileSync(file, JSON.stringify(fields))
    const ended = await paydesk(['payout', 'create', '--file', file, ...rest], { home })
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json).toMatchObject({ amount: 7.1 })
  })

  test('takes the request from YAML, amounts and long numbers digit for digit', async () => {
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
    const ended = await paydesk(['payout', 'create', '--file', file, '-p', 'hand', '--yes', '--json'], { home })
    expect(ended.code, ended.stderr).toBe(0)
    expect(service.creates[0]?.body).toContain('"amount":12.50')
    expect(service.creates[0]?.body).toContain('"beneficiaryIdentityNumber":"01001000001"')
  })

  test('- reads stdin', async () => {
    const ended = await paydesk(['payout', 'create', '--file', '-', ...rest], {
      home: newHome(),
      stdin: JSON.stringify(fields),
    })
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json).toMatchObject({ amount: 7.1 })
  })

  test('loses against the flags', async () => {
    const ended = await paydesk(['payout', 'create', '--file', '-', '--amount', '8.20', ...rest], {
      home: newHome(),
      stdin: JSON.stringify(fields),
    })
    expect(ended.json).toMatchObject({ amount: 8.2, payee: 'GE29NB0000000101904917' })
  })

  test.each([
    ['no object', '[1, 2]'],
    ['no JSON', '{"amount": 1'],
    ['a member twice', '{"amount": 1, "amount": 2}'],
    ['an unknown field', '{"amount": 1, "amuont": 2}'],
    ['nothing', ''],
  ])('with %s is refused (2)', async (_what, stdin) => {
    const home = newHome()
    const ended = await paydesk(['payout', 'create', '--file', '-', ...rest], { home, stdin })
    expect(ended.code).toBe(2)
    expect(ended.stdout).toBe('')
    expect(await ledgerOf(home)).toEqual([])
  })

  test('that is not there is refused (2)', async () => {
    const ended = await paydesk(['payout', 'create', '--file', '/nowhere/payout.yaml', ...rest], { home: newHome() })
    expect(ended).toMatchObject({ code: 2, error: { name: 'usage' } })
    expect(ended.stderr).toContain('/nowhere/payout.yaml')
  })
})

describe('--wait', () => {
  test('stays until the payout is executed and shows its last status', async () => {
    const clock = hurriedClock()
    const ended = await paydesk([...create({ wait: true }), '--json'], { home: newHome(), clock })
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json).toMatchObject({ outcome: 'accepted', status: 'SUCCESS', statusDescription: 'Completed' })
  })

  test('ends with 5 when the bank fails the payout, and says that the amount comes back', async () => {
    const clock = hurriedClock()
    const ended = await paydesk([...create({ wait: true, description: 'sandbox:failed' }), '--json'], {
      home: newHome(),
      clock,
    })
    expect(ended.code).toBe(5)
    expect(ended.stdout).toBe('')
    expect(ended.error).toMatchObject({ name: 'refused', status: 'FAILED', moneyMoved: 'no' })
  })

  test('ends with 8 and the receipt when the time is up', async () => {
    const clock = hurriedClock()
    const ended = await paydesk(
      [...create({ wait: true, description: 'sandbox:insufficient-balance', timeout: '10s' }), '--json'],
      { home: newHome(), clock },
    )
    expect(ended.code).toBe(8)
    expect(ended.json).toMatchObject({ outcome: 'accepted', status: 'INITIAL_INSUFFICIENT_BALANCE' })
    expect(ended.error).toMatchObject({ name: 'pending', exit: 8, transactionId: ended.json.transactionId })
  })
})

describe('an answer that the documents do not show', () => {
  const accepted = (uniqueId: unknown) => ({
    transactionId: '9007199254740995',
    status: 'ON_THE_WAY',
    statusDescription: null,
    uniqueId,
    createdAt: '2026-11-20T10:00:00',
    distributionFlow: 'STANDARD',
  })

  test('wrapped in value, with an unknown status and an unknown member, is a receipt all the same', async () => {
    const home = newHome()
    const service = await serviceByHand(({ path, body }) =>
      path === '/api/distributor' ? json({ value: accepted(JSON.parse(body).uniqueId) }) : undefined,
    )
    await addHandProfile(home, service.url)
    const ended = await paydesk([...create({ profile: 'hand' }), '--json'], { home })
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json).toMatchObject({
      transactionId: '9007199254740995',
      status: 'ON_THE_WAY',
      createdAt: '2026-11-20T10:00:00',
    })
  })

  test('that speaks of another uniqueId is no acceptance (9)', async () => {
    const home = newHome()
    const service = await serviceByHand(({ path }) =>
      path === '/api/distributor' ? json(accepted('0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11')) : undefined,
    )
    await addHandProfile(home, service.url)
    const ended = await paydesk([...create({ profile: 'hand' }), '--json'], { home, clock: hurriedClock() })
    expect(ended.code).toBe(9)
    expect(String(ended.error.message)).toContain('another uniqueId')
  })

  test('with an unknown code is shown as it came and leaves the payout unknown (9)', async () => {
    const home = newHome()
    const service = await serviceByHand(({ path }) =>
      path === '/api/distributor' ? json({ message: 'ახალი კოდი', statusCode: 5999 }, 400) : undefined,
    )
    await addHandProfile(home, service.url)
    const ended = await paydesk([...create({ profile: 'hand' }), '--json'], { home, clock: hurriedClock() })
    expect(ended.code).toBe(9)
    expect(ended.error).toMatchObject({
      service: { http: 400, statusCode: 5999, exceptionGroup: null, message: 'ახალი კოდი' },
      moneyMoved: 'unknown',
    })
    expect(service.creates.map(({ body }) => JSON.parse(body).uniqueId)).toEqual(
      Array(5).fill(expect.stringMatching(uuidV4)),
    )
    expect(new Set(service.creates.map(({ body }) => body)).size).toBe(1)
  })

  test('that redirects is not followed: 4, and the token stays at home', async () => {
    const home = newHome()
    const elsewhere = await serviceByHand()
    const service = await serviceByHand(({ path }) =>
      path === '/api/distributor'
        ? { status: 307, headers: { location: `${elsewhere.url}/api/distributor` }, body: '' }
        : undefined,
    )
    await addHandProfile(home, service.url)
    const ended = await paydesk([...create({ profile: 'hand' }), '--json'], { home })
    expect(ended.code).toBe(4)
    expect(ended.error).toMatchObject({ name: 'credentials', moneyMoved: 'no' })
    expect(service.creates).toHaveLength(1)
    expect(elsewhere.seen).toEqual([])
  })
})

test('a flag that does not exist is named, and nothing is sent (2)', async () => {
  const home = newHome()
  const ended = await paydesk(create({ 'no-such-flag': 'x' }), { home })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain('--no-such-flag')
  expect(await ledgerOf(home)).toEqual([])
})
