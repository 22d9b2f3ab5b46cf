/** Done is a status that the contract names, about the very thing that was asked for: nothing else in a success is believed. */
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { broken, foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'

interface Write {
  readonly operation: string
  readonly argv: readonly string[]
  /** The answer that is done. */
  readonly done: Readonly<Record<string, unknown>>
  /** Statuses that belong to the same thing and do not say that this was done. */
  readonly others: readonly string[]
  /** A code with which the service refuses it. */
  readonly code: number
  readonly group: number
  /** The status that the thing keeps where the write is refused, `absent` where there is none; not needed where no read is asked. */
  readonly kept?: string
}

const yes = '--yes'
const order = { integratorOrderId: handOrder }
const wallet = { uniqueId: handOrder }
const uri = `https://pay.example/pay?qrType=REQUEST&receiverType=USER&receiverId=${foreignOrder}&amount=25.00&currency=GEL`

const writes: Readonly<Record<string, Write>> = {
  'order cancel': {
    operation: 'order.cancel',
    argv: ['order', 'cancel', handOrder, yes],
    done: { ...order, status: 'CANCELED' },
    others: ['SUCCESS', 'EXPIRED', 'FAILED', 'INITIAL', 'REFUND_REQUESTED', 'nonsense', ''],
    ...{ code: 6006, group: 2, kept: 'PROCESSING' },
  },
  'order refund': {
    operation: 'order.refund',
    argv: ['order', 'refund', handOrder, '--amount', '5', '--key', 'r-1', yes],
    done: { ...order, status: 'REFUND_REQUESTED' },
    others: ['REFUNDED_FAILED', 'SUCCESS', 'CANCELED', 'nonsense', ''],
    ...{ code: 6007, group: 1, kept: 'SUCCESS' },
  },
  'order complete': {
    operation: 'order.complete',
    argv: ['order', 'complete', handOrder, '--amount', '5', yes],
    done: { ...order, status: 'SUCCESS' },
    others: ['WAITING_FOR_CONFIRM', 'FAILED', 'CANCELED', 'nonsense', ''],
    ...{ code: 6026, group: 1 },
  },
  'wallet cancel': {
    operation: 'wallet.cancel',
    argv: ['wallet', 'cancel', handOrder, yes],
    done: { ...wallet, status: 'CANCELED' },
    others: ['REGISTERED', 'SUCCESS', 'nonsense', ''],
    ...{ code: 6040, group: 1, kept: 'REGISTERED' },
  },
  'wallet finalize': {
    operation: 'wallet.finalize',
    argv: ['wallet', 'finalize', '--unique-id', handOrder, '--amount', '5', '--final-status', 'SUCCESS', yes],
    done: { ...wallet, status: 'SUCCESS' },
    others: ['REGISTERED', 'FAILED', 'nonsense', ''],
    ...{ code: 6110, group: 1 },
  },
  'wallet create': {
    operation: 'wallet.create',
    argv: ['wallet', 'create', '--unique-id', handOrder, '--uri', uri, yes],
    done: { ...wallet, status: 'REGISTERED', amount: new JsonNumber('25.00'), receiverName: 'Nino' },
    others: ['SUCCESS', 'FAILED', 'nonsense', ''],
    ...{ code: 6109, group: 1, kept: 'absent' },
  },
  'order create': {
    operation: 'order.create',
    argv: [
      ...['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder],
      ...['--integrator-order-id', handOrder, yes],
    ],
    done: { ...order, urlForQR: 'https://pay.example/1' },
    others: ['NOT_FOUND', 'nonsense', ''],
    ...{ code: 6022, group: 3 },
  },
  'subscription revoke': {
    operation: 'subscription.revoke',
    argv: ['subscription', 'revoke', handOrder, yes],
    done: {},
    others: ['ACTIVE', 'nonsense', ''],
    ...{ code: 6100, group: 5 },
  },
}

const numbers = (code: number, group: number) => ({
  ...{ message: 'no', statusCode: new JsonNumber(String(code)) },
  exceptionGroup: new JsonNumber(String(group)),
})

/** One answer to the write; every later write gets none, and every read neither, save where the thing keeps its status. */
async function answered({ operation, argv }: Write, said: Said, kept?: string) {
  const desk = await handDesk(({ name, count, request }) => {
    if (name === operation) return count === 1 ? said : broken
    if (kept === 'absent') return { code: 6045, group: 2 }
    return kept === undefined ? broken : { value: { ...request, status: kept } }
  })
  return { desk, ended: await desk.run(...argv) }
}

describe.each(Object.entries(writes))('%s', (_name, write) => {
  const { done, others, code, group } = write
  const ids = Object.keys(done).filter((name) => name === 'integratorOrderId' || name === 'uniqueId')

  test('is done with the answer that the contract names', async () => {
    const { desk, ended } = await answered(write, { value: done })
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json).toMatchObject({ outcome: 'accepted', operation: write.operation, replayed: false })
    expect(desk.count(write.operation)).toBe(1)
  })

  test.each(others)('has no definite answer in the status "%s"', async (status) => {
    const { ended } = await answered(write, { value: { ...done, status } })
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
  })

  test('has no definite answer about another id', async () => {
    const name = ids[0] ?? 'subscriptionId'
    const { ended } = await answered(write, { value: { ...done, [name]: foreignOrder } })
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '' })
  })

  test.each(ids)('has no definite answer without %s', async (name) => {
    const { [name]: _, ...rest } = done
    const { ended } = await answered(write, { value: rest })
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '' })
  })

  test('has no definite answer in less than the contract names', async () => {
    // Of a revocation it names nothing; of a new order its id.
    const less = [...(ids.length > 0 ? [{}] : []), ...('status' in done ? [{ [String(ids[0])]: handOrder }] : [])]
    for (const value of [...less, 'CANCELED', [done]]) {
      const { ended } = await answered(write, { value })
      expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '' })
    }
  })

  const error = { statusCode: code, exceptionGroup: group, message: 'no' }

  const besideSuccess: Readonly<Record<string, Said>> = {
    'sealed, beside the members of a success': { value: { ...done, ...numbers(code, group) } },
    'sealed in a value': { value: { value: { ...done, ...numbers(code, group) } } },
    'sealed beside a value': { value: { value: done, ...numbers(code, group) } },
    'plain, beside the members of a success': { plain: { body: JSON.stringify({ ...done, ...error }) } },
    'with 400, beside the members of a success': {
      plain: { status: 400, body: JSON.stringify({ ...error, data: done }) },
    },
  }
  const isTold = 'status' in done || 'transactionId' in done

  test.each(isTold ? Object.entries(besideSuccess) : [])(
    'has no definite answer in a refusing code that a success stands beside: %s',
    async (_shape, said) => {
      const { ended } = await answered(write, said)
      expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    },
  )

  const shapes: Readonly<Record<string, Said>> = {
    ...(isTold ? {} : besideSuccess),
    'sealed, in an error': { status: 400, value: { ...numbers(code, group) } },
    'plain in a value': { plain: { body: JSON.stringify({ value: error }) } },
    plain: { plain: { body: JSON.stringify(error) } },
  }

  test.each(Object.entries(shapes))('is refused by a refusing code, %s', async (_shape, said) => {
    const { desk, ended } = await answered(write, said, write.kept)
    expect([5, 6], ended.stderr).toContain(ended.code)
    expect(ended).toMatchObject({ stdout: '', error: { moneyMoved: 'no', service: { statusCode: code } } })
    expect(desk.count(write.operation)).toBe(1)
  })

  test('has no definite answer in a code that proves nothing, or that cannot be read', async () => {
    for (const statusCode of [new JsonNumber('6054'), String(code), 'ERROR', true]) {
      const { ended } = await answered(write, { value: { ...done, statusCode } })
      expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '' })
    }
  })

  test('is done all the same where the code says nothing but the success', async () => {
    const { ended } = await answered(write, { value: { ...done, statusCode: new JsonNumber('200') } })
    expect(ended.code, ended.stderr).toBe(0)
  })
})

