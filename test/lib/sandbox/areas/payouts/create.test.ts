import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { JsonNumber } from '../../../../../src/lib/contract/core/decimal.ts'
import { badIban, Caller, callers, goodIban, payout, type Said, toIban } from '../../../../kit/sandbox/callers.ts'
import { memorySandbox } from '../../../../kit/sandbox/stand.ts'

const here = async () => callers(await memorySandbox())
type Here = Awaited<ReturnType<typeof here>>
type Fields = Readonly<Record<string, unknown>>

const toReceiver = ({ branch }: Here, fields: Fields = {}) =>
  payout({ receiverId: branch.receiverId, receiverType: branch.receiverType, ...fields })

function isRefusedWith(answer: Said, code: number, word?: string): void {
  expect([answer.http, answer.code]).toEqual([400, code])
  expect(Object.keys(answer.value)).toEqual(['message', 'statusCode'])
  if (word) expect(answer.value.message).toContain(word)
}

test('amount and commission leave the balance at creation, the commission rounded up', async () => {
  const { byIban } = await here()
  await byIban.create(toIban({ amount: new JsonNumber('10.01') }))
  expect(await byIban.balance('GEL')).toBe('999989.93')
})

test('the client without commission pays the amount alone', async () => {
  const at = await here()
  await at.byReceiver.create(toReceiver(at, { amount: new JsonNumber('1e1') }))
  expect(await at.byReceiver.balance('GEL')).toBe('499990.00')
})

test('every field of the specification is taken, the restricted ones by the client that may send them', async () => {
  const at = await here()
  const beneficiary = {
    beneficiaryIdentityNumber: '01001012345',
    beneficiaryName: 'ნინო',
    beneficiaryAddress: 'თბილისი, 1',
  }
  const whole = toIban({ ...beneficiary, birthDate: '29.02.1988', description: "აბგ AZ az 09 /\\-?:().,'+" })
  expect((await at.byIban.create(whole)).http).toBe(200)
  const debtor = {
    debtorName: 'შპს მაგალითი, No.1',
    debtorIban: 'GE00AA0000000000000001',
    debtorIdentityNumber: '123456789',
  }
  const { user } = at
  const restricted = payout({
    receiverId: user.receiverId,
    receiverType: 'USER',
    ...debtor,
    fromIban: 'GE18SB1000000000000014',
  })
  expect((await at.byReceiver.create(restricted)).http).toBe(200)
})

test('fields that are null count as absent', async () => {
  const { byIban } = await here()
  expect((await byIban.create(toIban({ receiverId: null, receiverType: null, debtorName: null }))).http).toBe(200)
})

const breaches: [string, Fields, string][] = [
  ['no amount', { amount: undefined }, 'amount'],
  ['no currency', { currency: undefined }, 'currency'],
  ['no description', { description: undefined }, 'description'],
  ['no uniqueId', { uniqueId: undefined }, 'uniqueId'],
  ['an empty description', { description: ' ' }, 'description'],
  ['a Cyrillic description', { description: 'Зарплата' }, 'description'],
  ['a symbol that is not allowed', { description: 'a_b' }, 'description'],
  ['an amount of zero', { amount: 0 }, 'amount'],
  ['a negative amount', { amount: -1 }, 'amount'],
  ['an amount with three decimals', { amount: new JsonNumber('1.234') }, 'amount'],
  ['an amount of eleven digits', { amount: new JsonNumber('123456789.01') }, 'amount'],
  ['an amount that is no number', { amount: '12,50' }, 'amount must be'],
  ['an amount beyond all measure', { amount: new JsonNumber('1e999') }, 'amount'],
  ['an amount that is an object', { amount: {} }, 'amount'],
  ['an unknown currency', { currency: 'GBP' }, 'currency'],
  ['a uniqueId that is no UUID v4', { uniqueId: '5f0c0c5e-0000-1000-8000-000000000000' }, 'uniqueId'],
  ['a birth date of another form', { birthDate: '1990-01-31' }, 'birthDate'],
  ['a birth date that does not exist', { birthDate: '30.02.1990' }, 'birthDate'],
  ['IBAN and receiver together', { receiverId: randomUUID(), receiverType: 'USER' }, 'toIban or a registered receiver'],
  ['neither IBAN nor receiver', { toIban: undefined }, 'toIban'],
]

for (const [words, change, named] of breaches) {
  test(`a payout with ${words} is an invalid argument (5039) that is named`, async () => {
    isRefusedWith(await (await here()).byIban.create(toIban(change)), 5039, named)
  })
}

