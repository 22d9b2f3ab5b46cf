/** A refusing code is believed only where nothing in the same answer contradicts it, wherever that stands. */
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { broken, foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { json } from '../kit/service/service-by-hand.ts'

const refusal = { message: 'no', statusCode: 6038, exceptionGroup: 3 }
const numbers = { message: 'no', statusCode: new JsonNumber('6038'), exceptionGroup: new JsonNumber('3') }
const plain = (body: object, status = 400): Said => ({ plain: { status, body: JSON.stringify(body) } })
const sealedText = { encryptedData: 'QUFBQQ==', encryptedKeys: 'QUFBQQ==', aes: true }
const other = { statusCode: 5040, exceptionGroup: 7, message: 'timeout after execution' }

const doubtful: Readonly<Record<string, Said>> = {
  'a list of errors with another code': plain({ ...refusal, errors: [other] }),
  'another code deep in its details': plain({ ...refusal, details: { causes: [{ cause: other }] } }),
  'another group in an error': plain({ ...refusal, errors: [{ exceptionGroup: 7 }] }),
  'its group as text, and one that proves nothing': plain({ ...refusal, exceptionGroup: '7' }),
  'an envelope that does not open': plain({ ...refusal, ...sealedText }),
  'an envelope in capitals': plain({ ...refusal, EncryptedData: 'QUFBQQ==', EncryptedKeys: 'QUFBQQ==' }),
  'an envelope in another member': plain({ ...refusal, response: sealedText }),
  'an envelope that holds no error': {
    ...{ value: { integratorOrderId: handOrder, urlForQR: 'https://pay.example/1' }, clear: numbers, status: 400 },
  },
  'the status of a part': plain(refusal, 206),
}

const writes: Readonly<Record<string, readonly [operation: string, argv: readonly string[]]>> = {
  'a refund': ['order.refund', ['order', 'refund', handOrder, '--amount', '5', '--key', 'k', '--yes']],
  'a completion': ['order.complete', ['order', 'complete', handOrder, '--amount', '5', '--yes']],
  'a new order': [
    'order.create',
    [
      ...['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--integrator-order-id', handOrder],
      '--yes',
    ],
  ],
  'a finalize': [
    'wallet.finalize',
    ['wallet', 'finalize', '--unique-id', handOrder, '--amount', '5', '--final-status', 'SUCCESS', '--yes'],
  ],
}

describe.each(Object.entries(writes))('%s', (_write, [operation, argv]) => {
  const answered = (said: Said) => handDesk(({ name }) => (name === operation ? said : broken))

  test.each(Object.entries(doubtful))('is not refused by a code with %s, and not sent again', async (_shape, said) => {
    const desk = await answered(said)
    const first = await desk.run(...argv)
    expect(first, first.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    const sent = desk.count(operation)
    await desk.run(...argv)
    if (operation === 'order.refund') expect(desk.count(operation)).toBe(sent)
  })

  test.each<readonly [string, Said]>([
    ['the same code in a list of errors', plain({ ...refusal, errors: [{ ...refusal, message: 'the same' }] })],
    ['its group as text', plain({ ...refusal, exceptionGroup: '3' })],
    ['an envelope that holds the same error', { value: numbers, clear: numbers, status: 400 }],
  ])('is refused by a code with %s', async (_shape, said) => {
    const ended = await (await answered(said)).run(...argv)
    expect(ended, ended.stderr).toMatchObject({ code: 5, stdout: '', error: { moneyMoved: 'no' } })
  })

  test('is not turned away by a 401 that has another code in its errors', async () => {
    const desk = await answered(plain({ message: 'no', errors: [{ statusCode: 6038 }, other] }, 401))
    const ended = await desk.run(...argv)
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
  })
})

test('a payout is not refused by a code beside another one in a list of errors', async () => {
  const answer = { message: 'no', statusCode: 5038, errors: [{ statusCode: 5040, message: 'executed, then late' }] }
  const desk = await handPayout(({ path }) => (path === '/api/distributor' ? json(answer, 400) : undefined))
  expect(await desk.pay()).toMatchObject({ code: 9, stdout: '' })
})

test.each([201, 202, 205])('a revocation is not done by an empty %d', async (status) => {
  const argv = ['subscription', 'revoke', handOrder, '--yes']
  const headers = { 'content-length': '0' }
  const desk = await handDesk(({ name }) =>
    name === 'subscription.revoke' ? { plain: { status, headers, body: '' } } : broken,
  )
  expect(await desk.run(...argv)).toMatchObject({ code: 9, stdout: '' })
})

test('a revocation is not done by blanks', async () => {
  const blanks: Said = { plain: { status: 200, headers: { 'content-length': '3' }, body: '   ' } }
  const desk = await handDesk(({ name }) => (name === 'subscription.revoke' ? blanks : broken))
  expect(await desk.run('subscription', 'revoke', handOrder, '--yes')).toMatchObject({ code: 9, stdout: '' })
})
