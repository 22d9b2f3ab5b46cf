/** An answer is accepted only in the status that the contract asks for, with the id and the sum of its request. One row for each answer. */
import { expect, test } from 'vitest'
import { writeJson } from '../../src/lib/json.ts'
import { beneficiaryIban } from '../kit/payment.ts'
import { foreignOrder, handOrder, type Said } from '../kit/service.ts'
import {
  cardToken,
  type Members,
  number,
  type Outcome,
  plain,
  type Row,
  row,
  success,
  testVerdicts,
  verdictOn,
  type WriteName,
  writes,
} from '../kit/verdict.ts'

const names = Object.keys(writes) as WriteName[]

/** Statuses that its thing or another answer may have, and that do not say that it was done. */
const otherStatuses: Partial<Record<WriteName, readonly string[]>> = {
  'order create': ['NOT_FOUND'],
  'order cancel': ['SUCCESS', 'EXPIRED', 'FAILED', 'INITIAL', 'REFUND_REQUESTED'],
  'order refund': ['REFUNDED_FAILED', 'SUCCESS', 'CANCELED'],
  'order complete': ['WAITING_FOR_CONFIRM', 'FAILED', 'CANCELED'],
  'user register': ['REJECTED'],
  'wallet cancel': ['REGISTERED', 'SUCCESS'],
  'wallet finalize': ['REGISTERED', 'FAILED'],
  'wallet create': ['SUCCESS', 'FAILED'],
  'subscription revoke': ['ACTIVE'],
}

const idsOf = (done: Members) =>
  Object.keys(done).filter((name) => /^(?:integratorOrderId|uniqueId|userId|transactionId)$/.test(name))

const without = (done: Members, name: string) =>
  Object.fromEntries(Object.entries(done).filter(([each]) => each !== name))

function rowsOf(name: WriteName): readonly Row[] {
  const { done } = writes[name]
  const [ids, hasStatus] = [idsOf(done), 'status' in done && name !== 'payout create']
  const of = (answer: string, value: unknown, outcome: Outcome) => row(name, answer, success(name, value), outcome)
  // Of a charge that tells no status the order is new.
  const needsStatus = name !== 'order create with a card'
  const statuses = [...(otherStatuses[name] ?? []), ...(name === 'payout create' ? [] : ['nonsense', ''])]
  const asked = ids.filter((id) => id !== 'userId' && id !== 'transactionId')
  const [id = 'subscriptionId'] = asked
  const isNamed = name !== 'user register'
  return [
    of('the documented success', done, 'accepted'),
    of('the success in a value', { value: done }, 'accepted'),
    of('the success with the statusCode 200', { ...done, statusCode: number(200) }, 'unknown'),
    ...statuses.map((status) => of(`the status "${status}"`, { ...done, status }, 'unknown')),
    ...(isNamed ? [of(`a success with another ${id}`, { ...done, [id]: foreignOrder }, 'unknown')] : []),
    ...ids.map((each) => of(`a success without ${each}`, without(done, each), 'unknown')),
    ...(ids.length > 0 ? [of('{}', {}, 'unknown')] : []),
    ...(hasStatus && ids.length > 0
      ? [of('a success without its status', without(done, 'status'), needsStatus ? 'unknown' : 'accepted')]
      : []),
    of('a text', 'CANCELED', 'unknown'),
    of('a list with the success', [done], 'unknown'),
    ...[number(6054), String(writes[name].refusal[0]), 'ERROR', true].map((statusCode) =>
      of(`a success with the statusCode ${writeJson(statusCode)}`, { ...done, statusCode }, 'unknown'),
    ),
  ]
}

testVerdicts(names.flatMap(rowsOf))

test.each(['order cancel', 'wallet cancel'] as const)(
  '%s: the status CANCELLED is accepted and kept as CANCELED',
  async (name) => {
    const verdict = await verdictOn(name, success(name, { ...writes[name].done, status: 'CANCELLED' }))
    expect(verdict).toMatchObject({ kind: 'accepted', status: 'CANCELED' })
  },
)

const revoked = { subscriptionId: handOrder, status: 'REVOKED' }
const empty = (
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = { 'content-length': '0' },
): Said => ({ plain: { status, headers, body } })

const revocations: readonly (readonly [answer: string, said: Said, outcome: Outcome])[] = [
  ['an empty 200 with a length', empty(200), 'accepted'],
  ['an empty 204', empty(204, '', {}), 'accepted'],
  ['an empty 200 that may have been cut short', empty(200, '', { connection: 'close' }), 'unknown'],
  ...[201, 202, 205].map((status) => [`an empty ${status}`, empty(status), 'unknown'] as const),
  ['blanks', empty(200, '   ', { 'content-length': '3' }), 'unknown'],
  ['a sealed {}', { value: {} }, 'accepted'],
  ['a sealed {success: false}', { value: { success: false } }, 'unknown'],
  ['a sealed {error}', { value: { error: 'no' } }, 'unknown'],
  ['a sealed refusing code', { value: { statusCode: number(6100), exceptionGroup: number(5) } }, 'unknown'],
  ['a status beside an empty value', { value: { status: 'ACTIVE', value: {} } }, 'unknown'],
  ['its id and its status', { value: revoked }, 'accepted'],
]

const finalized = { uniqueId: handOrder, status: 'SUCCESS' }

