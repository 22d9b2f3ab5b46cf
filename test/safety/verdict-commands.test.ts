/** One command for each write and each verdict: the exit code, what it says of the money, and how often it sends. The tables are in `verdict-*.test.ts`. */

import { describe, expect, test } from 'vitest'
import { readRequest } from '../../src/lib/client/bearer.ts'
import { operations } from '../../src/lib/contract/operations.ts'
import { succeeds } from '../kit/program.ts'
import {
  broken,
  foreignOrder,
  type HandDesk,
  handDesk,
  handOrder,
  handPayout,
  json,
  type Reply,
  type Said,
} from '../kit/service.ts'
import { number, payout, plain, sealedWrites, type WriteName, writes } from '../kit/verdict.ts'

type SealedName = Exclude<WriteName, 'payout create'>

const sealed = Object.keys(sealedWrites) as SealedName[]

/** A desk whose service answers the write with this the first time, and reads as a refusal leaves its thing. */
async function answered(
  name: SealedName,
  said: Said,
  kept?: string,
): Promise<HandDesk & { again: () => ReturnType<HandDesk['run']> }> {
  const { operation, argv } = writes[name]
  const desk = await handDesk((call) => {
    if (call.name === operation) return call.count === 1 ? said : broken
    if (kept === 'absent') return { code: 6045, group: 2 }
    return kept === undefined ? broken : { value: { ...call.request, status: kept } }
  })
  const line = argv(desk.home)
  return { ...desk, again: () => desk.run(...line) }
}

/** Statuses that turn away, in turn. */
const turning = [401, 307, 308]

const unknown = { code: 9, stdout: '', error: { moneyMoved: 'unknown' } }

describe.each(sealed)('%s', (name) => {
  const { operation, request, done, refusal, kept } = writes[name]
  // Its code says that the service does not know the subscription.
  const exit = name === 'subscription revoke' ? 6 : 5

  test(`${name}: an accepted answer ends with 0, and the request is the one of the tables`, async () => {
    const desk = await answered(name, { value: done })
    const ended = await succeeds(desk.again())
    expect(ended.json).toMatchObject({ outcome: 'accepted', operation, replayed: false })
    expect(desk.calls.filter((call) => call.name === operation).map((call) => call.request)).toEqual([request])
  })

  test(`${name}: an unknown answer ends with 9, and a refund or a charge is not sent again`, async () => {
    const desk = await answered(name, { value: { ...done, error: 'no' } })
    const ended = await desk.again()
    expect(ended, ended.stdout).toMatchObject(unknown)
    const sent = desk.count(operation)
    expect((await desk.again()).code).toBe(9)
    if (name === 'order refund' || name === 'order create with a card')
      expect([sent, desk.count(operation)]).toEqual([1, 1])
  })

  test(`${name}: a refusing code ends with ${exit}, and is not sent again`, async () => {
    const [statusCode, exceptionGroup] = refusal
    const desk = await answered(name, plain({ message: 'no', statusCode, exceptionGroup }), kept)
    const ended = await desk.again()
    expect(ended, ended.stderr).toMatchObject({
      code: exit,
      stdout: '',
      error: { moneyMoved: 'no', service: { statusCode } },
    })
    expect(desk.count(operation)).toBe(1)
  })

  const status = turning[sealed.indexOf(name) % turning.length] ?? 307
  test(`${name}: ${status} without a body ends with 4, and is not sent again`, async () => {
    const desk = await answered(name, { plain: { status, body: '' } }, kept)
    const ended = await desk.again()
    expect(ended, ended.stdout).toMatchObject({ code: 4, stdout: '', error: { moneyMoved: 'no' } })
    expect(desk.count(operation)).toBe(1)
  })
})

test('order refund: 429 is repeated four times, then ends with 5', async () => {
  const { operation, argv } = sealedWrites['order refund']
  const desk = await handDesk(({ name }) =>
    name === operation
      ? { plain: { status: 429, body: '' } }
      : { value: { integratorOrderId: handOrder, status: 'SUCCESS' } },
  )
  const ended = await desk.run(...argv())
  expect(ended, ended.stdout).toMatchObject({ code: 5, stdout: '', error: { moneyMoved: 'no' } })
  expect(desk.count(operation)).toBe(5)
})

test('order refund: 429 with its acceptance ends with 9, and is not sent again', async () => {
  const desk = await answered('order refund', { status: 429, value: sealedWrites['order refund'].done }, 'SUCCESS')
  expect(await desk.again()).toMatchObject(unknown)
  expect(desk.count('order.refund')).toBe(1)
})

