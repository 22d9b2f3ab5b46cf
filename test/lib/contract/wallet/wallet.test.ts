import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../../../src/lib/contract/core/decimal.ts'
import { fieldsOf } from '../../../../src/lib/contract/core/field.ts'
import { tidy } from '../../../../src/lib/contract/validate.ts'
import {
  cancelWalletOrder,
  createWalletOrder,
  finalizeWalletOrder,
  walletOrderDetails,
} from '../../../../src/lib/contract/wallet/wallet.ts'
import { complaints, identity, orderId, receiverId } from '../../../kit/contract.ts'

const uri = `https://example.com/pay?qrType=DEFAULT&receiverType=USER&receiverId=${receiverId}`
const create = { identifier: identity, uniqueId: 'till 7, receipt 12', uri }
const finalize = { identifier: identity, uniqueId: orderId, amount: '12.50', finalStatus: 'SUCCESS' }
const versions = ['5d1f3f1f-8a2c-11ee-9a53-0242ac120002', '018c2c3e-7b1a-7f0e-9a53-5d1f3f1f7a11', orderId]

describe('create', () => {
  const wrongWith = (changed: Record<string, unknown>) => complaints(createWalletOrder, { ...create, ...changed })

  test('any text names the order, and any UUID the integrator', () => {
    expect(wrongWith({})).toEqual([])
    for (const identifier of versions) expect(wrongWith({ identifier })).toEqual([])
  })

  test('every breach is 6109', () => {
    const required = ['identifier', 'uniqueId', 'uri'].map((name) => `${name} is required [6109]`)
    expect(complaints(createWalletOrder, {})).toEqual(required)
    const wrong = { identifier: 'me', uniqueId: ' ', uri: 'GE29NB0000000101904917', amount: '5' }
    expect(wrongWith(wrong)).toEqual([
      'identifier must be a UUID [6109]',
      'uniqueId must not be empty [6109]',
      'uri must be an address that begins with http:// or https:// [6109]',
      'amount is not a field of this request [6109]',
    ])
  })

  test('the identity is filled in, the id made', () => {
    const fields = fieldsOf(createWalletOrder.request)
    expect(fields.filter(({ filled }) => filled).map(({ name, filled }) => [name, filled?.(identity)])).toEqual([
      ['identifier', identity],
    ])
    expect(fields.filter(({ made }) => made).map(({ name }) => name)).toEqual(['uniqueId'])
    expect(wrongWith({ uri: fields.find(({ name }) => name === 'uri')?.example })).toEqual([])
  })

  test('the payee is read from the address, and is the address itself where it names none', () => {
    const nothing = { amount: null, currency: null, price: null, guarded: false }
    expect(createWalletOrder.moves(create)).toEqual({ payee: `USER ${receiverId}`, ...nothing })
    const payee = (uri: string) => createWalletOrder.moves({ uri }).payee
    expect(payee(`https://a.example/?receiverId=${receiverId}`)).toBe(`receiver ${receiverId}`)
    for (const uri of ['https://a.example/?qrType=CUSTOM', 'no address']) expect(payee(uri)).toBe(uri)
  })

  test('the answer is read with capitals, blanks and members that are missing', () => {
    const answer = { UniqueId: 'u', Amount: new JsonNumber('1.50'), Status: ' REGISTERED', Extra: 1 }
    expect(createWalletOrder.answer.parse(answer)).toEqual({
      ...{ uniqueId: 'u', amount: new JsonNumber('1.50'), status: 'REGISTERED', Extra: 1 },
      ...{ receiverName: null, rejectReason: null },
    })
    const range = { uniqueId: 'u', status: 'REGISTERED', minAmountAllowed: '0.10', maxAmountAllowed: '5000' }
    expect(createWalletOrder.answer.parse(range).minAmountAllowed).toEqual(new JsonNumber('0.10'))
    expect(createWalletOrder.answer.safeParse({ uniqueId: 'u' }).success).toBe(false)
    expect(createWalletOrder.answer.safeParse('REGISTERED').success).toBe(false)
  })

  test('where both spellings are there, the one of the specification counts', () => {
    const both = { uniqueId: 'u', status: 'REJECTED', Status: 'REGISTERED' }
    expect(createWalletOrder.answer.parse(both).status).toBe('REJECTED')
  })
})

describe('finalize', () => {
  const wrongWith = (changed: Record<string, unknown>) => complaints(finalizeWalletOrder, { ...finalize, ...changed })

  test('a UUID of any version names the order', () => {
    for (const uniqueId of versions) expect(wrongWith({ uniqueId })).toEqual([])
    expect(wrongWith({ uniqueId: create.uniqueId })).toEqual(['uniqueId must be a UUID [6110]'])
    expect(tidy(finalizeWalletOrder, { uniqueId: ` ${orderId.toUpperCase()}` })).toEqual({ uniqueId: orderId })
  })

  test('every breach is 6110', () => {
    const required = ['identifier', 'uniqueId', 'amount', 'finalStatus'].map((name) => `${name} is required [6110]`)
    expect(complaints(finalizeWalletOrder, {})).toEqual(required)
    for (const amount of ['0', '-1', '1.234', 'x']) expect(wrongWith({ amount })[0]).toMatch(/^amount .*\[6110\]$/)
    for (const finalStatus of ['FAILED', 'success', ' SUCCESS', ''])
      expect(wrongWith({ finalStatus })).toEqual(['finalStatus must be SUCCESS [6110]'])
  })

  test('the answer is read with a capital and a blank', () => {
    expect(finalizeWalletOrder.answer.parse({ uniqueId: 'u', Status: ' SUCCESS' }).status).toBe('SUCCESS')
    expect(finalizeWalletOrder.answer.safeParse({ uniqueId: 'u' }).success).toBe(false)
  })
})

describe('cancel and details', () => {
  test.each([cancelWalletOrder, walletOrderDetails])('$name takes the integrator and any id', (operation) => {
    expect(complaints(operation, { identifier: identity, uniqueId: create.uniqueId })).toEqual([])
    expect(complaints(operation, {})).toEqual(['identifier is required [6053]', 'uniqueId is required [6053]'])
  })

  test('details may lack everything but id and status', () => {
    expect(walletOrderDetails.answer.parse({ uniqueId: 'u', Status: 'FAILED' })).toEqual({
      uniqueId: 'u',
      status: 'FAILED',
      createdAt: null,
      finalisedAt: null,
    })
  })
})
