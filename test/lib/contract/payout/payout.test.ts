import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fieldsOf } from '../../../../src/lib/contract/core/field.ts'
import type { Permission } from '../../../../src/lib/contract/core/permission.ts'
import { alphabetInWords } from '../../../../src/lib/contract/core/text.ts'
import { violationInWords } from '../../../../src/lib/contract/operation.ts'
import { createPayout, payoutBalance, payoutDetails } from '../../../../src/lib/contract/payout/payout.ts'
import { validate } from '../../../../src/lib/contract/validate.ts'

const iban = 'GE29NB0000000101904917'
const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const receiver = { receiverId: 'f47ac10b-58cc-4372-a567-0e02b2c3d479', receiverType: 'BRANCH' }
const payout = { amount: '12.50', currency: 'GEL', description: 'Salary, November', toIban: iban, uniqueId: id }
const { toIban: _iban, ...toNobody } = payout
const everything = new Set<Permission>(['debtor', 'fromIban'])

function circumstances(permits: ReadonlySet<Permission> = new Set()) {
  return { permits, orderType: null, now: 0 }
}

function complaints(request: Record<string, unknown>, permits: ReadonlySet<Permission> = everything): string[] {
  const checked = validate(createPayout, request, circumstances(permits))
  return checked.ok ? [] : checked.violations.map((each) => `${violationInWords(each)} [${each.code}]`)
}

test('a payout with nothing but the required fields keeps every rule and comes out as it went in', () => {
  expect(validate(createPayout, payout, circumstances())).toEqual({ ok: true, request: payout })
})

test('a payout with every field keeps every rule', () => {
  const rest = {
    ...{ beneficiaryIdentityNumber: '01001000001', beneficiaryName: 'ნინო ბერიძე', birthDate: '29.02.1988' },
    ...{ beneficiaryAddress: 'Rustaveli 1, Tbilisi', debtorName: "O'Neil (1) + Co. / \\ - ? :" },
    ...{ debtorIban: 'GE00TB1234567890123456', debtorIdentityNumber: '404123456' },
    fromIban: 'GE99BG1234567890123456',
  }
  expect(complaints({ ...payout, ...rest })).toEqual([])
  expect(complaints({ ...toNobody, ...rest, ...receiver })).toEqual([])
})

const plainNumber = 'must be a plain decimal number like 12.50, without sign, exponent or separators'
const georgian = 'must be a Georgian IBAN: GE, 2 digits, 2 capital letters, 16 digits [5023]'
const pattern = 'must be GE, 2 digits, 2 capital letters, 16 digits [5039]'
const uuid = 'must be a UUID, version 4 [5039]'
const empty = 'must not be empty [5039]'
const noIbans = ['GE29NB000000010190491', 'ge29nb0000000101904917', 'GE29 NB00 0000 0101 9049 17', '']
const noUuids = [
  ...['5d1f3f1f-8a2c-11ee-9a53-0242ac120002', '018c2c3e-7b1a-7f0e-9a53-5d1f3f1f7a11'],
  ...['0b5f0f0e-8a2c-4f0e-ca53-5d1f3f1f7a11', '00000000-0000-0000-0000-000000000000'],
  ...['0b5f0f0e8a2c4f0e9a535d1f3f1f7a11', `{${id}}`, `${id} `, ''],
]
const freeText = ['Zürich & Söhne; "№ 5" 公司']
const alphabet = `"З" (U+0417) at position 1 is not allowed; allowed are ${alphabetInWords} [5039]`

