/** The success of a write: it is believed only if each member that repeats the request agrees with it. */
import { expect, test } from 'vitest'
import type { Members } from '../../../../src/lib/contract/core/members.ts'
import type { WriteOperation } from '../../../../src/lib/contract/operation.ts'
import { completeOrder, createOrder } from '../../../../src/lib/contract/order/order.ts'
import { refundOrder } from '../../../../src/lib/contract/order/refund.ts'
import { createPayout } from '../../../../src/lib/contract/payout/payout.ts'
import { registerUser } from '../../../../src/lib/contract/user/user.ts'
import { createWalletOrder, finalizeWalletOrder } from '../../../../src/lib/contract/wallet/wallet.ts'
import { verdictOfSuccess } from '../../../../src/lib/desk/answer/acceptance.ts'

const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const otherId = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a12'
const identity = '5a9db0c0-00aa-4a11-8c11-0000000000aa'
const branch = 'f47ac10b-58cc-4372-a567-0e02b2c3d479'

interface Case {
  readonly operation: WriteOperation
  readonly request: Members
  /** An answer that repeats everything. */
  readonly answer: Members
  /** By member: another value in the answer, and the words about it. */
  readonly others: Readonly<Record<string, readonly [value: string, words: string]>>
  /** Members without which the answer proves nothing. */
  readonly needed: readonly string[]
}

const payout = { uniqueId: id, amount: '12.50', currency: 'GEL', beneficiaryName: 'Nino Beridze' }
const taken = { uniqueId: id, transactionId: '4711', status: 'INITIAL', amount: '12.5', currency: 'GEL' }
const another = (name: string) => [otherId, `the answer speaks of another ${name}, ${otherId}`] as const

const cases: Readonly<Record<string, Case>> = {
  'payout.create to an IBAN': {
    operation: createPayout,
    request: { ...payout, toIban: 'GE29NB0000000101904917' },
    answer: { ...taken, toIban: 'GE29NB0000000101904917', beneficiaryName: 'Nino Beridze' },
    others: {
      uniqueId: another('uniqueId'),
      amount: ['12.51', 'amount is 12.51, not 12.50 (transactionId 4711)'],
      currency: ['USD', 'currency is USD, not GEL (transactionId 4711)'],
      toIban: ['GE18SB1000000000000014', 'toIban is GE18SB1000000000000014, not GE29NB0000000101904917'],
      beneficiaryName: ['Nino Beridzе', 'beneficiaryName is Nino Beridzе, not Nino Beridze'],
    },
    needed: ['uniqueId', 'transactionId'],
  },
  'payout.create to a receiver': {
    operation: createPayout,
    request: { ...payout, receiverId: branch, receiverType: 'BRANCH' },
    answer: { ...taken, receiverId: branch, receiverType: 'BRANCH' },
    others: {
      receiverId: [otherId, `receiverId is ${otherId}, not ${branch}`],
      receiverType: ['USER', 'receiverType is USER, not BRANCH'],
    },
    needed: ['uniqueId', 'transactionId'],
  },
  'order.create': {
    operation: createOrder,
    request: { integratorId: identity, integratorOrderId: id, amount: '25', currency: 'USD', receiverId: branch },
    answer: {
      ...{ integratorId: identity, integratorOrderId: id, amount: '25.00', receiverId: branch, status: 'INITIAL' },
      ...{ currency: 'USD', initialCurrency: 'USD' },
    },
    others: {
      integratorId: another('integratorId'),
      integratorOrderId: another('integratorOrderId'),
      amount: ['25.01', 'amount is 25.01, not 25.00'],
      currency: ['GEL', 'currency is GEL, not USD'],
      initialCurrency: ['GEL', 'initialCurrency is GEL, not USD'],
      receiverId: [otherId, `receiverId is ${otherId}, not ${branch}`],
    },
    needed: ['integratorOrderId'],
  },
  'order.complete': {
    operation: completeOrder,
    request: { integratorId: identity, integratorOrderId: id, amount: '5' },
    answer: { integratorId: identity, integratorOrderId: id, amount: '5', currency: 'GEL', status: 'SUCCESS' },
    others: {
      integratorId: another('integratorId'),
      integratorOrderId: another('integratorOrderId'),
      amount: ['4.99', 'amount is 4.99, not 5.00'],
      currency: ['USD', 'currency is USD, not GEL'],
    },
    needed: ['integratorOrderId'],
  },
  'order.refund': {
    operation: refundOrder,
    request: { integratorId: identity, integratorOrderId: id, amount: '5' },
    answer: { integratorId: identity, integratorOrderId: id, amount: '5', currency: 'GEL', status: 'REFUND_REQUESTED' },
    others: {
      integratorId: another('integratorId'),
      integratorOrderId: another('integratorOrderId'),
      amount: ['5.01', 'amount is 5.01, not 5.00'],
      currency: ['USD', 'currency is USD, not GEL'],
    },
    needed: ['integratorOrderId'],
  },
  'wallet.create': {
    operation: createWalletOrder,
    request: { identifier: identity, uniqueId: id, uri: 'https://pay.invalid/' },
    answer: { identifier: identity, uniqueId: id, amount: '5', status: 'REGISTERED' },
    others: { identifier: another('identifier'), uniqueId: another('uniqueId') },
    needed: ['uniqueId'],
  },
  'wallet.finalize': {
    operation: finalizeWalletOrder,
    request: { identifier: identity, uniqueId: id, amount: '5' },
    answer: { identifier: identity, uniqueId: id, amount: '5', currency: 'GEL', status: 'SUCCESS' },
    others: {
      identifier: another('identifier'),
      uniqueId: another('uniqueId'),
      amount: ['5.01', 'amount is 5.01, not 5.00'],
      currency: ['USD', 'currency is USD, not GEL'],
    },
    needed: ['uniqueId'],
  },
  'user.register': {
    operation: registerUser,
    request: {},
    answer: { userId: branch },
    others: {},
    needed: ['userId'],
  },
}

