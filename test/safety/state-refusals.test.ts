/** A refusal that speaks of the object's state may be the second answer to a request that was sent twice on its way. */
import { describe, expect, test } from 'vitest'
import type { Ended } from '../kit/program.ts'
import type { Said } from '../kit/service.ts'
import { chargeCard, foreignOrder, handDesk, handOrder, json } from '../kit/service.ts'
import { sealedWrites } from '../kit/verdict.ts'

const order = (status: string, more = {}): Said => ({ value: { integratorOrderId: handOrder, status, ...more } })
const created: Said = { value: { integratorOrderId: handOrder, urlForQR: 'https://pay.example/1' } }
const refund = (amount: string, key = 'k') => [
  ...['order', 'refund', handOrder, '--amount', amount, '--key', key, '--yes'],
]
const complete = ['order', 'complete', handOrder, '--amount', '5', '--yes']
const cancel = ['order', 'cancel', handOrder, '--yes']
const wait = ['order', 'wait', handOrder]
const status = ['order', 'status', handOrder]
const newOrder = (...more: readonly string[]) => [
  ...['order', 'create', '--receiver-id', foreignOrder, '--integrator-order-id', handOrder, '--yes', ...more],
]
const create = newOrder('--amount', '12.50')

const refusal = (code: number): Said => ({ code, group: code === 6007 ? 1 : 2 })

/** Writes are refused with this code; reads show these statuses one after the other, and the last one from then on. */
const refusing = (code: number, ...reads: readonly string[]) =>
  handDesk(({ name, count, request }) => {
    if (name === 'order.create') return request.cardToken === undefined ? created : order('SUCCESS')
    return name === 'order.status' ? order(reads[Math.min(count, reads.length) - 1] ?? '') : refusal(code)
  })

/** Nothing is told as "not executed", and no hint says to run it again. */
function told(ended: Ended, code: number, message = '') {
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code, error: { moneyMoved: 'unknown' } })
  expect(ended.error.hints).not.toEqual(expect.arrayContaining([expect.stringContaining('run its command again')]))
  expect(ended.error.message).toContain(message)
}

const refused = { code: 5, error: { moneyMoved: 'no' } }

describe.each([6006, 6007])('%i', (code) => {
  test.each(['EXPIRED', 'FAILED', 'INITIAL', 'PROCESSING', 'WAITING_FOR_CONFIRM', 'CANCELED'])(
    `order refund: ${code} of an order that was read as paid, and reads %s behind it, is unknown (9)`,
    async (read) => {
      const desk = await refusing(code, 'SUCCESS', read)
      told(await desk.run(...refund('5')), 9, `reads ${read}, which is older than SUCCESS`)
    },
  )

  test(`order refund: ${code} of an order that was never paid is refused (5)`, async () => {
    expect(await (await refusing(code, 'INITIAL')).run(...refund('5'))).toMatchObject(refused)
  })

  test.each(['INITIAL', 'PROCESSING'])(
    `order complete: ${code} of an order that was blocked before, and reads %s behind it, stays unknown (9) even when it reads SUCCESS`,
    async (read) => {
      const desk = await refusing(code, 'WAITING_FOR_CONFIRM', read, read, read, 'SUCCESS')
      expect((await desk.run(...create, '--pay-with-pre-auth')).code).toBe(0)
      await desk.run(...status)
      const ended = await desk.run(...complete)
      told(ended, 9, `reads ${read}`)
      told(await desk.run('resume', String(ended.error.journalId)), 9)
      expect(desk.count('order.complete')).toBe(1)
    },
  )

  test(`order complete: ${code} of an order that was never seen as blocked is refused (5)`, async () => {
    expect(await (await refusing(code, 'INITIAL')).run(...complete)).toMatchObject(refused)
  })
})

