/**
 * Something on the way sends a request twice, and the second answer comes back. Each is executed once, and none is told as "not
 * executed".
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Ended } from '../kit/program/paydesk.ts'
import { foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import type { Said, SealedCall } from '../kit/service/sealed-by-hand.ts'
import { json } from '../kit/service/service-by-hand.ts'

const told = (ended: Ended, code: number) => {
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code, error: { moneyMoved: 'unknown' } })
  expect(ended.error.hints).not.toEqual(expect.arrayContaining([expect.stringContaining('run its command again')]))
}

/** The service reads one status, and refuses the write with this code. */
async function refusing(
  name: string,
  code: number,
  status: string,
  more: (call: SealedCall) => Said | null = () => null,
) {
  return handDesk((call) => {
    const said = more(call)
    if (said) return said
    if (call.name === name) return { code, group: code === 6007 ? 1 : 2 }
    return { value: { ...call.request, integratorOrderId: handOrder, status } }
  })
}

const complete = ['order', 'complete', handOrder, '--amount', '40', '--yes']
const cancel = ['order', 'cancel', handOrder, '--yes']
const refund = (amount: string, key: string) => [
  ...['order', 'refund', handOrder, '--amount', amount, '--key', key, '--yes'],
]

describe('a completion that is refused', () => {
  test.each(['SUCCESS', 'REFUND_REQUESTED'])(
    'of an order in %s is a conflict, now and when it is repeated',
    async (status) => {
      const desk = await refusing('order.complete', 6006, status)
      // It is sent only once: nobody knows whether the service would recognise it.
      for (const service of [{ statusCode: 6006 }, null]) {
        const ended = await desk.run(...complete)
        told(ended, 7)
        expect(ended.error).toMatchObject({ status, retry: 'never', service })
      }
      expect(desk.count('order.complete')).toBe(1)
      const [known] = JSON.parse((await desk.run('journal', 'list')).stdout)
      expect(known).toMatchObject({
        state: 'refused',
        status,
        because: expect.stringContaining('sent twice on its way'),
      })
      told(await desk.run('resume', String(known?.journalId)), 7)
    },
  )

  test('of an order that is CANCELED took no money', async () => {
    const desk = await refusing('order.complete', 6006, 'CANCELED')
    expect(await desk.run(...complete)).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
  })

  test('of an order in WAITING_FOR_CONFIRM, in which it is possible, is unknown: that read lags behind', async () => {
    const desk = await refusing('order.complete', 6006, 'WAITING_FOR_CONFIRM')
    told(await desk.run(...complete), 9)
    told(await desk.run(...complete), 9)
    expect(desk.count('order.complete')).toBe(1)
    // No copy lags for so long: the order was confirmed between the refusal and its read.
    desk.skip(20 * 60_000)
    expect((await desk.run('resume', '--all')).code).toBe(5)
    await desk.run(...complete)
    expect(desk.count('order.complete')).toBe(2)
  })
})

test('a completion that the service refuses as paid already is a conflict, whatever a read shows', async () => {
  const desk = await refusing('order.complete', 6016, 'WAITING_FOR_CONFIRM')
  told(await desk.run(...complete), 7)
})

test.each(['SUCCESS', 'INITIAL', 'FAILED'])(
  'a new order that the service refuses as paid already is a conflict where it is there, %s',
  async (status) => {
    const desk = await refusing('order.create', 6016, status)
    const argv = ['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--yes']
    const ended = await desk.run(...argv, '--integrator-order-id', handOrder)
    told(ended, 7)
    expect(String(ended.error.message)).toContain(status)
  },
)

test.each(['SUCCESS', 'REGISTERED'])(
  'a finalization that the service refuses as paid already is a conflict, whatever a read shows: %s',
  async (status) => {
    const desk = await refusing('wallet.finalize', 6016, status)
    const argv = ['wallet', 'finalize', '--unique-id', handOrder, '--amount', '5', '--final-status', 'SUCCESS', '--yes']
    told(await desk.run(...argv), 7)
  },
)

