/** An answer that turns a request away, and whose body says otherwise, is no definite answer. */
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { json } from '../kit/service/service-by-hand.ts'

const refund = ['order', 'refund', handOrder, '--amount', '5', '--key', 'r-1', '--yes']
const accepted = { integratorOrderId: handOrder, status: 'REFUND_REQUESTED' }
const statuses = [429, 401, 307, 308]
const noise = Buffer.alloc(64).toString('base64')

async function refunded(said: Said) {
  // Before each attempt the order is read.
  const desk = await handDesk(({ name }) =>
    name === 'order.refund' ? said : { value: { integratorOrderId: handOrder, status: 'SUCCESS' } },
  )
  const ended = await desk.run(...refund)
  return { ended, sent: desk.count('order.refund') }
}

describe.each(statuses)('a refund that is answered with %i', (status) => {
  const plain = (body: string): Said => ({ plain: { status, headers: { 'content-type': 'application/json' }, body } })
  const contrary: Readonly<Record<string, Said>> = {
    'a sealed acceptance': { status, value: accepted },
    'a sealed acceptance in a value': { status, value: { value: accepted } },
    'a sealed acceptance with a message': { status, value: { ...accepted, message: 'Done' } },
    'a sealed acceptance of another id': { status, value: { ...accepted, integratorOrderId: 'x' } },
    'an acceptance in the clear': plain(JSON.stringify(accepted)),
    'an acceptance that names no status': plain(JSON.stringify({ integratorOrderId: handOrder, message: 'OK' })),
    'a status of one that is done, and no id': plain('{"status":"REFUND_REQUESTED","message":"OK"}'),
    'an id beside a message in a value': plain(
      JSON.stringify({ integratorOrderId: handOrder, value: { message: 'OK' } }),
    ),
    'an envelope that does not open': plain(JSON.stringify({ encryptedData: noise, encryptedKeys: noise, aes: true })),
    'half an envelope': plain('{"encryptedData":"AAAA'),
    'a sealed {}': { status, value: {} },
    'a list': plain('[]'),
    'members that say nothing': plain('{"ok":true}'),
    text: plain('accepted'),
  }

  test.each(Object.entries(contrary))('and %s has no definite answer, and is not sent again', async (_body, said) => {
    const { ended, sent } = await refunded(said)
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    expect(sent).toBe(1)
  })

  const turning: Readonly<Record<string, Said>> = {
    nothing: plain(''),
    '{}': plain('{}'),
    'a page': plain('  <html><body>Sorry</body></html>'),
    'a message': plain('{"message":"Not now"}'),
    'an error of Spring': plain(`{"timestamp":"2026","status":${status},"error":"No","path":"/api"}`),
    'a problem (RFC 9457)': plain(`{"type":"about:blank","title":"No","status":${status},"detail":"later"}`),
    'a status of error': plain('{"status":"error","message":"Not now"}'),
    'errors in a list': plain('{"errors":[{"message":"Not now"}]}'),
    'an error in an object': plain('{"error":{"code":"rate","message":"Not now"}}'),
    'a code': plain('{"statusCode":6017,"exceptionGroup":2,"message":"No"}'),
    'a sealed code': { status, value: { statusCode: new JsonNumber('6017'), message: 'No' } },
  }

  test.each(Object.entries(turning))('and %s is turned away', async (_body, said) => {
    const { ended, sent } = await refunded(said)
    expect(ended, ended.stdout).toMatchObject({ code: status === 429 ? 5 : 4, error: { moneyMoved: 'no' } })
    expect(sent).toBe(status === 429 ? 5 : 1)
  })
})

describe.each(statuses)('a payout that is answered with %i and its acceptance', (status) => {
  test('has no definite answer, and the id that is taken resolves it as ours', async () => {
    const body = { transactionId: 4711, status: 'INITIAL', uniqueId: handOrder }
    const desk = await handPayout(({ path }, count) => {
      if (path !== '/api/distributor') return undefined
      return count === 1 ? json(body, status) : json({ message: 'Duplicate', statusCode: 5017 }, 400)
    })
    const ended = await desk.pay()
    expect(ended.json, ended.stderr).toMatchObject({ outcome: 'exists', sumConfirmed: false })
    expect(desk.creates()).toBe(2)
  })
})

test('a revocation that is turned away with a status of one that was done has no definite answer', async () => {
  for (const value of [
    {},
    { status: 'CANCELED' },
    { status: 'CANCELED', message: 'OK' },
    { subscriptionId: handOrder },
  ]) {
    const desk = await handDesk(() => ({ status: 401, value }))
    const ended = await desk.run('subscription', 'revoke', handOrder, '--yes')
    expect(ended, JSON.stringify(value) + ended.stdout).toMatchObject({ code: 9, stdout: '' })
  }
})