test('the old spelling of CANCELED is read as the new one', async () => {
  for (const name of ['order cancel', 'wallet cancel']) {
    const write = writes[name]
    if (!write) throw new Error(`no ${name}`)
    const { ended } = await answered(write, { value: { ...write.done, status: 'CANCELLED' } })
    expect(ended.json, ended.stderr).toMatchObject({ outcome: 'accepted', status: 'CANCELED' })
  }
})

describe('an empty answer', () => {
  const empty: Said = { plain: { status: 200, headers: { 'content-length': '0' }, body: '' } }

  test('revokes, and says that it names nothing', async () => {
    const write = writes['subscription revoke']
    if (!write) throw new Error('no revoke')
    for (const said of [empty, { value: {} }]) {
      const { ended } = await answered(write, said)
      expect(ended.code, ended.stderr).toBe(0)
      expect(ended.json.warnings).toEqual([expect.stringContaining('names neither the subscription nor a status')])
    }
    const named = await answered(write, { value: { subscriptionId: handOrder, status: 'REVOKED' } })
    expect(named.ended.json, named.ended.stderr).toMatchObject({ outcome: 'accepted', warnings: [] })
  })

  test('proves nothing where nothing says that it is whole, nor where it has members that the contract does not name', async () => {
    const write = writes['subscription revoke']
    if (!write) throw new Error('no revoke')
    const cut: Said = { plain: { raw: 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n' } }
    for (const said of [cut, { value: { success: false } }, { value: { error: 'no' } }]) {
      const { ended } = await answered(write, said)
      expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '' })
    }
  })
})