describe('order refund: 6007 (too much) of an order whose amount no read shows', () => {
  test.each([
    ['SUCCESS', '12.50', 9],
    ['SUCCESS', '12.51', 5],
    // All of it is there again.
    ['REFUNDED_FAILED', '12.50', 9],
    ['REFUNDED_FAILED', '12.51', 5],
  ])('order refund: 6007 of an order of 12.50 that reads %s, for %s, ends with %i', async (read, amount, code) => {
    const desk = await refusing(6007, read)
    expect((await desk.run(...chargeCard())).code).toBe(0)
    const ended = await desk.run(...refund(amount), '--no-local-check')
    expect(ended, ended.stderr).toMatchObject({ code, error: { moneyMoved: code === 9 ? 'unknown' : 'no' } })
  })

  test.each([
    ['12.50', 9],
    ['12.51', 5],
  ])(
    'order refund: 6007 of an order of 12.50 that shows an amount of 0, for %s, ends with %i',
    async (amount, code) => {
      const desk = await handDesk(({ name }) =>
        name === 'order.refund' ? refusal(6007) : order('SUCCESS', name === 'order.status' ? { amount: 0 } : {}),
      )
      expect((await desk.run(...chargeCard())).code).toBe(0)
      expect(await desk.run(...refund(amount), '--no-local-check')).toMatchObject({ code })
    },
  )

  const plan = ['--amount', '0', '--direct-link-provider', 'BOG', '--save-card', '--plan', 'monthly:1:9.90']
  const tip = ['--amount', '12.50', '--tip-receiver-id', foreignOrder, '--tip-receiver-type', 'BRANCH']
  test.each([
    ['a plan', '9.90', plan],
    ['a tip', '13.50', tip],
  ])(
    'order refund: 6007 of an order with %s, for %s, is unknown (9): any sum may have been paid',
    async (_, amount, more) => {
      const desk = await refusing(6007, 'SUCCESS')
      const receiver = ['--receiver-id', 'c1d1c1d1-0321-4a11-8c11-000000000321', '--integrator-order-id', handOrder]
      expect((await desk.run('order', 'create', ...receiver, ...more, '--yes')).code).toBe(0)
      told(await desk.run(...refund(amount)), 9)
    },
  )

  test('order refund: 6007 of an order that was created elsewhere is refused (5)', async () => {
    expect(await (await refusing(6007, 'SUCCESS')).run(...refund('60'))).toMatchObject(refused)
  })
})

test.each([
  [6006, 'REFUNDED_BY_INTEGRATOR'],
  [6006, 'REFUND_REQUESTED'],
  [6007, 'PARTIALLY_REFUNDED'],
  // The last refund failed, or this read lags behind.
  [6006, 'REFUNDED_FAILED'],
])('order refund: %i of an order that reads %s is unknown (9), and not sent again', async (code, read) => {
  const desk = await refusing(code, read)
  for (let run = 0; run < 2; run += 1) told(await desk.run(...refund('60')), 9)
  expect(desk.count('order.refund')).toBe(1)
})

/** An order of 100 that was made here, and whose first refund, of 5, was taken. */
async function refundedOnce(read: (refunds: number) => string, code: number) {
  let refunds = 0
  const desk = await handDesk(({ name }) => {
    if (name === 'order.create') return created
    if (name === 'order.refund' && ++refunds > 1) return refusal(code)
    return order(name === 'order.status' ? read(refunds) : 'REFUND_REQUESTED')
  })
  expect((await desk.run(...newOrder('--amount', '100'))).code).toBe(0)
  expect((await desk.run(...refund('5', 'first'))).code).toBe(0)
  return desk
}

test('order refund: a second refund is not sent while the order reads REFUND_REQUESTED (5)', async () => {
  const desk = await refundedOnce(() => 'REFUND_REQUESTED', 6006)
  const ended = await desk.run(...refund('60', 'second'))
  expect(ended, ended.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: 'REFUND_REQUESTED' } })
  expect(ended.error.message).toContain('nothing was sent')
  expect(desk.count('order.refund')).toBe(1)
})

test.each([
  ['less than the first refund left', '60', 6007, 'PARTIALLY_REFUNDED'],
  ['all that the first refund left', '95', 6006, 'REFUNDED_BY_INTEGRATOR'],
  ['more than the order, whose payer may have left a tip', '110', 6006, 'REFUND_REQUESTED'],
  ['less than the first refund left', '60', 6006, 'REFUND_REQUESTED'],
] as const)(
  'order refund: a second refund of %s (%s of 100) that is refused with %i while the order reads %s is unknown (9), and never sent again',
  async (_when, amount, code, read) => {
    const desk = await refundedOnce((refunds) => (refunds > 1 ? read : 'PARTIALLY_REFUNDED'), code)
    for (let run = 0; run < 2; run += 1) told(await desk.run(...refund(amount, 'second'), '--no-local-check'), 9)
    expect(desk.count('order.refund')).toBe(2)
  },
)