/** Of a field: values that it takes (no complaint) or refuses, with the complaint. */
const values: readonly (readonly [field: string, complaint: string | null, values: readonly unknown[]])[] = [
  ['amount', null, ['0.01', '0.1', '1', '1234567890', '12345678.90', '123456789.1', '0.10', '99999999.99']],
  ['amount', 'has more than 10 digits, decimals included [5039]', ['12345678901', '123456789.01', '1234567890.1']],
  ['amount', 'has more than 2 decimals [5039]', ['1.234', '0.001', '12.500']],
  ['amount', 'must be greater than 0 [5039]', ['0', '0.0', '0.00']],
  ['amount', `${plainNumber} [5039]`, ['-1', '+1', '1e3', '0x10', '01', '.5', '5.', ' 5', '1 000', '', 'ten', '１２']],
  ['amount', `${plainNumber}: write it as 1250.00 [5039]`, ['1250,00']],
  ['currency', null, ['GEL', 'USD', 'EUR']],
  ['currency', 'must be one of GEL, USD, EUR [5039]', ['gel', 'RUB', '', ' GEL', 1, null]],
  ['receiverType', null, ['BRANCH', 'USER']],
  ['receiverType', 'must be one of BRANCH, USER [5039]', ['IBAN', 'branch', '']],
  ['receiverId', uuid, noUuids],
  ['uniqueId', uuid, noUuids],
  ['uniqueId', null, [id.toUpperCase(), ...Array.from({ length: 100 }, () => randomUUID())]],
  ...['description', 'debtorName'].flatMap(
    (name) =>
      [
        [name, alphabet, ['Зарплата']],
        [name, null, ['ხელფასი']],
        [name, empty, ['', '  ']],
      ] as const,
  ),
  ...['beneficiaryName', 'beneficiaryAddress', 'beneficiaryIdentityNumber'].flatMap(
    (name) =>
      [
        [name, null, freeText],
        [name, empty, ['', '  ']],
      ] as const,
  ),
  ['toIban', georgian, ['DE89370400440532013000', ...noIbans]],
  ['toIban', 'has wrong check digits: one of its characters is mistyped [5023]', ['GE29NB0000000101904918']],
  ...['debtorIban', 'fromIban'].flatMap(
    (name) =>
      [
        [name, null, ['GE00NB0000000101904918']],
        [name, pattern, noIbans],
      ] as const,
  ),
  ['debtorIdentityNumber', null, ['123456789', '12345678901']],
  [
    'debtorIdentityNumber',
    'must be 9 or 11 digits [5039]',
    ['12345678', '1234567890', '123456789012', '12345678a', '١٢٣٤٥٦٧٨٩', '123456789\n', ''],
  ],
  ['birthDate', null, ['29.02.2000']],
  ['birthDate', 'must be a date of the calendar, dd.MM.yyyy [5039]', ['29.02.2001', '2000-02-29', '1.1.2000', '']],
  ['ammount', 'is not a field of this request [5039]', ['5']],
]

test.each(values)('%s %s: %j', (name, complaint, given) => {
  const rest = name.startsWith('receiver') ? { ...toNobody, ...receiver } : payout
  for (const value of given) {
    const said = complaint === null ? [] : [`${name} ${complaint}`]
    expect(complaints({ ...rest, [name]: value }), String(value)).toEqual(said)
  }
})

const { receiverId } = receiver
const notBoth = 'toIban or a registered receiver: give one, not both'
const required = ['amount', 'currency', 'description', 'toIban or a registered receiver', 'uniqueId']

test.each<[string, object, readonly string[]]>([
  ['an IBAN', payout, []],
  ['a receiver with its type', { ...toNobody, ...receiver }, []],
  ['both', { ...payout, ...receiver }, [notBoth]],
  ['an IBAN and a receiver id', { ...payout, receiverId }, [notBoth]],
  ['an IBAN and a receiver type', { ...payout, receiverType: 'USER' }, [notBoth]],
  ['nobody', toNobody, ['toIban or a registered receiver is required']],
  ['an id alone', { ...toNobody, receiverId }, ['receiverType is required together with a receiver id']],
  ['a type alone', { ...toNobody, receiverType: 'USER' }, ['receiverId is required together with a receiver type']],
  ['an empty request', {}, required.map((name) => `${name} is required`)],
])('a payout to %s', (_what, request, said) => {
  expect(complaints({ ...request })).toEqual(said.map((each) => `${each} [5039]`))
})