const anotherSum = [
  ['order create', '12.50'],
  ['order refund', '5.00'],
  ['order complete', '5.00'],
  ['wallet finalize', '25.00'],
] as const

test.each(anotherSum)('%s: an answer with another sum ends with 9, names both, is sent once', async (name, sum) => {
  const { operation, argv, done } = writes[name]
  const desk = await handDesk((call) =>
    call.name === operation ? { value: { ...done, amount: number('99') } } : broken,
  )
  const line = argv(desk.home)
  const ended = await desk.run(...line)
  expect(ended, ended.stdout).toMatchObject(unknown)
  expect(ended.error.message).toContain(`amount is 99.00, not ${sum}`)
  expect(await desk.run(...line)).toMatchObject(unknown)
  expect(desk.count(operation)).toBe(1)
})

test('wallet create: REJECTED ends with 5, and gives the reason that stands beside it', async () => {
  const done = writes['wallet create'].done
  const desk = await answered('wallet create', { value: { ...done, status: 'REJECTED', rejectReason: 'blocked' } })
  const ended = await desk.again()
  expect(ended, ended.stdout).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
  expect(ended.error.message).toContain('blocked')
})

test('subscription revoke: an empty answer that ends with its connection is unknown (9)', async () => {
  const cut: Said = { plain: { raw: 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n' } }
  expect(await (await answered('subscription revoke', cut)).again()).toMatchObject({ code: 9, stdout: '' })
})

/** Answers of the payment of a payout, one after the other; the last one is repeated. */
const paying = (...replies: readonly Reply[]) =>
  handPayout(({ path }, count) =>
    path === '/api/distributor' ? replies[Math.min(count, replies.length) - 1] : undefined,
  )

const answer = { transactionId: 4711, status: 'INITIAL', uniqueId: handOrder, createdAt: '2026-11-20T10:00:00' }
const taken = (status = 400) => json({ message: 'Duplicate', statusCode: 5017 }, status)
const ours = { outcome: 'exists', sumConfirmed: false }

test('payout create: an accepted answer ends with 0, and the request is the one of the tables', async () => {
  let sent: unknown
  const operation = operations.find(({ name }) => name === 'payout.create')
  const desk = await handPayout(({ path, body, headers }) => {
    if (path !== '/api/distributor') return undefined
    const http = { method: 'POST', path, query: [], headers: {}, body } as const
    sent = operation && readRequest(operation, http)?.read
    return headers.authorization === undefined ? json({}, 401) : json(answer)
  })
  expect((await desk.pay()).json).toMatchObject({ outcome: 'accepted', transactionId: '4711' })
  expect(sent).toEqual(payout.request)
})

test.each([400, 429, 401, 307, 308])(
  'payout create: 5017 under HTTP %i at the first attempt is a conflict (7)',
  async (status) => {
    const desk = await paying(taken(status))
    expect(await desk.pay()).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
    expect(desk.creates()).toBe(1)
  },
)

test.each([
  ['a lost answer', 'reset'],
  ['429 with its acceptance', json(answer, 429)],
  ['a refusal of another id', json({ message: 'no', statusCode: 5038, uniqueId: foreignOrder }, 400)],
] as const)('payout create: 5017 after %s is the own payout (0), its sum not confirmed', async (_what, first) => {
  for (const status of [400, 429]) {
    const desk = await paying(first, taken(status))
    expect((await desk.pay()).json).toMatchObject(ours)
    expect(desk.creates()).toBe(2)
  }
})

test('payout create: 401 with 5021 renews the token once, then ends with 4', async () => {
  const desk = await paying(json({ message: 'no', statusCode: 5021 }, 401))
  expect(await desk.pay()).toMatchObject({ code: 4, error: { moneyMoved: 'no' } })
  expect(desk.creates()).toBe(2)
})

test('payout create: a sign-in that fails after a 401 ends with 11, and names the sign-in', async () => {
  const desk = await handPayout(({ path }, count) => {
    if (path === '/api/distributor') return json({ message: 'Unauthorized' }, 401)
    return path === '/api/auth' && count > 1 ? 'reset' : undefined
  })
  const ended = await desk.pay({ timeout: '20s' })
  expect(ended.error.message, ended.stderr).not.toContain('journal')
  expect(ended, ended.stderr).toMatchObject({ code: 11, error: { moneyMoved: 'no', retry: 'same-id' } })
  expect(desk.creates()).toBe(1)
})