test('order refund: a second refund of more than the first one left (96 of 100) that is refused with 6007 while the order reads PARTIALLY_REFUNDED is refused (5)', async () => {
  const desk = await refundedOnce(() => 'PARTIALLY_REFUNDED', 6007)
  expect(await desk.run(...refund('96', 'second'), '--no-local-check')).toMatchObject(refused)
  const { json } = await desk.run('order', 'status', handOrder)
  expect(json).toMatchObject({ status: 'PARTIALLY_REFUNDED', warnings: [] })
})

test.each(['PARTIALLY_REFUNDED', 'REFUND_REQUESTED'])(
  'order refund: 6130 (balance too low) behind an own refund, of an order that reads %s, is unknown (9), and never sent again',
  async (read) => {
    // A proxy sent it twice: the first one was executed, and left too little for the second one.
    const desk = await refundedOnce((refunds) => (refunds > 1 ? read : 'PARTIALLY_REFUNDED'), 6130)
    for (let run = 0; run < 2; run += 1) told(await desk.run(...refund('4', 'second')), 9)
    expect(desk.count('order.refund')).toBe(2)
  },
)

test('order refund: 6130 (balance too low) of an order that reads SUCCESS is refused (5)', async () => {
  expect(await (await refusing(6130, 'SUCCESS')).run(...refund('5'))).toMatchObject(refused)
})

test.each(['SUCCESS', 'REFUND_REQUESTED'])(
  'order complete: 6006 of an order that reads %s is a conflict (7), now and when it is repeated or resumed',
  async (read) => {
    const desk = await refusing(6006, read)
    // It is sent only once: nobody knows whether the service would recognise it.
    for (const service of [{ statusCode: 6006 }, null]) {
      const ended = await desk.run(...complete)
      told(ended, 7)
      expect(ended.error).toMatchObject({ status: read, retry: 'never', service })
    }
    expect(desk.count('order.complete')).toBe(1)
    const [known] = JSON.parse((await desk.run('journal', 'list')).stdout)
    const because = expect.stringContaining('sent twice on its way')
    expect(known).toMatchObject({ state: 'refused', status: read, because })
    told(await desk.run('resume', String(known?.journalId)), 7)
  },
)

test('order complete: 6007 of an order that reads SUCCESS is a conflict (7)', async () => {
  told(await (await refusing(6007, 'SUCCESS')).run(...complete), 7)
})

test('order complete: 6006 of an order that reads CANCELED is refused (5)', async () => {
  expect(await (await refusing(6006, 'CANCELED')).run(...complete)).toMatchObject(refused)
})

test.each([6006, 6016])(
  'order complete: %i of an order that reads WAITING_FOR_CONFIRM is unknown (9), however long, and never sent again',
  async (code) => {
    const desk = await refusing(code, 'WAITING_FOR_CONFIRM')
    for (let run = 0; run < 2; run += 1) told(await desk.run(...complete), 9)
    desk.skip(20 * 60_000)
    expect((await desk.run('resume', '--all')).code).toBe(9)
    told(await desk.run(...complete), 9)
    expect(desk.count('order.complete')).toBe(1)
  },
)

test.each(['SUCCESS', 'INITIAL', 'FAILED'])(
  'order create: 6016 (paid already) of an order that is there, and reads %s, is a conflict (7)',
  async (read) => {
    const desk = await handDesk(({ name }) => (name === 'order.create' ? refusal(6016) : order(read)))
    told(await desk.run(...create), 7, read)
  },
)

test.each([
  ['order refund', refund('60')],
  ['order complete', complete],
  ['order cancel', cancel],
] as const)('%s: 6006 of an order that cannot be read is unknown (9)', async (_name, argv) => {
  const broken: Said = { plain: json({ message: 'Bad gateway' }, 502) }
  const desk = await handDesk(({ name }) => (/status|details/.test(name) ? broken : refusal(6006)))
  told(await desk.run(...argv), 9)
})

test('order cancel: 6006 of an order that reads CANCELED is done (0), and sent once', async () => {
  const desk = await refusing(6006, 'CANCELED')
  for (const replayed of [false, true]) {
    const ended = await desk.run(...cancel)
    expect(ended.json, ended.stderr).toMatchObject({ outcome: 'exists', status: 'CANCELED', replayed })
    expect(ended.json.warnings).toEqual([expect.stringContaining('order.status reads CANCELED')])
  }
  expect(desk.count('order.cancel')).toBe(1)
})

/** A wallet whose write is refused with this code; its details show a status, or no such order. */
const wallet = (operation: string, code: number, read: string | null) =>
  handDesk(({ name, request }) => {
    if (name === operation) return { code, group: 1 }
    return read === null ? { code: 6045, group: 2 } : { value: { ...request, status: read } }
  })

