/** The table of money-safety.md#what-may-be-repeated, cell by cell, for every write of areas B and C. */
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import type { WriteOperation } from '../../../src/lib/contract/operation.ts'
import { cancelOrder, completeOrder, createOrder, orderStatus } from '../../../src/lib/contract/order/order.ts'
import { refundOrder } from '../../../src/lib/contract/order/refund.ts'
import { revokeSubscription } from '../../../src/lib/contract/subscription.ts'
import { registerUser } from '../../../src/lib/contract/user.ts'
import {
  cancelWalletOrder,
  createWalletOrder,
  finalizeWalletOrder,
  walletOrderDetails,
} from '../../../src/lib/contract/wallet/wallet.ts'
import { resume } from '../../../src/lib/desk/resume.ts'
import { submit } from '../../../src/lib/desk/submit.ts'
import { Failure } from '../../../src/lib/failure.ts'
import type { Transmission } from '../../../src/lib/http/client.ts'
import { partOf } from '../../../src/lib/profile/parts.ts'
import { coded, identity, plain, type Scripted, scripted, success } from '../../kit/scripted.ts'

const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const order = { integratorId: identity, integratorOrderId: id }
const wallet = { identifier: identity, uniqueId: id }
const refund = { ...order, amount: '5.00' }
const finalization = { ...wallet, amount: '5.00', finalStatus: 'SUCCESS' } as const
const newWalletOrder = { ...wallet, uri: `https://pay.invalid/?receiverId=${id}` }
const newOrder = { ...order, amount: '12.50', receiverId: id, receiverType: 'BRANCH' } as const

interface Case {
  readonly name: string
  readonly operation: WriteOperation
  readonly request: Readonly<Record<string, unknown>>
  readonly answer: unknown
  readonly kind: 'never' | 'charge' | 'once' | 'look-first'
}

type Row = readonly [Case['name'], WriteOperation, Case['request'], answer: unknown, Case['kind']]

const rows: readonly Row[] = [
  ['order create', createOrder, newOrder, { integratorOrderId: id, urlForQR: 'https://pay.invalid/1' }, 'never'],
  ['order create with a card', createOrder, { ...newOrder, cardToken: id }, { integratorOrderId: id }, 'charge'],
  ['order refund', refundOrder, refund, { integratorOrderId: id, status: 'REFUND_REQUESTED' }, 'never'],
  ['order complete', completeOrder, refund, { integratorOrderId: id, status: 'SUCCESS' }, 'never'],
  ['user register', registerUser, { name: 'Nino' }, { userId: id }, 'never'],
  ['wallet create', createWalletOrder, newWalletOrder, { uniqueId: id, status: 'REGISTERED' }, 'never'],
  ['wallet finalize', finalizeWalletOrder, finalization, { uniqueId: id, status: ' SUCCESS' }, 'once'],
  ['order cancel', cancelOrder, order, { integratorOrderId: id, status: 'CANCELLED' }, 'look-first'],
  ['wallet cancel', cancelWalletOrder, wallet, { uniqueId: id, status: 'CANCELED' }, 'look-first'],
  ['subscription revoke', revokeSubscription, { subscriptionId: id }, {}, 'look-first'],
]

const cases: readonly Case[] = rows.map(([name, operation, request, answer, kind]) => {
  return { name, operation, request, answer, kind }
})

const unanswered: Readonly<Record<string, Transmission>> = {
  'a timeout': { kind: 'unanswered', why: 'no answer in time' },
  'a reset': { kind: 'unanswered', why: 'read ECONNRESET' },
  'half an answer': plain(200, '{"encryptedData":"AAAA'),
  'an HTML page': plain(502, '<html>Bad Gateway</html>'),
  'a success of a wrong shape': plain(200, '{"hello":"world"}'),
  'a success that does not open': plain(200, '{"encryptedData":"AAAA","encryptedKeys":"AAAA","aes":true}'),
  'a general failure': coded(6054, 6, 500),
  'a failure to seal the answer': coded(6009, 6, 500),
  'an external failure': coded(6012, 4, 502),
  'an internal failure': coded(6999, 7, 500),
  'a code that nobody knows, without a group': coded(6998, null),
  'a status without a body': plain(500, ''),
  '503': plain(503, ''),
  '503 with a time to wait': plain(503, '', { 'retry-after': '3' }),
  '503 with the code of a refusal': coded(6053, 1, 503),
  '303, which a server says after it has acted': plain(303, '', { location: 'https://elsewhere.invalid/' }),
}

