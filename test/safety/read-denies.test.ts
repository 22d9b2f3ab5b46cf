/**
 * A command that reads an order, a saved card or a wallet order and fails never denies what this journal sent about it: a refund,
 * a completion or a finalize counts as much as the creation does.
 */
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { start } from '../kit/program/built-paydesk.ts'
import { paydesk } from '../kit/program/paydesk.ts'
import { until } from '../kit/run/until.ts'
import { foreignOrder, type HandDesk, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'

const order = { integratorOrderId: handOrder }
const wallet = { uniqueId: handOrder }
const uri = `https://pay.example/pay?qrType=REQUEST&receiverType=USER&receiverId=${foreignOrder}&amount=25.00&currency=GEL`

const done: Readonly<Record<string, unknown>> = {
  'order.refund': { ...order, status: 'REFUND_REQUESTED' },
  'order.complete': { ...order, status: 'SUCCESS' },
  'order.create': { ...order, status: 'INITIAL' },
  'wallet.create': { ...wallet, status: 'REGISTERED', amount: new JsonNumber('25.00'), receiverName: 'Nino' },
  'wallet.finalize': { ...wallet, status: 'SUCCESS' },
}

const refund = ['order', 'refund', handOrder, '--amount', '5', '--key', 'kr', '--yes']
const complete = ['order', 'complete', handOrder, '--amount', '5', '--yes']
const registered = ['wallet', 'create', '--unique-id', handOrder, '--uri', uri, '--yes']
const finalize = [
  'wallet',
  'finalize',
  '--unique-id',
  handOrder,
  '--amount',
  '25',
  '--final-status',
  'SUCCESS',
  '--yes',
]
const charge = ['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--key', 'kc', '--yes']

interface Scene extends HandDesk {
  /** Sets the answer to every read from now on. */
  reads(said: Said): void
  /** Writes are executed and their answers are lost from now on. */
  loses(): void
}

async function scene(): Promise<Scene> {
  let read: Said = { code: 6005, group: 2 }
  let lost = false
  const desk = await handDesk(({ name, request }) => {
    if (!(name in done)) return read
    if (lost) return { plain: 'reset' }
    return { value: { ...(done[name] as object), ...idsIn(request) } }
  })
  return {
    ...desk,
    reads: (said) => {
      read = said
    },
    loses: () => {
      lost = true
    },
  }
}

function idsIn({ integratorOrderId, uniqueId }: Readonly<Record<string, unknown>>) {
  return { ...(integratorOrderId ? { integratorOrderId } : {}), ...(uniqueId ? { uniqueId } : {}) }
}

async function stopped({ home, calls }: Scene, argv: readonly string[], signal: 'SIGINT' | 'SIGTERM') {
  const before = calls.length
  const { child, end } = start([...argv, '-p', 'hand', '--json'], home)
  await until('the service was asked', () => calls.length > before)
  child.kill(signal)
  const { code, stderr } = await end
  return { code, error: (JSON.parse(stderr) as { error: Record<string, unknown> }).error }
}

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while the service is asked', (signal, exit) => {
  test.each([
    ['order status by its id', ['order', 'status', handOrder]],
    ['order status by the key of the refund', ['order', 'status', 'kr']],
    ['order wait', ['order', 'wait', 'kr']],
    ['card get', ['card', 'get', handOrder]],
  ])('after a refund whose answer was lost: %s', async (_name, argv) => {
    const at = await scene()
    at.loses()
    const made = await at.run(...refund)
    expect(made.code, made.stderr).toBe(9)
    at.reads({ plain: 'hang' })
    const { code, error } = await stopped(at, argv, signal)
    expect(code).toBe(exit)
    expect(error).toMatchObject({ moneyMoved: 'unknown', uniqueId: handOrder })
    expect(String(error.message)).not.toContain('before anything was sent')
  })

  test('after a finalize that was done: wallet details', async () => {
    const at = await scene()
    for (const argv of [registered, finalize]) expect((await at.run(...argv)).code).toBe(0)
    at.reads({ plain: 'hang' })
    const { code, error } = await stopped(at, ['wallet', 'details', handOrder], signal)
    expect(code).toBe(exit)
    expect(error.moneyMoved).not.toBe('no')
    expect(String(error.message)).not.toContain('before anything was sent')
  })
})

const answers: readonly (readonly [string, Said, number])[] = [
  ['401', { plain: { status: 401, body: '{}' } }, 4],
  ['6006', { code: 6006, group: 2 }, 5],
]
const noOrder = ['6005', { code: 6005, group: 2 }, 6] as const
const noWalletOrder = ['6045', { code: 6045, group: 2 }, 6] as const

describe.each([
  ['a refund', refund],
  ['a completion', complete],
])('after %s that was done', (_write, write) => {
  test.each([...answers, noOrder])('no read of the order denies it: %s', async (_name, said, exit) => {
    const at = await scene()
    const made = await at.run(...write)
    expect(made.code, made.stderr).toBe(0)
    at.reads(said)
    const { journalId } = made.json
    for (const verb of ['status', 'diff', 'wait']) {
      for (const id of [handOrder, String(journalId)]) {
        const ended = await at.run('order', verb, id)
        expect([exit, 6, 9], `${verb} ${id}`).toContain(ended.code)
        expect(ended.error.moneyMoved, `${verb} ${id}: ${ended.stderr}`).not.toBe('no')
      }
    }
  })

  test('card get does not deny it while the network is down', async () => {
    const at = await scene()
    expect((await at.run(...write)).code).toBe(0)
    await at.stop()
    const ended = await at.run('card', 'get', handOrder)
    expect(ended.code, ended.stderr).toBe(11)
    expect(ended.error.moneyMoved).not.toBe('no')
  })
})

test('a charge that was accepted is not denied by card get while the network is down', async () => {
  const at = await scene()
  const made = await at.run(...charge)
  expect(made.code, made.stderr).toBe(0)
  await at.stop()
  const ended = await at.run('card', 'get', 'kc')
  expect(ended.code, ended.stderr).toBe(11)
  expect(ended.error.moneyMoved).not.toBe('no')
})

test.each([...answers, noWalletOrder])(
  'no read of a finalized wallet order denies it: %s',
  async (_name, said, exit) => {
    const at = await scene()
    for (const argv of [registered, finalize]) expect((await at.run(...argv)).code).toBe(0)
    at.reads(said)
    const ended = await at.run('wallet', 'details', handOrder)
    expect(ended.code, ended.stderr).toBe(exit)
    expect(ended.error.moneyMoved).not.toBe('no')
  },
)

test('a write that was only refused moved nothing: a read of it says so', async () => {
  const at = await scene()
  const { home } = at
  const refused = await handDesk(({ name, count }) => {
    const isOfRefund = name === 'order.status' && count <= 2
    return isOfRefund ? { value: { integratorOrderId: handOrder, status: 'SUCCESS' } } : { code: 6007, group: 1 }
  })
  expect((await refused.run(...refund)).code).toBe(5)
  const ended = await refused.run('order', 'diff', handOrder)
  expect(ended.code, ended.stderr).toBe(6)
  expect(ended.error.moneyMoved).toBe('no')
  expect((await paydesk(['order', 'status', handOrder, '-p', 'hand', '--json'], { home })).error.moneyMoved).toBe('no')
})