describe('of a wallet order', () => {
  const uri = `https://pay.example/pay?qrType=REQUEST&receiverType=USER&receiverId=${foreignOrder}&amount=25.00&currency=GEL`
  const create = ['wallet', 'create', '--unique-id', handOrder, '--uri', uri, '--yes']
  const wallet = (name: string, code: number, status: string | null) =>
    handDesk((call) => {
      if (call.name === name) return { code, group: 1 }
      return status === null ? { code: 6045, group: 2 } : { value: { ...call.request, status } }
    })

  test('a creation whose id exists by now is a conflict', async () => {
    const ended = await (await wallet('wallet.create', 6109, 'REGISTERED')).run(...create)
    told(ended, 7)
    expect(String(ended.error.message)).toContain('REGISTERED')
  })

  test('a creation is refused where the service knows no such order', async () => {
    const ended = await (await wallet('wallet.create', 6109, null)).run(...create)
    expect(ended).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
  })

  test.each([
    [6110, 'FAILED'],
    [6110, 'CANCELED'],
    [6045, 'CANCELED'],
  ] as const)('a deletion that is refused with %i, and is %s, is done', async (code, status) => {
    const ended = await (await wallet('wallet.cancel', code, status)).run('wallet', 'cancel', handOrder, '--yes')
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json).toMatchObject({ outcome: 'exists', status })
  })

  test('a deletion of an order that nobody knows is 6', async () => {
    const ended = await (await wallet('wallet.cancel', 6045, null)).run('wallet', 'cancel', handOrder, '--yes')
    expect(ended.code, ended.stderr).toBe(6)
  })
})

test('a cancellation that is refused because the order is cancelled is done', async () => {
  const desk = await refusing('order.cancel', 6006, 'CANCELED')
  for (const replayed of [false, true]) {
    const ended = await desk.run(...cancel)
    expect(ended.json, ended.stderr).toMatchObject({ outcome: 'exists', status: 'CANCELED', replayed })
    expect(ended.json.warnings).toEqual([expect.stringContaining('order.status reads CANCELED')])
  }
  expect(desk.count('order.cancel')).toBe(1)
})

describe('a refund that is refused', () => {
  const refunds: readonly (readonly [number, string])[] = [
    [6006, 'REFUNDED_BY_INTEGRATOR'],
    [6006, 'REFUND_REQUESTED'],
    [6007, 'PARTIALLY_REFUNDED'],
  ]
  test.each(refunds)('with %i while money went back (%s) is unknown, and not sent again', async (code, status) => {
    const desk = await refusing('order.refund', code, status)
    for (let run = 0; run < 2; run += 1) told(await desk.run(...refund('60', 'k')), 9)
    expect(desk.count('order.refund')).toBe(1)
  })

  test('as too much while no money went back is refused', async () => {
    const desk = await refusing('order.refund', 6007, 'SUCCESS')
    expect(await desk.run(...refund('60', 'k'))).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
  })

  test('for a status in which it is possible, because the last one failed, is unknown: that read may lag behind', async () => {
    const desk = await refusing('order.refund', 6006, 'REFUNDED_FAILED')
    for (let run = 0; run < 2; run += 1) told(await desk.run(...refund('60', 'k')), 9)
    expect(desk.count('order.refund')).toBe(1)
  })

  const made = ['order', 'create', '--receiver-id', foreignOrder, '--amount', '100', '--yes']

  /** An order of 100 that is made here, and whose first refund, of 5, is taken. */
  async function refundedOnce(status: (refunds: number) => string, code: number) {
    let refunds = 0
    const desk = await handDesk(({ name, request }) => {
      if (name === 'order.create') return { value: { ...request, urlForQR: 'https://pay.example/1' } }
      if (name === 'order.refund' && ++refunds > 1) return { code, group: code === 6007 ? 1 : 2 }
      const now = name === 'order.status' ? status(refunds) : 'REFUND_REQUESTED'
      return { value: { integratorOrderId: handOrder, status: now } }
    })
    expect((await desk.run(...made, '--integrator-order-id', handOrder)).code).toBe(0)
    expect((await desk.run(...refund('5', 'first'))).code).toBe(0)
    return desk
  }

  test('because the first one is under way is not even sent: that is read before', async () => {
    const desk = await refundedOnce(() => 'REFUND_REQUESTED', 6006)
    const ended = await desk.run(...refund('60', 'second'))
    expect(ended, ended.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: 'REFUND_REQUESTED' } })
    expect(ended.error.message).toContain('nothing was sent')
    expect(desk.count('order.refund')).toBe(1)
  })

  test.each([
    ['for more than the first one has left, which may have failed', '96', 6007, 'PARTIALLY_REFUNDED'],
    ['for less than the first one has left', '60', 6007, 'PARTIALLY_REFUNDED'],
    ['although the first one was a part', '95', 6006, 'REFUNDED_BY_INTEGRATOR'],
    ['for more than the order, whose payer may have left a tip', '110', 6006, 'REFUND_REQUESTED'],
    ['while the first one may have ended in between', '60', 6006, 'REFUND_REQUESTED'],
  ] as const)('as the second one, %s, is unknown and never sent again', async (_when, amount, code, status) => {
    const desk = await refundedOnce((refunds) => (refunds > 1 ? status : 'PARTIALLY_REFUNDED'), code)
    for (let run = 0; run < 2; run += 1) told(await desk.run(...refund(amount, 'second')), 9)
    expect(desk.count('order.refund')).toBe(2)
  })
})

