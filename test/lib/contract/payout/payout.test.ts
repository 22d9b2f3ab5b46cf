import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fieldsOf } from '../../../../src/lib/contract/core/field.ts'
import type { Permission } from '../../../../src/lib/contract/core/permission.ts'
import { alphabetInWords } from '../../../../src/lib/contract/core/text.ts'
import { violationInWords } from '../../../../src/lib/contract/operation.ts'
import { createPayout, payoutBalance, payoutDetails } from '../../../../src/lib/contract/payout/payout.ts'
import { tidy, validate } from '../../../../src/lib/contract/validate.ts'

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

describe('amount', () => {
  test.each(['0.01', '0.1', '1', '1234567890', '12345678.90', '123456789.1', '0.10', '99999999.99'])(
    '%s is accepted',
    (amount) => {
      expect(wrongWith({ amount })).toEqual([])
    },
  )

  test.each(['12345678901', '123456789.01', '1234567890.1', '12345678901.23'])(
    '%s has more than 10 digits, decimals included',
    (amount) => {
      expect(wrongWith({ amount })).toEqual(['amount has more than 10 digits, decimals included [5039]'])
    },
  )

  test.each(['1.234', '0.001', '12.500'])('%s has more than 2 decimals', (amount) => {
    expect(wrongWith({ amount })).toEqual(['amount has more than 2 decimals [5039]'])
  })

  test.each(['0', '0.0', '0.00'])('%s is not greater than 0', (amount) => {
    expect(wrongWith({ amount })).toEqual(['amount must be greater than 0 [5039]'])
  })

  test.each(['-1', '+1', '1e3', '0x10', '01', '.5', '5.', ' 5', '1 000', '', 'ten', '１２'])(
    '%j is no plain decimal number',
    (amount) => {
      expect(wrongWith({ amount })).toEqual([
        'amount must be a plain decimal number like 12.50, without sign, exponent or separators [5039]',
      ])
    },
  )

  test('a comma is answered with how decimals are written', () => {
    expect(wrongWith({ amount: '1250,00' })).toEqual([
      'amount must be a plain decimal number like 12.50, without sign, exponent or separators: write it as 1250.00 [5039]',
    ])
  })

  test('a number of JavaScript is not text', () => {
    expect(wrongWith({ amount: 12.5 })).toEqual(['amount must be text [5039]'])
  })
})

describe('currency and receiver type', () => {
  test.each(['GEL', 'USD', 'EUR'])('%s is a currency', (currency) => {
    expect(wrongWith({ currency })).toEqual([])
  })

  test.each(['gel', 'RUB', '', ' GEL', 1, null])('%j is no currency', (currency) => {
    expect(wrongWith({ currency })).toEqual(['currency must be one of GEL, USD, EUR [5039]'])
  })

  test.each(['BRANCH', 'USER'])('%s is a receiver type', (receiverType) => {
    expect(complaints({ ...toNobody, ...receiver, receiverType })).toEqual([])
  })

  test.each(['IBAN', 'branch', ''])('%j is no receiver type', (receiverType) => {
    expect(complaints({ ...toNobody, ...receiver, receiverType })).toEqual([
      'receiverType must be one of BRANCH, USER [5039]',
    ])
  })
})

describe('texts', () => {
  test.each(['description', 'debtorName'])('%s has the alphabet of bank statements', (field) => {
    expect(wrongWith({ [field]: 'Зарплата' })).toEqual([
      `${field} "З" (U+0417) at position 1 is not allowed; allowed are ${alphabetInWords} [5039]`,
    ])
    expect(wrongWith({ [field]: 'a_b' })[0]).toMatch(/"_" \(U\+005F\) at position 2 is not allowed/)
    expect(wrongWith({ [field]: 'ხელფასი' })).toEqual([])
  })

  test.each(['description', 'debtorName', 'beneficiaryName', 'beneficiaryAddress', 'beneficiaryIdentityNumber'])(
    '%s must not be empty',
    (field) => {
      expect(wrongWith({ [field]: '' })).toEqual([`${field} must not be empty [5039]`])
      expect(wrongWith({ [field]: '  ' })).toEqual([`${field} must not be empty [5039]`])
    },
  )

  test.each(['beneficiaryName', 'beneficiaryAddress', 'beneficiaryIdentityNumber'])('%s is free text', (field) => {
    expect(wrongWith({ [field]: 'Zürich & Söhne; "№ 5" 公司' })).toEqual([])
  })
})