test('wallet create: 6109 of an order that is there by now is a conflict (7)', async () => {
  told(
    await (await wallet('wallet.create', 6109, 'REGISTERED')).run(...sealedWrites['wallet create'].argv()),
    7,
    'REGISTERED',
  )
})

test('wallet create: 6109 of an order that the service does not know is refused (5)', async () => {
  const desk = await wallet('wallet.create', 6109, null)
  expect(await desk.run(...sealedWrites['wallet create'].argv())).toMatchObject(refused)
})

test.each([
  ['SUCCESS', 7],
  ['REGISTERED', 9],
] as const)('wallet finalize: 6016 (paid already) of an order that reads %s ends with %i', async (read, code) => {
  told(await (await wallet('wallet.finalize', 6016, read)).run(...sealedWrites['wallet finalize'].argv()), code)
})

test.each([
  ...[6003, 6006, 6015, 6017, 6045, 6110].map((code) => [code, 'SUCCESS', 7] as const),
  [6045, 'REGISTERED', 9],
  [6110, 'REGISTERED', 5],
  [6110, 'FAILED', 5],
] as const)('wallet finalize: %i of an order that reads %s ends with %i', async (code, read, exit) => {
  const ended = await (await wallet('wallet.finalize', code, read)).run(...sealedWrites['wallet finalize'].argv())
  expect(ended, ended.stderr).toMatchObject({ code: exit, error: { moneyMoved: exit === 5 ? 'no' : 'unknown' } })
})

test.each([
  [6110, 'FAILED'],
  [6110, 'CANCELED'],
  [6045, 'CANCELED'],
] as const)('wallet cancel: %i of an order that reads %s is done (0)', async (code, read) => {
  const ended = await (await wallet('wallet.cancel', code, read)).run('wallet', 'cancel', handOrder, '--yes')
  expect(ended.json, ended.stderr).toMatchObject({ outcome: 'exists', status: read })
})

test('wallet cancel: 6045 of an order that the service does not know ends with 6', async () => {
  const ended = await (await wallet('wallet.cancel', 6045, null)).run('wallet', 'cancel', handOrder, '--yes')
  expect(ended.code, ended.stderr).toBe(6)
})

/** An order whose cancellation was refused so; `now.status` is what reads show. */
async function canceled(code = 6016, isOwn = true) {
  const now = { status: 'EXPIRED' }
  const desk = await handDesk(({ name }) => {
    if (name === 'order.create') return created
    return name === 'order.cancel' ? refusal(code) : order(now.status)
  })
  const made = isOwn ? await desk.run(...create) : null
  const first = await desk.run(...cancel)
  return { ...desk, now, first, resume: ['resume', String(made?.json.journalId)] }
}

test('order cancel: 6016 (paid already) of an order that reads EXPIRED is unknown (9), however long', async () => {
  const { first, run, skip } = await canceled()
  told(first, 9, '6016')
  skip(20 * 60_000)
  told(await run('resume', String(first.error.journalId)), 9)
})

test('order cancel: 6016 (paid already) of an order that reads SUCCESS is refused (5)', async () => {
  expect(await (await refusing(6016, 'SUCCESS')).run(...cancel)).toMatchObject({
    code: 5,
    error: { status: 'SUCCESS' },
  })
})

test.each(['EXPIRED', 'FAILED', 'CANCELED'])(
  'order create: after a cancellation that was refused with 6016, an order that reads %s is unknown (9) to every command',
  async (read) => {
    const desk = await canceled()
    desk.now.status = read
    await desk.run(...status)
    for (const argv of [create, wait, desk.resume]) {
      const ended = await desk.run(...argv)
      expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown', retry: 'same-id' } })
      expect(ended.error.message).toContain('order.cancel')
    }
    const again = await desk.run(...cancel)
    expect(again, again.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
  },
)

test('order wait: after a cancellation that was refused with 6016, an order of elsewhere that reads EXPIRED is unknown (9)', async () => {
  const desk = await canceled(6016, false)
  const ended = await desk.run(...wait)
  expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
})

test('order create: after a cancellation that was refused with 6006, an order that reads EXPIRED ended unpaid (5)', async () => {
  const desk = await canceled(6006)
  expect(desk.first, desk.first.stderr).toMatchObject(refused)
  for (const argv of [create, wait, desk.resume]) {
    const ended = await desk.run(...argv)
    expect(ended, ended.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: 'EXPIRED' } })
  }
})