test('one refusal names every violation', async () => {
  const { byIban } = await here()
  const { value } = await byIban.create(toIban({ amount: 0, description: 'a_b', currency: 'GBP', debtorName: 'x' }))
  for (const field of ['amount', 'description', 'currency', 'debtorName']) expect(value.message).toContain(field)
})

test('a message stays short even when a field name does not', async () => {
  const { byIban } = await here()
  await byIban.sandbox.set({ strict: true })
  const { code, value } = await byIban.create(toIban({ ['x'.repeat(500_000)]: 1 }))
  expect(code).toBe(5039)
  expect(String(value.message).length).toBeLessThanOrEqual(4200)
})

const receiverBreaches: [string, (at: Here) => Fields, number][] = [
  ['a receiver id without its type', (at) => toReceiver(at, { receiverType: undefined }), 5039],
  ['a receiver type without id', (at) => toReceiver(at, { receiverId: undefined }), 5039],
  ['a receiver type of another kind', (at) => toReceiver(at, { receiverType: 'IBAN' }), 5039],
  ['a debtor IBAN in small letters', (at) => toReceiver(at, { debtorIban: 'ge29nb0000000101904917' }), 5039],
  ['a debtor identity number of ten digits', (at) => toReceiver(at, { debtorIdentityNumber: '1234567890' }), 5039],
  ['a fromIban of no pattern', (at) => toReceiver(at, { fromIban: 'mine' }), 5039],
  ['a fromIban of another client', (at) => toReceiver(at, { fromIban: 'GE78SB1000000000000001' }), 5015],
  [
    'dollars from the second account, which holds lari',
    (at) => toReceiver(at, { fromIban: 'GE18SB1000000000000014', currency: 'USD' }),
    5051,
  ],
  ['an unknown receiver', (at) => toReceiver(at, { receiverId: randomUUID() }), 5041],
  ['a branch that is called a user', (at) => toReceiver(at, { receiverType: 'USER' }), 5041],
  ['an IBAN', () => toIban(), 5033],
  ['more than the balance', (at) => toReceiver(at, { amount: new JsonNumber('500000.01') }), 5038],
  [
    'more than the second account holds',
    (at) => toReceiver(at, { amount: 20001, fromIban: 'GE18SB1000000000000014' }),
    5038,
  ],
]

for (const [words, fields, code] of receiverBreaches) {
  test(`the client that pays out by receiver is refused ${words} (${code})`, async () => {
    const at = await here()
    isRefusedWith(await at.byReceiver.create(fields(at)), code)
  })
}

const ibanBreaches: [string, (at: Here) => Fields, number][] = [
  ['a receiver', (at) => toReceiver(at), 5033],
  ['wrong check digits', () => toIban({ toIban: badIban }), 5023],
  ['an IBAN of another country', () => toIban({ toIban: 'DE89370400440532013000' }), 5023],
  ['an IBAN that is a number', () => toIban({ toIban: 29 }), 5023],
  ['euro', () => toIban({ currency: 'EUR' }), 5050],
  ['less than the minimum', () => toIban({ amount: new JsonNumber('0.01') }), 5045],
  ['more than the maximum', () => toIban({ amount: new JsonNumber('100000.01') }), 5046],
  ['a debtor name', () => toIban({ debtorName: 'Example' }), 5047],
  ['a debtor IBAN', () => toIban({ debtorIban: 'GE00AA0000000000000001' }), 5047],
  ['a debtor identity number', () => toIban({ debtorIdentityNumber: '123456789' }), 5047],
  ['a fromIban', () => toIban({ fromIban: goodIban }), 5048],
]

for (const [words, fields, code] of ibanBreaches) {
  test(`the restricted client is refused ${words} (${code})`, async () => {
    const at = await here()
    isRefusedWith(await at.byIban.create(fields(at)), code)
  })
}

test('the smallest and the largest payout are still inside the limits', async () => {
  const { byIban } = await here()
  expect((await byIban.create(toIban({ amount: new JsonNumber('0.02') }))).http).toBe(200)
  expect((await byIban.create(toIban({ amount: 100000 }))).http).toBe(200)
})

/** Each line breaks the rule of its own and of every later line; what is heard is its own. */
const precedence: [number, Fields][] = [
  [5039, { description: 'a_b' }],
  [5047, { debtorName: 'Example' }],
  [5048, { fromIban: goodIban }],
]

test('an invalid argument is told before a missing permission, debtor fields before fromIban', async () => {
  const { byIban } = await here()
  for (const [index, [code]] of precedence.entries()) {
    const broken = Object.assign({}, ...precedence.slice(index).map(([, fields]) => fields))
    isRefusedWith(await byIban.create(toIban({ ...broken, currency: 'EUR', toIban: badIban })), code)
  }
})