/** The journal knows that the order is in GEL where the request names no currency. */
const verdictOf = ({ operation, request }: Case, answer: Members) => verdictOfSuccess(operation, request, answer, 'GEL')

test.each(Object.entries(cases))('%s: an answer that repeats the whole request is accepted', (_name, each) => {
  expect(verdictOf(each, each.answer)).toMatchObject({ kind: 'accepted' })
})

const differing = Object.entries(cases).flatMap(([name, each]) =>
  Object.entries(each.others).map(([member, [value, words]]) => [name, member, value, words, each] as const),
)

test.each(differing)(
  '%s: an answer with another %s alone (%s) leaves it unknown',
  (_name, member, value, words, each) => {
    const verdict = verdictOf(each, { ...each.answer, [member]: value })
    expect(verdict).toMatchObject({ kind: 'unknown', why: expect.stringContaining(words) })
  },
)

const needing = Object.entries(cases).flatMap(([name, each]) =>
  each.needed.map((member) => [name, member, each] as const),
)

test.each(needing)(
  '%s: an answer without %s, or with an empty one or zeros, leaves it unknown',
  (_name, member, each) => {
    const { [member]: _, ...others } = each.answer
    // Zeros are another id than the one that was sent; no transaction and no user has that number.
    for (const value of [undefined, null, '', ' ', '0', '000', ' 00 ']) {
      const verdict = verdictOf(each, { ...others, ...(value === undefined ? {} : { [member]: value }) })
      expect([value, verdict]).toEqual([value, expect.objectContaining({ kind: 'unknown' })])
    }
  },
)

test('payout.create: a transactionId of zeros is none, and one that only holds zeros among other digits is one', () => {
  const each = cases['payout.create to an IBAN']
  if (!each) throw new Error('no case')
  for (const zeros of ['0', '00', '0000000000000000'])
    expect(verdictOf(each, { ...each.answer, transactionId: zeros })).toMatchObject({
      kind: 'unknown',
      why: 'the answer names no transactionId',
    })
  for (const number of ['10', '01', '100200', '9007199254740993'])
    expect(verdictOf(each, { ...each.answer, transactionId: number })).toMatchObject({
      kind: 'accepted',
      transactionId: number,
    })
})

test.each([['wallet.finalize', 'ALREADY_FINALISED', '5.01', 'amount is 5.01, not 5.00']] as const)(
  '%s: %s with another sum says so',
  (name, status, amount, words) => {
    const each = cases[name]
    if (!each) throw new Error('no case')
    expect(verdictOf(each, { ...each.answer, status, amount })).toMatchObject({ kind: 'duplicate', otherSum: words })
    expect(verdictOf(each, { ...each.answer, status })).toMatchObject({ kind: 'duplicate', otherSum: null })
  },
)
