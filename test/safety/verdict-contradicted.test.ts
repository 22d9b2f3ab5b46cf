/** Two shapes at once prove nothing: a member of the contract beside the object that was read, or in other capitals, or an error. */
import { expect, test } from 'vitest'
import { writeJson } from '../../src/lib/json.ts'
import { foreignOrder, handOrder } from '../kit/service.ts'
import {
  failures,
  type Members,
  nothingFailed,
  number,
  placesOfErrors,
  plain,
  row,
  success,
  testVerdicts,
  verdictOn,
  type WriteName,
  writes,
} from '../kit/verdict.ts'

const names = Object.keys(writes) as WriteName[]
const foreign = { uniqueId: foreignOrder, integratorOrderId: foreignOrder }

/** Members that contradict any success. */
const contradictions: Readonly<Record<string, (done: Members) => Members>> = {
  'a refusing StatusCode': (done) => ({ ...done, StatusCode: number(6017), Message: 'no', ExceptionGroup: number(2) }),
  'another id beside its value': (value) => ({ ...foreign, value }),
  'a Status in capitals beside its value': (value) => ({ Status: 'REJECTED', value }),
  'a status of error beside its value': (value) => ({ status: 'error', value }),
  'two sums': (done) => ({ ...done, amount: number(5), value: { ...done, amount: number(6) } }),
  'two codes that refuse': (done) => ({ ...done, statusCode: number(6017), StatusCode: number(6023) }),
}

/** Members of which nothing is known are kept, and nothing is searched in them. */
const unknownMembers: Readonly<Record<string, (done: Members) => Members>> = {
  'an error in a Value': (done) => ({ ...done, Value: { error: 'no' } }),
  'a refusing statusCode in a result': (done) => ({ ...done, result: { statusCode: number(6017) } }),
  'a failed status of its thing in an object': (done) => ({ ...done, order: { status: 'FAILED' } }),
  'another id in an object': (done) => ({ ...done, order: { ...foreign } }),
  'a failed status of its thing in a list': (done) => ({ ...done, items: [{ status: 'FAILED' }] }),
  'an error in its data': (done) => ({ ...done, data: { error: 'declined', status: 'REJECTED' } }),
}

const inTheClear: readonly Members[] = [foreign, { status: 'FAILED' }, { STATUS: 'FAILED' }, { error: 'no' }]

const harmless = { message: null, success: true, statusCode: null, status: null, errors: null }

testVerdicts(
  (['order refund', 'order complete', 'order cancel', 'wallet finalize'] as const).flatMap((name) => {
    const { done } = writes[name]
    const ids = { integratorOrderId: handOrder, uniqueId: handOrder }
    return [
      ...Object.entries(contradictions).map(([what, put]) =>
        row(name, `a success with ${what}`, { value: put(done) }, 'unknown'),
      ),
      ...Object.entries(unknownMembers).map(([what, put]) =>
        row(name, `a success with ${what}`, { value: put(done) }, 'accepted'),
      ),
      ...inTheClear.map((clear) =>
        row(name, `a sealed success beside ${writeJson(clear)} in the clear`, { value: done, clear }, 'unknown'),
      ),
      row(
        name,
        'a success beside members that contradict nothing',
        { value: { ...harmless, value: { ...done, ...ids } }, clear: harmless },
        'accepted',
      ),
    ]
  }),
)

const done = { ...writes['payout create'].done, transactionId: number(4711) }

const payouts: Readonly<Record<string, Members>> = {
  'a refusing StatusCode': { ...done, StatusCode: number(5038) },
  'another id beside its value': { uniqueId: foreignOrder, value: done },
  'another transactionId beside its value': { transactionId: number(999), value: done },
  'another amount and currency beside its value': { amount: number(9999), currency: 'USD', value: done },
  'a Status beside its value': { Status: 'REJECTED', value: done },
  'a status of error beside its value': { status: 'error', value: done },
  'two transactionIds': { ...done, TransactionId: number(999) },
  'another AMOUNT': { ...done, AMOUNT: number(9999) },
  'a refusing statusCode': { ...done, statusCode: number(5045), message: 'no' },
  'a refusing statusCode beside its value': { value: done, statusCode: number(5042), message: 'no' },
}

testVerdicts(
  Object.entries(payouts).map(([what, body]) =>
    row('payout create', `a success with ${what}`, plain(body, 200), 'unknown'),
  ),
)

/** Registrations name facts of their own. */
const registered: readonly (readonly [WriteName, Members, Members])[] = [
  ['wallet create', { receiverName: 'Nino' }, { ReceiverName: 'Another' }],
  ['wallet create', { maxAmountAllowed: number(1) }, { maxamountallowed: number(2) }],
  ['user register', { userId: handOrder }, { UserId: foreignOrder }],
]

testVerdicts(
  registered.flatMap(([name, one, other]) => {
    const own = { ...writes[name].done, ...one }
    const both = `${writeJson(one)} and ${writeJson(other)}`
    return [
      row(name, `a success with ${writeJson(one)}`, { value: own }, 'accepted'),
      row(name, `a success with ${both}`, { value: { ...own, ...other } }, 'unknown'),
      row(name, `a success in a value, with ${both}`, { value: { ...other, value: own } }, 'unknown'),
    ]
  }),
)

test.each(names)('%s: a success that has a member of an error is unknown', async (name) => {
  for (const [place, put] of Object.entries(placesOfErrors)) {
    for (const failure of failures) {
      const { kind } = await verdictOn(name, success(name, put(writes[name].done, failure)))
      expect([place, failure, kind]).toEqual([place, failure, 'unknown'])
    }
  }
})

testVerdicts(
  // Of a revocation nothing else may be said at all.
  names
    .filter((name) => name !== 'subscription revoke')
    .flatMap((name) =>
      nothingFailed.map((none) =>
        row(name, `a success with ${writeJson(none)}`, success(name, { ...writes[name].done, ...none }), 'accepted'),
      ),
    ),
)