test('the checks come in the order that was seen: way, currency, minimum, maximum, balance, IBAN', async () => {
  const at = await here()
  const { byIban } = at
  isRefusedWith(await byIban.create(toReceiver(at, { currency: 'EUR' })), 5033)
  isRefusedWith(await byIban.create(toIban({ currency: 'EUR', amount: new JsonNumber('0.01'), toIban: badIban })), 5050)
  isRefusedWith(await byIban.create(toIban({ amount: new JsonNumber('0.01'), toIban: badIban })), 5045)
  isRefusedWith(await byIban.create(toIban({ amount: 200000, toIban: badIban })), 5046)
  for (let spent = 0; spent < 2; spent += 1) await byIban.create(toIban({ amount: 100000, currency: 'USD' }))
  isRefusedWith(await byIban.create(toIban({ amount: 60000, currency: 'USD', toIban: badIban })), 5038)
  isRefusedWith(await byIban.create(toIban({ amount: 100, currency: 'USD', toIban: badIban })), 5023)
})

test('a balance that covers the amount but not the commission does not cover the payout', async () => {
  const { byIban } = await here()
  for (let spent = 0; spent < 2; spent += 1) await byIban.create(toIban({ amount: 100000, currency: 'USD' }))
  expect(await byIban.balance('USD')).toBe('49000.00')
  isRefusedWith(await byIban.create(toIban({ amount: 49000, currency: 'USD' })), 5038)
  isRefusedWith(await byIban.create(toIban({ amount: new JsonNumber('48756.22'), currency: 'USD' })), 5038)
  expect((await byIban.create(toIban({ amount: new JsonNumber('48756.21'), currency: 'USD' }))).http).toBe(200)
  expect(await byIban.balance('USD')).toBe('0.00')
})

test('fromIban debits that account and leaves the main one alone; debtor fields move nothing', async () => {
  const sandbox = await memorySandbox()
  const at = await callers(sandbox)
  const debtor = { debtorName: 'Example', debtorIban: 'GE02SB1000000000000011', debtorIdentityNumber: '123456789' }
  await at.byReceiver.create(toReceiver(at, { amount: 100, fromIban: 'GE18SB1000000000000014', ...debtor }))
  const [, second] = (await sandbox.world()).distributorClients
  expect(second?.accounts.map(({ balance }) => String(balance))).toEqual([
    '500000.00',
    '100000.00',
    '75000.00',
    '19900.00',
  ])
})

test('a uniqueId is executed once: again with the same body, with another, in capitals, it exists (5017)', async () => {
  const sandbox = await memorySandbox()
  const { byIban } = await callers(sandbox)
  const fields = toIban()
  await byIban.create(fields)
  isRefusedWith(await byIban.create(fields), 5017)
  isRefusedWith(await byIban.create({ ...fields, amount: 13 }), 5017)
  isRefusedWith(await byIban.create({ ...fields, uniqueId: String(fields.uniqueId).toUpperCase() }), 5017)
  expect((await sandbox.ledger()).payouts.map(({ executions }) => executions)).toEqual([1])
})

test('a duplicate is told last: whatever else is wrong with the repeat is told instead', async () => {
  const { byIban } = await here()
  const fields = toIban()
  await byIban.create(fields)
  isRefusedWith(await byIban.create({ ...fields, amount: 200000 }), 5046)
  isRefusedWith(await byIban.create({ ...fields, toIban: badIban }), 5023)
})

test('a uniqueId belongs to one client: another may use the same', async () => {
  const at = await here()
  const fields = toIban()
  await at.byIban.create(fields)
  expect((await at.byReceiver.create(toReceiver(at, { uniqueId: fields.uniqueId }))).http).toBe(200)
})

test('a refused payout does not use its uniqueId up', async () => {
  const { byIban } = await here()
  const fields = toIban({ toIban: badIban })
  isRefusedWith(await byIban.create(fields), 5023)
  expect((await byIban.create({ ...fields, toIban: goodIban })).http).toBe(200)
})

for (const body of ['', '{', '{"amount":12.50,', '[1]', '\uFFFD', '{"amount":1,"amount":2}', '{"a":'.repeat(100_000)]) {
  test(`a body of ${JSON.stringify(body).slice(0, 24)} is not readable (5043)`, async () => {
    const { byIban } = await here()
    isRefusedWith(await byIban.send({ method: 'POST', path: '/api/distributor', body }), 5043)
  })
}

test('a secret of an older world opens nothing in the new one', async () => {
  const sandbox = await memorySandbox()
  const { byIban } = await callers(sandbox)
  await sandbox.reset()
  expect((await byIban.balanceIn('GEL')).http).toBe(401)
  expect((await new Caller(sandbox, byIban.client, 'documented').signIn()).code).toBe(5021)
})