const refusals: Readonly<Record<string, readonly [Transmission, string]>> = {
  'a validation code': [coded(6053, 1), 'refused'],
  'a missing permission': [coded(6022, 3, 403), 'refused'],
  'a business rule': [coded(6035, 1, 409), 'refused'],
  'an unknown code of a refusing group': [coded(6997, 2), 'refused'],
  'a code that says the envelope did not open': [coded(6010, 6, 500), 'refused'],
  'an unknown order': [coded(6005, 5), 'not-found'],
  'an unknown integrator': [coded(6004, 5), 'credentials'],
}

async function ended(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof Failure) return error.kind
    throw error
  }
}

function writesIn({ sent }: Scripted, { operation }: Case): number {
  return sent.filter((name) => name === operation.name).length
}

/** The write in the journal. */
async function intentOf({ journal }: Scripted) {
  const [intent] = await journal.list({})
  if (!intent) throw new Error('no intent')
  return intent
}

const stateIn = async (scene: Scripted) => (await intentOf(scene)).state

async function run({ operation, request }: Case, answers: readonly Transmission[], shown?: Transmission) {
  const scene = await scripted(partOf(operation))
  scene.answers = answers
  if (shown) scene.shown = shown
  return { scene, end: await ended(submit(scene.desk, operation, request)) }
}

/** The answer to a read before anything has happened. */
function untouched({ operation }: Case): Transmission | undefined {
  if (operation === cancelOrder) return success(orderStatus, { integratorOrderId: id, status: 'INITIAL' })
  if (operation === cancelWalletOrder || operation === finalizeWalletOrder) {
    return success(walletOrderDetails, { uniqueId: id, status: 'REGISTERED' })
  }
  return undefined
}

describe.each(cases.map((each) => [each.name, each] as const))('%s', (_name, each) => {
  const fine = success(each.operation, each.answer)

  test('that is taken is done after one request', async () => {
    const { scene, end } = await run(each, [fine])
    expect([end, writesIn(scene, each), await stateIn(scene)]).toEqual(['done', 1, 'accepted'])
  })

  test('is tried again while nothing leaves the machine', async () => {
    const unsent: Transmission = { kind: 'unsent', why: 'ECONNREFUSED' }
    const { scene, end } = await run(each, [unsent, unsent, fine])
    expect([end, writesIn(scene, each)]).toEqual(['done', 3])
    const dead = await run(each, [unsent])
    expect([dead.end, await stateIn(dead.scene)]).toEqual(['unsent', 'unsent'])
  })

  test.each(Object.entries(unanswered))('after %s is repeated only as the table allows', async (_what, answer) => {
    const { scene, end } = await run(each, [answer, fine], untouched(each))
    const isRepeated = each.kind === 'once' || each.kind === 'look-first'
    expect([end, writesIn(scene, each)]).toEqual(isRepeated ? ['done', 2] : ['unknown', 1])
    expect(await stateIn(scene)).toBe(isRepeated ? 'accepted' : 'unknown')
  })

  test('whose answers are all lost stays unknown, and `resume` sends no more than the table allows', async () => {
    const { scene, end } = await run(each, [{ kind: 'unanswered', why: 'reset' }], untouched(each))
    expect([end, await stateIn(scene)]).toEqual(['unknown', 'unknown'])
    expect(writesIn(scene, each)).toBe({ never: 1, charge: 1, once: 2, 'look-first': 5 }[each.kind])
    const before = writesIn(scene, each)
    expect(await ended(resume(scene.desk, await intentOf(scene)))).toBe('unknown')
    const never = each.kind === 'never' || each.kind === 'charge'
    if (never) expect(writesIn(scene, each)).toBe(before)
  })

  test.each(Object.entries(refusals))('refused with %s ends at once', async (_what, [answer, kind]) => {
    const { scene, end } = await run(each, [answer, fine])
    expect([end, writesIn(scene, each), await stateIn(scene)]).toEqual([kind, 1, 'refused'])
  })

  test('is repeated after 429 as the service asks, a charge never', async () => {
    const paid = success(orderStatus, { integratorOrderId: id, status: 'SUCCESS' })
    const { scene, end } = await run(each, [plain(429, '{}', { 'retry-after': '3' }), fine], paid)
    if (each.kind === 'charge') {
      expect([end, writesIn(scene, each), await stateIn(scene)]).toEqual(['refused', 1, 'turned-away'])
    } else {
      expect([end, writesIn(scene, each)]).toEqual(['done', 2])
    }
  })

  test('turned away with 401 ends at once with 4, and no token is asked for', async () => {
    const { scene, end } = await run(each, [plain(401, '{}'), fine])
    const writes = scene.sent.filter((name) => name !== 'order.status')
    expect([end, writes]).toEqual(['credentials', [each.operation.name]])
  })

  test('never follows a redirect', async () => {
    const { scene, end } = await run(each, [plain(307, '', { location: 'https://elsewhere.invalid/' }), fine])
    expect([end, writesIn(scene, each)]).toEqual(['credentials', 1])
  })
})

