/** The body beneath a status that turns away: a code in it counts, and a status is believed over a plain error alone. */
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { writeJson } from '../../src/lib/json.ts'
import { foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { json } from '../kit/service/service-by-hand.ts'

const statuses = [429, 401, 307, 308]
const refund = ['order', 'refund', handOrder, '--amount', '5', '--key', 'r-1', '--yes']
const charge = ['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--yes']
const accepted = { integratorOrderId: handOrder, status: 'REFUND_REQUESTED' }

const number = (value: number) => new JsonNumber(String(value))
const plain = (status: number, body: object): Said => ({
  plain: { status, headers: { 'content-type': 'application/json' }, body: writeJson(body) },
})
const coded = (code: number, group: number) => ({
  ...{ message: 'no', statusCode: number(code), exceptionGroup: number(group) },
})

async function answered(operation: string, argv: readonly string[], said: Said) {
  const desk = await handDesk(({ name }) => (name === operation ? said : { plain: 'reset' }))
  return { ended: await desk.run(...argv), sent: desk.count(operation) }
}

describe.each(statuses)('%i', (status) => {
  test('with a taken id is a conflict of a payout, as the code is without the status', async () => {
    const desk = await handPayout(({ path }) =>
      path === '/api/distributor' ? json({ message: 'Duplicate', statusCode: 5017 }, status) : undefined,
    )
    const ended = await desk.pay()
    expect(ended, ended.stdout).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
    expect(desk.creates()).toBe(1)
  })

  test('with a taken id after a lost answer is the payout of that answer', async () => {
    const desk = await handPayout(({ path }, count) => {
      if (path !== '/api/distributor') return undefined
      return count === 1 ? 'reset' : json({ message: 'Duplicate', statusCode: 5017 }, status)
    })
    const ended = await desk.pay()
    expect(ended.json, ended.stderr).toMatchObject({ outcome: 'exists', sumConfirmed: false })
  })

  test('with a taken id is a conflict of an order, sealed and in the clear', async () => {
    for (const said of [plain(status, coded(6023, 2)), { status, value: coded(6023, 2) }]) {
      const { ended, sent } = await answered('order.create', charge, said)
      expect(ended, ended.stdout).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
      expect(sent).toBe(1)
    }
  })

  const contrary: Readonly<Record<string, Said>> = {
    'a code that may come after the execution': plain(status, coded(6014, 6)),
    'the same in other capitals': plain(status, { message: 'no', StatusCode: number(6014), ExceptionGroup: number(6) }),
    'the same as a code': plain(status, { message: 'no', code: '6014' }),
    'the same in an envelope': { status, value: coded(6014, 6) },
    'a code of group 4': plain(status, coded(6999, 4)),
    'group 7 and no code': plain(status, { message: 'no', exceptionGroup: number(7) }),
    'a code that nobody knows': plain(status, { message: 'no', statusCode: number(6999) }),
    'two codes': plain(status, { ...coded(6017, 2), StatusCode: number(6007) }),
    'a code of success': plain(status, { message: 'OK', statusCode: number(200) }),
    'a Status in capitals': plain(status, { message: 'accepted', Status: 'REFUND_REQUESTED' }),
    'the acceptance in its data': plain(status, { message: 'accepted', data: accepted }),
    'the acceptance in its error': plain(status, { error: accepted, message: 'accepted' }),
    'the status of a part': plain(status, { message: 'done', status: 'PARTIALLY_REFUNDED' }),
    'a status in small letters': plain(status, { message: 'done', status: 'success' }),
    'the old spelling of a status': plain(status, { message: 'done', status: 'CANCELLED' }),
    'a word that affirms': plain(status, { message: 'done', status: 'OK' }),
    'a status of success': plain(status, { message: 'done', status: number(200) }),
    'a sum': plain(status, { message: 'accepted', amount: number(5) }),
    'a TransactionId': plain(status, { message: 'accepted', TransactionId: number(4711) }),
    'a transaction_id': plain(status, { message: 'accepted', transaction_id: number(4711) }),
  }

  test.each(Object.entries(contrary))('with %s gives a refund no definite answer', async (_body, said) => {
    const { ended, sent } = await answered('order.refund', refund, said)
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    expect(sent).toBe(1)
  })

  const turning: Readonly<Record<string, object>> = {
    'its own number as a code': { statusCode: number(status), message: 'Try again in 5 seconds.' },
    'the keys that were recorded': {
      ...{ application_name: null, method_name: null, exception_name: null, status: null, timestamp: null },
      message: 'Authentication failed',
    },
    'a message and ids of its trace': { message: 'No', traceId: 'a1', request_id: 'b2', success: false, data: null },
    'an error of OAuth': { error: 'invalid_token', error_description: 'expired' },
    'a refusing code': coded(6017, 2),
    'a code of credentials': coded(6004, 5),
    'a request that did not open': coded(6010, 6),
    'a refusing code in a value': { value: coded(6017, 2) },
    'a word of errors': { Message: 'No', Status: 'UNAUTHORIZED', Code: 'rate_limited' },
  }

  test.each(Object.entries(turning))('with %s turns a refund away', async (_body, body) => {
    const { ended } = await answered('order.refund', refund, plain(status, body))
    expect(ended, ended.stdout).toMatchObject({ code: status === 429 ? 5 : 4, error: { moneyMoved: 'no' } })
  })
})

test('429 with a transactionId in capitals gives a payout no definite answer', async () => {
  const desk = await handPayout(({ path }) =>
    path === '/api/distributor'
      ? json({ message: 'accepted', TransactionId: 4711, Status: 'INITIAL' }, 429)
      : undefined,
  )
  const ended = await desk.pay()
  expect(ended, ended.stdout).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
})

test('401 with the code of a bad token is a bad token still', async () => {
  const desk = await handPayout(({ path }) =>
    path === '/api/distributor' ? json({ message: 'no', statusCode: 5021 }, 401) : undefined,
  )
  expect(await desk.pay()).toMatchObject({ code: 4, error: { moneyMoved: 'no' } })
  expect(desk.creates()).toBe(2)
})
