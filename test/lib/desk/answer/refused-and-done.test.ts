/** A refusal that tells of a success beside it, however that is spelled, refuses nothing. */
import { expect, test } from 'vitest'
import { JsonNumber } from '../../../../src/lib/contract/core/decimal.ts'
import type { Members } from '../../../../src/lib/contract/core/members.ts'
import { operations } from '../../../../src/lib/contract/operations.ts'
import { classify } from '../../../../src/lib/desk/answer/classify.ts'
import { writeJson } from '../../../../src/lib/json.ts'
import { readAnswer } from '../../../../src/lib/wire/answer.ts'
import { handOrder } from '../../../kit/service/hand-desk.ts'

const request = { uniqueId: handOrder, integratorOrderId: handOrder }

async function provedBy(name: string, status: number, value: Members) {
  const operation = operations.find((each) => each.name === name)
  if (operation?.effect !== 'write') throw new Error(`no write ${name}`)
  const http = { status, headers: {}, body: writeJson(value) }
  const read = await readAnswer(operation, http, async (body) => ({ value: body }))
  return classify(operation, request, read, 0, null).kind
}

/** The statuses that say that it was done, and those that do not. */
const cases = [
  ['payout.create', 5038, ['SUCCESS', 'success', ' SUCCESS ', 'Pending', 'INITIAL'], ['FAILED', 'rejected', 'ERROR']],
  [
    'order.refund',
    6095,
    ['PARTIALLY_REFUNDED', 'REFUNDED_BY_INTEGRATOR', 'REFUND_REQUESTED', 'refund_requested'],
    ['REFUNDED_FAILED', 'FAILED', 'ERROR'],
  ],
  ['order.cancel', 6001, ['CANCELED', 'CANCELLED', 'canceled'], ['EXPIRED', 'INITIAL', 'ERROR']],
  ['order.complete', 6001, ['SUCCESS', 'Success'], ['WAITING_FOR_CONFIRM', 'CANCELED', 'ERROR']],
  ['wallet.finalize', 6101, ['SUCCESS', 'ALREADY_FINALISED', 'already_finalised'], ['REGISTERED', 'FAILED', 'ERROR']],
] as const

const coded = (statusCode: number, more: Members): Members => ({
  ...{ message: 'No', statusCode: new JsonNumber(String(statusCode)), exceptionGroup: new JsonNumber('1') },
  ...more,
})

test.each(cases)('%s is not refused by %i beside a status in which it was done', async (name, code, done, others) => {
  expect(await provedBy(name, 400, coded(code, {}))).toBe('refused')
  for (const status of done)
    expect([status, await provedBy(name, 400, coded(code, { status }))]).toEqual([status, 'unknown'])
  for (const status of others)
    expect([status, await provedBy(name, 400, coded(code, { status }))]).toEqual([status, 'refused'])
  for (const more of [{ success: true }, { Ok: 'true' }, { transactionId: new JsonNumber('4711') }])
    expect([more, await provedBy(name, 400, coded(code, more))]).toEqual([more, 'unknown'])
  for (const more of [{ success: false }, { transactionId: new JsonNumber('0') }])
    expect([more, await provedBy(name, 400, coded(code, more))]).toEqual([more, 'refused'])
})

test.each(['WRONG_AMOUNT', 'RECEIVER_REACHED_LIMIT'])(
  'a finalization is not refused by %s beside a success',
  async (status) => {
    const refused = { uniqueId: handOrder, status }
    expect(await provedBy('wallet.finalize', 200, refused)).toBe('refused')
    for (const more of [{ success: true }, { transactionId: new JsonNumber('4711') }, { order: { status: 'SUCCESS' } }])
      expect([more, await provedBy('wallet.finalize', 200, { ...refused, ...more })]).toEqual([more, 'unknown'])
  },
)