test.each([
  ['refund', refund('60', 'k')],
  ['completion', complete],
  ['cancellation', cancel],
] as const)('a %s that is refused while the order cannot be read is unknown', async (_what, argv) => {
  const broken = json({ message: 'Bad gateway' }, 502)
  const desk = await handDesk(({ name }) => {
    return name === 'order.status' || name === 'order.details' ? { plain: broken } : { code: 6006, group: 2 }
  })
  told(await desk.run(...argv), 9)
})

test('a taken id is a conflict at the first attempt, and every command about that payout says so', async () => {
  const taken = json({ message: 'duplicate', statusCode: 5017 }, 400)
  const desk = await handPayout(({ path }) => (path === '/api/distributor' ? taken : undefined))
  const first = await desk.pay()
  told(first, 7)
  const { journalId, uniqueId } = first.error
  for (const command of ['get', 'wait']) told(await desk.run('payout', command, String(uniqueId)), 7)
  told(await desk.run('resume', String(journalId)), 7)
  const word = ['--settle', 'refused', '--because', 'not on the statement', '--yes']
  expect(await desk.run('resume', String(journalId), ...word)).toMatchObject({ stdout: expect.anything() })
  const settled = await desk.run('payout', 'get', String(uniqueId))
  expect(settled).toMatchObject({ code: 6, error: { moneyMoved: 'no' } })
})

test('a conflict keeps the sum that was sent: its id is refused for another one', async () => {
  const desk = await handPayout(({ path }) =>
    path === '/api/distributor' ? json({ message: 'Duplicate', statusCode: 5017 }, 400) : undefined,
  )
  told(await desk.pay(), 7)
  told(await desk.pay({ amount: '0.02' }), 7)
  expect(desk.creates()).toBe(1)
  const [known] = JSON.parse((await desk.run('journal', 'list')).stdout)
  expect(String(known.amount)).not.toBe('0.02')
})

test('a conflict is not taken back by a repeat that cannot even sign in', async () => {
  let isClosed = false
  const desk = await handPayout(({ path }) => {
    if (path === '/api/auth' && isClosed) return json({ message: 'Incorrect credentials', statusCode: 5021 }, 401)
    return path === '/api/distributor' ? json({ message: 'Duplicate', statusCode: 5017 }, 400) : undefined
  })
  told(await desk.pay(), 7)
  isClosed = true
  rmSync(join(desk.home, 'tokens'), { recursive: true, force: true })
  told(await desk.pay(), 4)
})

test('a taken order and a finalized wallet order are conflicts at the first attempt', async () => {
  const desk = await handDesk(({ name, request }) => {
    if (name === 'order.create') return { code: 6023, group: 2 }
    return { value: { uniqueId: request.uniqueId, status: 'ALREADY_FINALISED' } }
  })
  told(await desk.run('order', 'create', '--amount', '30', '--receiver-id', foreignOrder, '--key', 'c', '--yes'), 7)
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
  told(await desk.run(...finalize), 7)
})