describe('ids', () => {
  const others = {
    'version 1': '5d1f3f1f-8a2c-11ee-9a53-0242ac120002',
    'version 5': '5d1f3f1f-8a2c-5f0e-9a53-5d1f3f1f7a11',
    'version 7': '018c2c3e-7b1a-7f0e-9a53-5d1f3f1f7a11',
    'another variant': '0b5f0f0e-8a2c-4f0e-ca53-5d1f3f1f7a11',
    'no version': '00000000-0000-0000-0000-000000000000',
    'no hyphens': '0b5f0f0e8a2c4f0e9a535d1f3f1f7a11',
    braces: `{${id}}`,
    'a blank after it': `${id} `,
    nothing: '',
  }

  test.each(Object.entries(others))('a uniqueId with %s is refused', (_what, uniqueId) => {
    expect(wrongWith({ uniqueId })).toEqual(['uniqueId must be a UUID, version 4 [5039]'])
  })

  test.each(Object.entries(others))('a receiverId with %s is refused', (_what, receiverId) => {
    expect(complaints({ ...toNobody, ...receiver, receiverId })).toEqual([
      'receiverId must be a UUID, version 4 [5039]',
    ])
  })

  test('a UUID v4 is accepted in small letters and in capitals', () => {
    expect(wrongWith({ uniqueId: id.toUpperCase() })).toEqual([])
    for (let times = 0; times < 100; times += 1) expect(wrongWith({ uniqueId: randomUUID() })).toEqual([])
  })
})

describe('IBANs', () => {
  test('a beneficiary IBAN without the Georgian pattern is refused with code 5023', () => {
    for (const toIban of [
      'DE89370400440532013000',
      'GE29NB000000010190491',
      'GE29 NB00 0000 0101 9049 17',
      '',
      'ge29nb0000000101904917',
    ]) {
      expect(wrongWith({ toIban })).toEqual([
        'toIban must be a Georgian IBAN: GE, 2 digits, 2 capital letters, 16 digits [5023]',
      ])
    }
  })

  test('a beneficiary IBAN with a mistyped character is refused with code 5023', () => {
    expect(wrongWith({ toIban: 'GE29NB0000000101904918' })).toEqual([
      'toIban has wrong check digits (mod-97): one of its characters is mistyped [5023]',
    ])
  })

  test.each(['debtorIban', 'fromIban'])('the check digits of %s are not looked at, its pattern is', (field) => {
    expect(wrongWith({ [field]: 'GE00NB0000000101904918' })).toEqual([])
    for (const typed of ['GE29NB000000010190491', 'ge29nb0000000101904917', 'GE29 NB00 0000 0101 9049 17', '']) {
      expect(wrongWith({ [field]: typed })).toEqual([
        `${field} must be GE, 2 digits, 2 capital letters, 16 digits [5039]`,
      ])
    }
  })

  test('only the beneficiary IBAN is tidied; what else was typed stays as it was typed', () => {
    const typed = {
      toIban: ' ge29 nb00 0000 0101 9049 17',
      debtorIban: 'ge29 nb00',
      fromIban: 'x y',
      amount: ' 5',
      other: 1,
    }
    expect(tidy(createPayout, typed)).toEqual({ ...typed, toIban: iban })
    expect(tidy(createPayout, { toIban: 5 })).toEqual({ toIban: 5 })
    expect(tidy(createPayout, {})).toEqual({})
  })
})