test('a run holds its payment for as long as it may take: its whole time, and a request that it began at the end of it', async () => {
  const scene = await scripted('orders')
  const { desk, clock } = scene
  scene.answers = [success(createOrder, { integratorOrderId: id, urlForQR: 'https://pay.invalid/1' })]
  let left = 0
  const transport: typeof desk.transport = async (...given) => {
    left = Date.parse(String((await intentOf(scene)).leaseUntil)) - clock.now()
    return await desk.transport(...given)
  }
  await submit({ ...desk, transport }, createOrder, newOrder)
  expect(left).toBeGreaterThan(120_000 + 30_000)
  expect(left).toBeLessThanOrEqual(120_000 + 5_000 + 30_000 + 3_000)
})

describe('the evidence of a read about a lost write', () => {
  const find = (name: string) => cases.find((each) => each.name === name) as Case
  const lost: Transmission = { kind: 'unanswered', why: 'reset' }
  const status = (text: string) => success(orderStatus, { integratorOrderId: id, status: text })
  const details = (text: string) => success(walletOrderDetails, { uniqueId: id, status: text })

  test.each([
    ['order create', status('INITIAL'), 'done', 'exists'],
    ['order create', coded(6005, 5), 'unknown', 'unknown'],
    ['order create with a card', status('SUCCESS'), 'done', 'exists'],
    ['order cancel', status('CANCELLED'), 'done', 'exists'],
    ['order cancel', status('SUCCESS'), 'refused', 'refused'],
    ['order cancel', status('EXPIRED'), 'unknown', 'unknown'],
    ['order cancel', status('SOMETHING_NEW'), 'unknown', 'unknown'],
    ['order complete', status('SUCCESS'), 'done', 'exists'],
    ['order complete', status('WAITING_FOR_CONFIRM'), 'unknown', 'unknown'],
    ['order complete', status('EXPIRED'), 'unknown', 'unknown'],
    ['order complete', status('CANCELED'), 'refused', 'refused'],
    ['order refund', status('SUCCESS'), 'unknown', 'unknown'],
    ['order refund', status('REFUND_REQUESTED'), 'unknown', 'unknown'],
    ['order refund', status('REFUNDED_BY_INTEGRATOR'), 'unknown', 'unknown'],
    ['wallet create', details('REGISTERED'), 'done', 'exists'],
    ['wallet create', coded(6045, 5), 'unknown', 'unknown'],
    ['wallet finalize', details('SUCCESS'), 'done', 'exists'],
    ['wallet finalize', details('FAILED'), 'unknown', 'unknown'],
    ['wallet finalize', details('CANCELED'), 'refused', 'refused'],
    ['wallet cancel', details('FAILED'), 'done', 'exists'],
    ['wallet cancel', details('SUCCESS'), 'refused', 'refused'],
  ])('%s: %#', async (name, shown, kind, state) => {
    const { scene, end } = await run(find(name), [lost], shown)
    expect([end, await stateIn(scene)]).toEqual([kind, state])
  })

  test.each(['order create', 'order create with a card', 'order refund', 'order complete', 'wallet create'])(
    'no trace of %s a quarter of an hour later means that it was not executed, and never before',
    async (name) => {
      const each = find(name)
      const nothing = { 'order refund': status('SUCCESS'), 'order complete': status('EXPIRED') }[name]
      const absent = each.operation === createWalletOrder ? coded(6045, 5) : coded(6005, 5)
      const { scene, end } = await run(each, [lost], nothing ?? absent)
      expect(end).toBe('unknown')
      const intent = await intentOf(scene)
      scene.clock.skip(14 * 60_000)
      expect(await ended(resume(scene.desk, intent))).toBe('unknown')
      scene.clock.skip(2 * 60_000)
      expect(await ended(resume(scene.desk, intent))).toBe('refused')
      expect([writesIn(scene, each), await stateIn(scene)]).toEqual([1, 'refused'])
    },
  )

  test('the quarter of an hour counts from the last attempt, not from the first', async () => {
    const answers = [plain(429, '{}', { 'retry-after': '60' }), lost]
    const { scene } = await run(find('order complete'), answers, status('EXPIRED'))
    const intent = await intentOf(scene)
    expect(await scene.journal.attempts(intent)).toHaveLength(2)
    scene.clock.skip(14 * 60_000 + 30_000)
    expect(await ended(resume(scene.desk, intent))).toBe('unknown')
    scene.clock.skip(60_000)
    expect(await ended(resume(scene.desk, intent))).toBe('refused')
  })

  test.each([
    [294, 'is sent once more'],
    [296, 'is only looked at'],
  ])('a lost finalize, %i s later, %s', async (seconds, what) => {
    const each = find('wallet finalize')
    const { scene } = await run(each, [lost], details('REGISTERED'))
    const intent = await intentOf(scene)
    const before = writesIn(scene, each)
    scene.clock.skip(Date.parse(intent.openedAt) + seconds * 1000 - scene.clock.now())
    expect(await ended(resume(scene.desk, intent))).toBe('unknown')
    expect(writesIn(scene, each) > before).toBe(what === 'is sent once more')
  })

  test('is as old as the question: a process that slept after it has not waited for the write', async () => {
    const each = find('order refund')
    const paid = success(orderStatus, { integratorOrderId: id, status: 'SUCCESS' })
    const { scene } = await run(each, [{ kind: 'unanswered', why: 'reset' }], paid)
    const open = await intentOf(scene)
    scene.afterReading = () => scene.clock.skip(40 * 60_000)
    expect(await ended(resume(scene.desk, open))).toBe('unknown')
    scene.afterReading = () => undefined
    expect(await ended(resume(scene.desk, open))).toBe('refused')
  })

  test('6023 is a conflict, after 429 too: what was turned away was not applied', async () => {
    const each = find('order create')
    expect((await run(each, [coded(6023, 2)])).end).toBe('duplicate')
    const { scene, end } = await run(each, [plain(429, '{}'), coded(6023, 2)])
    expect([end, await stateIn(scene)]).toEqual(['duplicate', 'turned-away'])
  })
})