test('every violation is told, each under the name of its field, in the order of the specification', () => {
  const wrong = {
    ...{ fromIban: 'nowhere', debtorName: 'Ü', uniqueId: 'x', birthDate: '31.02.2000', receiverType: 'SHOP' },
    ...{ toIban: 'GE1', beneficiaryName: '', description: 'ä', currency: 'RUB', amount: '0', surprise: 1 },
  }
  expect(complaints(wrong, new Set()).map((each) => each.split(' ')[0])).toEqual([
    ...['amount', 'currency', 'description', 'beneficiaryName', 'toIban', 'toIban', 'receiverType', 'birthDate'],
    ...['uniqueId', 'debtorName', 'debtorName', 'fromIban', 'fromIban', 'surprise'],
  ])
})

const toDebtor = 'to send debtor fields [5047]'

test.each([
  ['debtorName', 'Payer Ltd', toDebtor],
  ['debtorIban', iban, toDebtor],
  ['debtorIdentityNumber', '404123456', toDebtor],
  ['fromIban', iban, 'to choose the account that is debited [5048]'],
])('%s "%s" without the permission %s is refused', (field, value, words) => {
  const said = `${field} may be sent only by integrators that the service has permitted ${words}`
  expect(complaints({ ...payout, [field]: value }, new Set())).toEqual([said])
})

describe('the description of the fields', () => {
  test('the fields of a payout are those of the specification, in its order, with what is required of them', () => {
    const written = fieldsOf(createPayout.request).map(
      ({ name, required, made }) => `${name}${required ? '' : '?'}${made ? ' (made)' : ''}`,
    )
    expect(written).toEqual([
      ...['amount', 'currency', 'description', 'beneficiaryIdentityNumber?', 'beneficiaryName?', 'beneficiaryAddress?'],
      ...['toIban?', 'receiverId?', 'receiverType?', 'birthDate?', 'uniqueId (made)'],
      ...['debtorName?', 'debtorIban?', 'debtorIdentityNumber?', 'fromIban?'],
    ])
  })

  test('the amount alone is a number in JSON, and closed lists are known', () => {
    const fields = fieldsOf(createPayout.request)
    expect(fields.filter(({ json }) => json === 'number').map(({ name }) => name)).toEqual(['amount'])
    expect(fields.filter(({ options }) => options).map(({ name, options }) => [name, options])).toEqual([
      ['currency', ['GEL', 'USD', 'EUR']],
      ['receiverType', ['BRANCH', 'USER']],
    ])
  })

  test('a payout names the movement for the confirmation and the duplicate guard', () => {
    expect(createPayout.moves(payout)).toEqual({
      payee: iban,
      payeeName: null,
      amount: '12.50',
      currency: 'GEL',
      price: null,
      guarded: true,
    })
    expect(createPayout.moves({ ...toNobody, ...receiver }).payee).toBe(`BRANCH ${receiver.receiverId}`)
  })
})

test('a transaction id is a whole number of any length, else it is refused with 5042', () => {
  const describeTypedWrite = (transaction_id: unknown) => {
    const checked = validate(payoutDetails, { transaction_id }, circumstances())
    return checked.ok ? [] : checked.violations.map((each) => `${violationInWords(each)} [${each.code}]`)
  }
  for (const typed of ['1', '98765432109876543210']) expect(describeTypedWrite(typed)).toEqual([])
  for (const typed of ['abc', '', '-1', '1.0', '1e3', '0x10', ' 1', '١'])
    expect(describeTypedWrite(typed)).toEqual(['transaction_id must be a valid number [5042]'])
  expect(describeTypedWrite(undefined)).toEqual(['transaction_id is required [5042]'])
})

test('a balance is asked for in one of the three currencies', () => {
  const isRight = (request: object) => validate(payoutBalance, { ...request }, circumstances()).ok
  expect([{ currency: 'USD' }, { currency: 'usd' }, {}].map(isRight)).toEqual([true, false, false])
})

test('the id of a payout is its uniqueId, and 5017 says that it exists', () => {
  expect([createPayout.idField, createPayout.duplicateCode]).toEqual(['uniqueId', 5017])
})