describe('numbers and dates', () => {
  test.each(['123456789', '12345678901'])('the debtor identity number %s is accepted', (debtorIdentityNumber) => {
    expect(wrongWith({ debtorIdentityNumber })).toEqual([])
  })

  test.each(['12345678', '1234567890', '123456789012', '12345678a', '١٢٣٤٥٦٧٨٩', '123456789\n', ''])(
    'the debtor identity number %j is not 9 or 11 digits',
    (debtorIdentityNumber) => {
      expect(wrongWith({ debtorIdentityNumber })).toEqual(['debtorIdentityNumber must be 9 or 11 digits [5039]'])
    },
  )

  test('a birth date is a day of the calendar, dd.MM.yyyy', () => {
    expect(wrongWith({ birthDate: '29.02.2000' })).toEqual([])
    for (const birthDate of ['29.02.2001', '2000-02-29', '1.1.2000', '']) {
      expect(wrongWith({ birthDate })).toEqual(['birthDate must be a date of the calendar, dd.MM.yyyy [5039]'])
    }
  })
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
    expect(said.map((each) => each.split(' ')[0])).toEqual([
      'amount',
      'currency',
      'description',
      'beneficiaryName',
      'toIban',
      'toIban',
      'receiverType',
      'birthDate',
      'uniqueId',
      'debtorName',
      'debtorName',
      'fromIban',
      'fromIban',
      'surprise',
    ])
  })

  test('a field that the contract does not have is refused by name', () => {
    expect(wrongWith({ ammount: '5' })).toEqual(['ammount is not a field of this request [5039]'])
    expect(complaints(JSON.parse(`{"__proto__": {"amount": "1"}, "constructor": 1}`)).slice(-2)).toEqual([
      '__proto__ is not a field of this request [5039]',
      'constructor is not a field of this request [5039]',
    ])
  })

  test('a value that is not text is refused in every field', () => {
    for (const { name } of fieldsOf(createPayout.request)) {
      for (const value of [5, true, {}, [], null]) {
        expect(
          wrongWith({ [name]: value }).some((each) => each.startsWith(`${name} must be`)),
          name,
        ).toBe(true)
      }
    }
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

  test('each of the two permissions opens its own fields only', () => {
    const request = { ...payout, ...restricted }
    const fieldsRefused = (...permits: Permission[]) =>
      complaints(request, new Set(permits)).map((each) => each.split(' ')[0])
    expect(fieldsRefused()).toEqual(['debtorName', 'debtorIban', 'debtorIdentityNumber', 'fromIban'])
    expect(fieldsRefused('debtor')).toEqual(['fromIban'])
    expect(fieldsRefused('fromIban')).toEqual(['debtorName', 'debtorIban', 'debtorIdentityNumber'])
    expect(fieldsRefused('debtor', 'fromIban')).toEqual([])
  })
})

describe('the description of the fields', () => {
  test('the fields of a payout are those of the specification, in its order, with what is required of them', () => {
    expect(fieldsOf(createPayout.request).map(({ name, required, made }) => [name, required, made ?? false])).toEqual([
      ['amount', true, false],
      ['currency', true, false],
      ['description', true, false],
      ['beneficiaryIdentityNumber', false, false],
      ['beneficiaryName', false, false],
      ['beneficiaryAddress', false, false],
      ['toIban', false, false],
      ['receiverId', false, false],
      ['receiverType', false, false],
      ['birthDate', false, false],
      ['uniqueId', true, true],
      ['debtorName', false, false],
      ['debtorIban', false, false],
      ['debtorIdentityNumber', false, false],
      ['fromIban', false, false],
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

  test('every example keeps the rule of its field', () => {
    for (const { name, example } of fieldsOf(createPayout.request)) {
      if (example !== undefined) expect(wrongWith({ [name]: example }), name).toEqual([])
    }
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

describe('reading back', () => {
  const saidOf = (transaction_id: unknown) => {
    const checked = validate(payoutDetails, { transaction_id }, circumstances())
    return checked.ok ? [] : checked.violations.map((each) => `${violationInWords(each)} [${each.code}]`)
  }

  test('a transaction id is a whole number of any length', () => {
    expect(saidOf('1')).toEqual([])
    expect(saidOf('98765432109876543210')).toEqual([])
  })

  test.each(['abc', '', '-1', '1.0', '1e3', '0x10', ' 1', '١'])(
    'the transaction id %j is refused with 5042',
    (typed) => {
      expect(saidOf(typed)).toEqual(['transaction_id must be a valid number [5042]'])
    },
  )

  test('a missing transaction id is refused with 5042', () => {
    expect(saidOf(undefined)).toEqual(['transaction_id is required [5042]'])
  })

  test('a balance is asked for in one of the three currencies', () => {
    expect(validate(payoutBalance, { currency: 'USD' }, circumstances()).ok).toBe(true)
    expect(validate(payoutBalance, { currency: 'usd' }, circumstances()).ok).toBe(false)
    expect(validate(payoutBalance, {}, circumstances()).ok).toBe(false)
  })
})

test('the id of a payout is its uniqueId, and 5017 says that it exists', () => {
  expect([createPayout.idField, createPayout.duplicateCode]).toEqual(['uniqueId', 5017])
})
