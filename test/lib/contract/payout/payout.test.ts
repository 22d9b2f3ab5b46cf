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

/** The complaints about a payout that is right but for some fields. */
function wrongWith(changed: Record<string, unknown>): string[] {
  return complaints({ ...payout, ...changed })
}

test('a payout with nothing but the required fields keeps every rule and comes out as it went in', () => {
  expect(validate(createPayout, payout, circumstances())).toEqual({ ok: true, request: payout })
})

test('a payout with every field keeps every rule', () => {
  const { receiverId, receiverType } = receiver
  const rest = {
    beneficiaryIdentityNumber: '01001000001',
    beneficiaryName: 'ნინო ბერიძე',
    beneficiaryAddress: 'Rustaveli 1, Tbilisi',
    birthDate: '29.02.1988',
    debtorName: "O'Neil (1) + Co. / \\ - ? :",
    debtorIban: 'GE00TB1234567890123456',
    debtorIdentityNumber: '404123456',
    fromIban: 'GE99BG1234567890123456',
  }
  expect(complaints({ ...payout, ...rest })).toEqual([])
  expect(complaints({ ...toNobody, ...rest, receiverId, receiverType })).toEqual([])
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

describe('the way to the beneficiary', () => {
  test('an IBAN alone and a receiver with its type are accepted', () => {
    expect(complaints(payout)).toEqual([])
    expect(complaints({ ...toNobody, ...receiver })).toEqual([])
  })

  test('an IBAN and any part of a receiver not both', () => {
    const said = ['toIban or a registered receiver: give one, not both [5039]']
    expect(wrongWith(receiver)).toEqual(said)
    expect(wrongWith({ receiverId: receiver.receiverId })).toEqual(said)
    expect(wrongWith({ receiverType: 'USER' })).toEqual(said)
  })

  test('neither an IBAN nor a receiver is one too few', () => {
    expect(complaints(toNobody)).toEqual(['toIban or a registered receiver is required [5039]'])
  })

  test('half a receiver is told which half is missing', () => {
    expect(complaints({ ...toNobody, receiverId: receiver.receiverId })).toEqual([
      'receiverType is required together with a receiver id [5039]',
    ])
    expect(complaints({ ...toNobody, receiverType: 'USER' })).toEqual([
      'receiverId is required together with a receiver type [5039]',
    ])
  })
})

describe('one answer', () => {
  test('an empty request is told every field that is required, in the order of the specification', () => {
    expect(complaints({})).toEqual([
      'amount is required [5039]',
      'currency is required [5039]',
      'description is required [5039]',
      'toIban or a registered receiver is required [5039]',
      'uniqueId is required [5039]',
    ])
  })

  test('every violation is in it, each under the name of its field, in the order of the specification', () => {
    const said = complaints(
      {
        fromIban: 'nowhere',
        debtorName: 'Ü',
        uniqueId: 'x',
        birthDate: '31.02.2000',
        receiverType: 'SHOP',
        toIban: 'GE1',
        beneficiaryName: '',
        description: 'ä',
        currency: 'RUB',
        amount: '0',
        surprise: 1,
      },
      new Set(),
    )
    expect(said.map((each) => each.split(' ')[0]).join(' ')).toBe(
      'amount currency description beneficiaryName toIban toIban receiverType birthDate uniqueId debtorName debtorName fromIban fromIban surprise',
    )
  })
})

describe('permissions', () => {
  const restricted = {
    debtorName: 'Payer Ltd',
    debtorIban: 'GE29NB0000000101904917',
    debtorIdentityNumber: '404123456',
    fromIban: 'GE29NB0000000101904917',
  }
  const notPermitted = 'may be sent only by integrators that the service has permitted'

  const debtor = 'to send debtor fields [5047]'

  test.each([
    ['debtorName', debtor],
    ['debtorIban', debtor],
    ['debtorIdentityNumber', debtor],
    ['fromIban', 'to choose the account that is debited [5048]'],
  ] as const)('%s without the permission is refused: not permitted %s', (field, words) => {
    expect(complaints({ ...payout, [field]: restricted[field] }, new Set())).toEqual([
      `${field} ${notPermitted} ${words}`,
    ])
  })
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
  const saidOf = (transaction_id: unknown) => {
    const checked = validate(payoutDetails, { transaction_id }, circumstances())
    return checked.ok ? [] : checked.violations.map((each) => `${violationInWords(each)} [${each.code}]`)
  }
  for (const typed of ['1', '98765432109876543210']) expect(saidOf(typed)).toEqual([])
  for (const typed of ['abc', '', '-1', '1.0', '1e3', '0x10', ' 1', '١'])
    expect(saidOf(typed)).toEqual(['transaction_id must be a valid number [5042]'])
  expect(saidOf(undefined)).toEqual(['transaction_id is required [5042]'])
})

test('a balance is asked for in one of the three currencies', () => {
  const isRight = (request: object) => validate(payoutBalance, { ...request }, circumstances()).ok
  expect([{ currency: 'USD' }, { currency: 'usd' }, {}].map(isRight)).toEqual([true, false, false])
})

test('the id of a payout is its uniqueId, and 5017 says that it exists', () => {
  expect([createPayout.idField, createPayout.duplicateCode]).toEqual(['uniqueId', 5017])
})
