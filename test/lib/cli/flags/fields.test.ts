import { type Interfaces, Parser } from '@oclif/core'
import { describe, expect, test } from 'vitest'
import { fieldFlags, flagName, givenFields, refuse, repeatedMembers } from '../../../../src/lib/cli/flags/fields.ts'
import { type Operation, violation } from '../../../../src/lib/contract/operation.ts'
import { operations } from '../../../../src/lib/contract/operations.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { refundOrder } from '../../../../src/lib/contract/order/refund.ts'
import { createPayout } from '../../../../src/lib/contract/payout/payout.ts'

function parse(operation: Operation, argv: readonly string[]) {
  return Parser.parse([...argv], { flags: fieldFlags(operation) as Interfaces.FlagInput, strict: false })
}

async function parsed(operation: Operation, argv: readonly string[]): Promise<Record<string, unknown>> {
  return (await parse(operation, argv)).flags
}

async function read(operation: Operation, argv: readonly string[]) {
  return givenFields(operation, await parsed(operation, argv))
}

const shop = 'f47ac10b-58cc-4372-a567-0e02b2c3d479'

describe('flags of an operation', () => {
  test.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s has some for every field',
    (_name, operation) => {
      expect(() => fieldFlags(operation)).not.toThrow()
    },
  )

  test('are one kebab-case flag for every plain field, none for a secret', () => {
    const flags = fieldFlags(createOrder)
    expect(Object.keys(flags)).toContain('open-banking-link-provider')
    expect(Object.keys(flags).filter((name) => name.includes('token'))).toEqual([])
    expect(flagName('urlForQR_x')).toBe('url-for-q-r-x')
    expect(Object.keys(fieldFlags(createOrder, ['integratorId']))).not.toContain('integrator-id')
  })

  test('say which value is required, which permission is needed, and which values there are', () => {
    const flags = fieldFlags(createOrder)
    expect(flags.amount?.description).toMatch(/^\[required\]/)
    expect(flags['integrator-id']?.description).not.toMatch(/required/)
    expect(flags['valid-until']?.description).toContain('needs a permission of the service')
    expect(flags['direct-link-provider']?.description).toContain('(BOG, TBC, CREDO, DEFAULT, …)')
    expect(fieldFlags(createPayout).currency?.description).toContain('(GEL, USD, EUR)')
  })
})

test('nested fields are read from their flags', async () => {
  const argv = [
    ...['--no-is-foreign', '--plan', 'weekly:3:1', '--plan-start-date', '2099-01-01'],
    ...['--plan-callback-url', 'https://a.b/?c=d', '--split', 'IBAN:GE29NB0000000101904917=1'],
    ...['--property-editable', 'PURPOSE=a=b:c', '--property', 'PAYER_NAME= x '],
  ]
  expect(await read(createOrder, argv)).toEqual({
    isForeign: 'false',
    subscriptionPlan: {
      interval: 'WEEKLY',
      intervalCount: '3',
      amount: '1',
      startDate: '2099-01-01',
      callbackUrl: 'https://a.b/?c=d',
    },
    splitDetails: [{ receiverType: 'IBAN', receiverIdentifier: 'GE29NB0000000101904917', amount: '1' }],
    orderProperties: { PURPOSE: { value: 'a=b:c', isEditable: 'true' }, PAYER_NAME: { value: ' x ' } },
  })
  // Not greedy: what follows a repeated flag is an argument of the command.
  expect((await parse(createOrder, ['--split', 'BRANCH', 'argument'])).argv).toEqual(['argument'])
})

describe('mistyped values', () => {
  test.each([
    ['', {}],
    ['BRANCH', { receiverType: 'BRANCH' }],
    [`branch:${shop}`, { receiverType: 'BRANCH', receiverIdentifier: shop }],
    ['=5', { amount: '5' }],
    ['USER:=5', { receiverType: 'USER', amount: '5' }],
    [' user : a:b=c = 5 ', { receiverType: 'USER', receiverIdentifier: ' a:b=c ', amount: '5' }],
  ])('--split %j reaches the contract as far as it goes', async (typed, entry) => {
    expect(await read(createOrder, ['--split', typed])).toEqual({ splitDetails: [entry] })
  })

  test.each([
    ['monthly', { interval: 'MONTHLY' }],
    ['monthly:2', { interval: 'MONTHLY', intervalCount: '2' }],
    ['monthly:2:15:00', { interval: 'MONTHLY', intervalCount: '2', amount: '15:00' }],
    ['::', {}],
  ])('--plan %j as well', async (typed, plan) => {
    expect(await read(createOrder, ['--plan', typed])).toEqual({ subscriptionPlan: plan })
  })

  test('a key that is given twice is told, wherever it stands', async () => {
    const flags = await parsed(createOrder, ['--property', 'A=1', '--property-editable', ' a =2', '--property', 'B=1'])
    expect(repeatedMembers(createOrder, flags)).toMatchObject([
      { field: 'orderProperties', within: ['A'], message: 'is given more than once' },
    ])
    expect(repeatedMembers(createPayout, {})).toEqual([])
  })
})

test('complaints name the flags that people type, and how they are written', () => {
  const failure = refuse(createOrder, [
    violation('toIban', 'is not a field of this request', 1),
    violation('cardToken', 'must be a UUID', 1),
    violation(['subscriptionPlan', 'callbackUrl'], 'must be an address', 1),
    violation(['splitDetails', 1, 'amount'], 'is required', 1),
  ])
  expect(failure.message.split(';\n')).toEqual([
    '"toIban" is not a field of this request',
    '--card-token-file must be a UUID',
    '--plan-callback-url must be an address',
    '--split entry 2: amount is required',
  ])
  expect(failure.toLine().error.hints).toEqual([
    expect.stringContaining('Nothing was sent'),
    expect.stringMatching(/^--plan takes monthly:2:15\.00/),
    expect.stringMatching(/^--split takes BRANCH:<uuid>=10\.50/),
  ])
  expect(refuse(refundOrder, [violation('refundDetails', 'x', 1)]).message).toBe('--refund-detail x')
})