describe('a finalize, what came before a lost answer, and what came behind it', () => {
  const finalize = cases.find(({ operation }) => operation === finalizeWalletOrder) as Case
  const says = (status: string) => success(finalizeWalletOrder, { uniqueId: id, status })
  const lost: Transmission = { kind: 'unanswered', why: 'reset' }

  test('an order that was not found before an attempt without an answer tells nothing of that one', async () => {
    const expired = success(walletOrderDetails, { uniqueId: id, status: 'FAILED' })
    const { scene, end } = await run(finalize, [says('ORDER_NOT_FOUND')], expired)
    expect(end).toBe('not-found')
    scene.answers = [lost]
    expect(await ended(submit(scene.desk, finalizeWalletOrder, finalization))).toBe('unknown')
    expect(await stateIn(scene)).toBe('unknown')
  })

  test('WRONG_AMOUNT before is no reason to take ALREADY_FINALISED for a conflict after an unanswered attempt', async () => {
    const shown = success(walletOrderDetails, { uniqueId: id, status: 'SUCCESS', amount: new JsonNumber('6.00') })
    const { scene } = await run(finalize, [says('WRONG_AMOUNT'), lost, says('ALREADY_FINALISED')], shown)
    const corrected = { ...finalization, amount: '6.00' }
    expect(await ended(submit(scene.desk, finalizeWalletOrder, corrected))).toBe('done')
    expect(await stateIn(scene)).toBe('exists')
  })
})