/** Statuses and ids that stand twice. */
const twice: readonly (readonly [Members, Outcome])[] = [
  [{ ...finalized, Status: 'WRONG_AMOUNT' }, 'unknown'],
  [{ ...finalized, status: 'WRONG_AMOUNT', Status: 'SUCCESS' }, 'unknown'],
  [{ ...finalized, UniqueId: foreignOrder }, 'unknown'],
  [{ status: 'WRONG_AMOUNT', value: finalized }, 'unknown'],
  [{ status: 'SUCCESS', value: finalized }, 'unknown'],
  [{ status: 'OK', value: finalized }, 'unknown'],
  [{ ...finalized, Status: 'success' }, 'unknown'],
  [{ ...finalized, STATUS: null }, 'accepted'],
]

testVerdicts([
  ...revocations.map(([answer, said, outcome]) => row('subscription revoke', answer, said, outcome)),
  ...twice.map(([value, outcome]) => row('wallet finalize', writeJson(value), { value }, outcome)),
  row('user register', 'an id that is not called userId', { value: { id: handOrder } }, 'unknown'),
  row(
    'payout create',
    'a transaction that has no number',
    plain({ ...writes['payout create'].done, transactionId: 0 }, 200),
    'unknown',
  ),
])

const sums: Partial<Record<WriteName, { readonly sum: string; readonly same: readonly Members[] }>> = {
  'wallet finalize': {
    sum: '25.00',
    same: [{ amount: number('25') }, { amount: '25.00' }, { Amount: number('2.50e1') }, { amount: null }],
  },
  'order create': {
    sum: '12.50',
    same: [{ amount: number('12.5') }, { amount: '12.500', currency: 'GEL' }, { currency: null }],
  },
  'order refund': { sum: '5.00', same: [{ amount: number('5') }, { amount: '5.00', currency: 'GEL' }] },
  'order complete': { sum: '5.00', same: [{ amount: number('5') }, { amount: ' 5.00 ' }] },
}

const unreadable = [number('1e999'), '1e999', {}, [], '', 'five', true, number('-5'), number('0')]

testVerdicts(
  Object.entries(sums).flatMap(([each, { sum, same }]) => {
    const name = each as WriteName
    const { done } = writes[name]
    const isPaid = name === 'order refund' || name === 'order complete' || name === 'wallet finalize'
    const of = (more: Members, outcome: Outcome, why?: string) =>
      row(name, `a success with ${writeJson(more)}`, { value: { ...done, ...more } }, outcome, why)
    return [
      of({ amount: number('99') }, 'unknown', `amount is 99.00, not ${sum}`),
      ...unreadable.map((amount) => of({ amount }, 'unknown')),
      ...same.map((more) => of(more, 'accepted')),
      ...(isPaid ? [of({ AMOUNT: number(9999) }, 'unknown', 'AMOUNT')] : []),
      ...(isPaid
        ? [
            row(
              name,
              'another amount beside its value',
              { value: { amount: number(9999), value: done } },
              'unknown',
              'amount',
            ),
          ]
        : []),
      ...(name === 'order create' ? ['currency', 'initialCurrency'] : []).map((member) =>
        of({ [member]: 'USD' }, 'unknown'),
      ),
    ]
  }),
)

test.each(['order refund', 'order complete'] as const)(
  '%s: a success in another currency than its order has is unknown',
  async (name) => {
    const said = success(name, { ...writes[name].done, currency: 'USD' })
    expect(await verdictOn(name, said, 'GEL')).toMatchObject({ kind: 'unknown', otherSum: 'currency is USD, not GEL' })
    expect(await verdictOn(name, said, 'USD')).toMatchObject({ kind: 'accepted' })
  },
)

const charged = writes['order create with a card'].done

testVerdicts(
  (
    [
      [
        'another receiver',
        { ...charged, receiverId: handOrder },
        'unknown',
        `receiverId is ${handOrder}, not ${foreignOrder}`,
      ],
      ['another card', { ...charged, cardToken: cardToken.replace('4', '5') }, 'unknown', 'speaks of another card'],
      [
        'the same receiver and card in capitals',
        { ...charged, receiverId: foreignOrder.toUpperCase(), cardToken: cardToken.toUpperCase() },
        'accepted',
        undefined,
      ],
      ['a Status FAILED and no status', { ...without(charged, 'status'), Status: 'FAILED' }, 'unknown', undefined],
      ['a STATUS FAILED and no status', { ...without(charged, 'status'), STATUS: 'FAILED' }, 'unknown', undefined],
      [
        'a status FAILED beside its value',
        { status: 'FAILED', value: without(charged, 'status') },
        'unknown',
        undefined,
      ],
    ] as const
  ).map(([answer, value, outcome, why]) =>
    row('order create with a card', `a success with ${answer}`, { value }, outcome, why),
  ),
)

const paid = writes['payout create'].done
const otherAccount = 'GE60NB0000000123456789'

testVerdicts(
  (
    [
      [{ amount: number(9999) }, 'amount is 9999.00, not 12.50'],
      [{ amount: number('12.5'), currency: 'USD' }, 'currency is USD, not GEL'],
      [{ amount: '99' }, 'amount is 99.00, not 12.50'],
      [{ amount: {} }, 'amount is {}, not 12.50'],
      [{ toIban: otherAccount }, `toIban is ${otherAccount}, not ${beneficiaryIban}`],
      [{ TOIBAN: otherAccount }, 'TOIBAN beside its success'],
      [{ value: paid, toIban: otherAccount }, 'beside its success'],
      [{ beneficiaryName: 'Another' }, 'beneficiaryName is Another, not '],
    ] as const
  ).map(([more, why]) =>
    row('payout create', `a success with ${writeJson(more)}`, plain({ ...paid, ...more }, 200), 'unknown', why),
  ),
)