test('a user is registered where the answer names the userId, and nothing else says so', async () => {
  const write = { operation: 'user.register', argv: [] }
  for (const [value, code] of [
    [{ userId: handOrder }, 0],
    [{}, 9],
    [{ id: handOrder }, 9],
    [{ userId: handOrder, status: 'REJECTED' }, 9],
    [{ userId: handOrder, ...numbers(6053, 1) }, 5],
  ] as const) {
    const desk = await handDesk(({ name }) => (name === write.operation ? { value } : broken))
    const { writeFileSync } = await import('node:fs')
    writeFileSync(`${desk.home}/user.json`, '{"name":"Nino"}')
    const ended = await desk.run('user', 'register', '--file', `${desk.home}/user.json`, yes)
    expect(ended.code, ended.stderr).toBe(code)
  }
})

test('an answer that contradicts itself proves neither what it says first nor what it says last', async () => {
  const write = writes['wallet finalize']
  if (!write) throw new Error('no finalize')
  const own = { uniqueId: handOrder, status: 'SUCCESS' }
  for (const [value, code] of [
    [{ ...own, Status: 'WRONG_AMOUNT' }, 9],
    [{ ...own, status: 'WRONG_AMOUNT', Status: 'SUCCESS' }, 9],
    [{ ...own, UniqueId: foreignOrder }, 9],
    [{ status: 'WRONG_AMOUNT', value: own }, 9],
    [{ status: 'SUCCESS', value: own }, 0],
    [{ status: 'OK', value: own }, 0],
    [{ ...own, Status: 'success' }, 0],
    [{ ...own, STATUS: null }, 0],
  ] as const) {
    const desk = await handDesk(({ name }) => (name === 'wallet.finalize' ? { value } : broken))
    const ended = await desk.run(...write.argv)
    expect(ended.code, JSON.stringify(value) + ended.stderr).toBe(code)
    expect(desk.count('wallet.finalize')).toBeLessThanOrEqual(2)
  }
})
