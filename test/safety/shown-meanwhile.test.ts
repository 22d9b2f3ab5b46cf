/** What another process, or another way of asking, has shown of a write counts, too; what another write explains does not. */
import { describe, expect, test } from 'vitest'
import { beneficiaryIban } from '../kit/payment.ts'
import type { Ended } from '../kit/program/paydesk.ts'
import { foreignOrder, type HandDesk, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { chargeCard, createWallet, finalizeWallet } from '../kit/service/hand-lines.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { json } from '../kit/service/service-by-hand.ts'

const charge = chargeCard()
const refund = (key: string) => ['order', 'refund', handOrder, '--amount', '5', '--key', key, '--yes']

const order = (status: string, more: object = {}): Said => ({
  value: { integratorOrderId: handOrder, uniqueId: handOrder, status, ...more },
})

/** Neither done nor denied. */
function undecided(ended: Ended) {
  expect([7, 9], ended.stdout + ended.stderr).toContain(ended.code)
  expect(ended.error.moneyMoved, ended.stderr).toBe('unknown')
}

test('a refund whose trace another process reads before it is turned away is not sent again', async () => {
  let shown = 'SUCCESS'
  const desk: HandDesk = await handDesk(async ({ name }): Promise<Said> => {
    if (name !== 'order.refund') return order(shown)
    shown = 'PARTIALLY_REFUNDED'
    await desk.run('order', 'status', handOrder)
    return { plain: { status: 429, headers: { 'retry-after': '1' }, body: '{"message":"Too many requests"}' } }
  })
  expect((await desk.run(...charge)).code).toBe(0)
  undecided(await desk.run(...refund('R')))
  expect(desk.count('order.refund')).toBe(1)
})

test.each([
  ['`api GET`', ['api', 'GET', `/api/integrator/order/status?integratorOrderId=${handOrder}`, '--part', 'orders'], {}],
  ['an answer with blanks around the id', ['order', 'status', handOrder], { integratorOrderId: ` ${handOrder}` }],
] as const)('a refund whose trace was read by %s is not sent again', async (_how, argv, more) => {
  let shown: Said = order('SUCCESS')
  const desk = await handDesk(({ name }): Said => (name === 'order.refund' ? { plain: 'reset' } : shown))
  expect((await desk.run(...charge)).code).toBe(0)
  shown = { plain: 'reset' }
  undecided(await desk.run(...refund('R')))
  shown = order('PARTIALLY_REFUNDED', more)
  const read = await desk.run(...argv)
  expect(read.code, read.stderr).toBe(0)
  shown = order('SUCCESS')
  desk.skip(20 * 60_000)
  undecided(await desk.run(...refund('R')))
  expect(desk.count('order.refund')).toBe(1)
})

describe('a refund that was refused', () => {
  const refusing = async () => {
    const service = { shown: 'SUCCESS', isTaken: false }
    const desk = await handDesk(({ name }): Said => {
      if (name !== 'order.refund') return order(service.shown)
      return service.isTaken ? order('REFUND_REQUESTED') : { code: 6130, group: 2 }
    })
    expect((await desk.run(...charge)).code).toBe(0)
    return Object.assign(service, desk)
  }

  test('is a conflict once its trace is read', async () => {
    const desk = await refusing()
    expect((await desk.run(...refund('R'))).code).toBe(5)
    desk.shown = 'PARTIALLY_REFUNDED'
    await desk.run('order', 'status', handOrder)
    undecided(await desk.run(...refund('R')))
    expect(desk.count('order.refund')).toBe(1)
  })

  test('stays refused where another refund explains what is read', async () => {
    const desk = await refusing()
    desk.isTaken = true
    expect((await desk.run(...refund('Q'))).code).toBe(0)
    desk.isTaken = false
    desk.shown = 'PARTIALLY_REFUNDED'
    expect((await desk.run(...refund('R'))).code).toBe(5)
    await desk.run('order', 'status', handOrder)
    expect((await desk.run(...refund('R'))).code).toBe(5)
  })
})

test('the trace of a second refund is not explained by the end of the first', async () => {
  const service = { shown: 'SUCCESS', answer: order('REFUND_REQUESTED') }
  const desk: HandDesk = await handDesk(async ({ name, count }): Promise<Said> => {
    if (name !== 'order.refund' || count === 1) return name === 'order.refund' ? service.answer : order(service.shown)
    service.shown = 'REFUND_REQUESTED'
    await desk.run('order', 'status', handOrder)
    return { code: 6130, group: 2 }
  })
  expect((await desk.run(...charge)).code).toBe(0)
  expect((await desk.run(...refund('Q'))).code).toBe(0)
  service.shown = 'PARTIALLY_REFUNDED'
  await desk.run('order', 'status', handOrder)
  undecided(await desk.run(...refund('R')))
  undecided(await desk.run(...refund('R')))
  expect(desk.count('order.refund')).toBe(2)
})

test('the trace of a second refund is not taken for the first one, whose end nobody has read', async () => {
  const service = { shown: 'PARTIALLY_REFUNDED' }
  const desk: HandDesk = await handDesk(({ name, count }): Said => {
    if (name === 'order.create') return order('SUCCESS')
    if (name !== 'order.refund') return order(service.shown)
    if (count === 1) return order('REFUND_REQUESTED')
    service.shown = 'REFUND_REQUESTED'
    return { code: 6130, group: 2 }
  })
  expect((await desk.run(...charge)).code).toBe(0)
  expect((await desk.run(...refund('Q'))).code).toBe(0)
  desk.skip(20 * 60_000)
  const refused = await desk.run(...refund('R'))
  expect([5, 7, 9], refused.stderr).toContain(refused.code)
  await desk.run('order', 'status', handOrder)
  undecided(await desk.run(...refund('R')))
  expect(desk.count('order.refund')).toBe(2)
})

test('a refund that was refused stays so by a status that was known before it', async () => {
  const service = { shown: 'SUCCESS' }
  const desk = await handDesk(
    ({ name }): Said => (name === 'order.refund' ? { code: 6130, group: 2 } : order(service.shown)),
  )
  expect((await desk.run(...charge)).code).toBe(0)
  // Refunded in part by another client.
  service.shown = 'PARTIALLY_REFUNDED'
  await desk.run('order', 'status', handOrder)
  expect((await desk.run(...refund('R'))).code).toBe(5)
  await desk.run('order', 'status', handOrder)
  expect((await desk.run(...refund('R'))).code).toBe(5)
})

describe.each([
  ['a charge', charge, 'order.create', ['order', 'status', handOrder]],
  ['a wallet order', finalizeWallet, 'wallet.finalize', ['wallet', 'details', handOrder]],
] as const)('%s that was answered as paid and reads FAILED', (_what, write, name, read) => {
  test('stays what the operator says, whatever is asked', async () => {
    let shown = 'SUCCESS'
    const desk = await handDesk((call): Said => {
      if (call.name === 'wallet.create') return order('REGISTERED')
      return order(call.name === name ? 'SUCCESS' : shown)
    })
    if (name === 'wallet.finalize') await desk.run(...createWallet)
    const paid = await desk.run(...write)
    expect(paid.code, paid.stderr).toBe(0)
    shown = 'FAILED'
    await desk.run(...read)
    undecided(await desk.run(...write))
    const id = String(paid.json.journalId)
    const settled = await desk.run('resume', id, '--settle', 'executed', '--because', 'the bank shows it', '--yes')
    expect(settled.code, settled.stderr).toBe(0)
    for (const again of [write, ['resume', id], read, write, ['resume', id]]) {
      const ended = await desk.run(...again)
      expect([0, 9], ended.stderr).toContain(ended.code)
      if (ended.code !== 0) expect(ended.error.moneyMoved, ended.stderr).not.toBe('no')
    }
    expect(desk.count(name)).toBe(1)
  })
})

test('a charge whose refusal is recorded while it is read is a conflict', async () => {
  let isBusy = false
  const desk: HandDesk = await handDesk(async ({ name }): Promise<Said> => {
    if (name === 'order.create') {
      isBusy = true
      const reading = desk.run('order', 'status', handOrder)
      return reading.then(() => ({ code: 6001, group: 1 }))
    }
    return order(isBusy ? 'SUCCESS' : 'INITIAL')
  })
  undecided(await desk.run(...charge))
  undecided(await desk.run(...charge))
})

test('a lost refund is not denied by a read from before another one that was taken', async () => {
  const service = { shown: 'SUCCESS', isLost: false }
  const desk = await handDesk(({ name }): Said => {
    if (name !== 'order.refund') return order(service.shown)
    return service.isLost ? { plain: 'reset' } : order('REFUND_REQUESTED')
  })
  expect((await desk.run(...charge)).code).toBe(0)
  expect((await desk.run(...refund('Q'))).code).toBe(0)
  service.isLost = true
  service.shown = 'PARTIALLY_REFUNDED'
  undecided(await desk.run(...refund('R')))
  service.shown = 'SUCCESS'
  desk.skip(20 * 60_000)
  undecided(await desk.run(...refund('R')))
  expect(desk.count('order.refund')).toBe(2)
})

test('a wallet order whose creation was refused, and that was finalized, is not made anew', async () => {
  const desk = await handDesk(
    ({ name }): Said => (name === 'wallet.create' ? { code: 6001, group: 1 } : order('SUCCESS')),
  )
  expect((await desk.run(...createWallet)).code).toBe(5)
  await desk.run('wallet', 'details', handOrder)
  const late = await desk.run(...finalizeWallet)
  expect(late, late.stderr).toMatchObject({ error: { moneyMoved: 'unknown' } })
  undecided(await desk.run(...createWallet))
})

describe('the details of a payout', () => {
  const paying = async () => {
    const service = {
      uniqueId: foreignOrder,
      transactionId: 4712,
      status: 'REJECTED',
      told: {} as object,
      isLost: false,
    }
    const desk = await handPayout(({ path, body }) => {
      if (path === '/api/distributor') {
        if (service.isLost) return 'reset'
        const { uniqueId } = JSON.parse(body) as { uniqueId: string }
        const isFirst = uniqueId === handOrder
        const taken = {
          transactionId: isFirst ? 4712 : 4713,
          status: 'INITIAL',
          createdAt: '2026-11-25T10:00:00',
          uniqueId,
        }
        return 'statusCode' in service.told ? json(service.told, 400) : json(taken)
      }
      if (path !== '/api/distributor/details') return undefined
      const more = { toIban: beneficiaryIban, paymentDescription: 'Salary, November', createdAt: '2026-11-25T10:00:00' }
      const sum = { amount: 12.5, currency: 'GEL', statusDescription: 'x' }
      return json({
        value: {
          transactionId: service.transactionId,
          uniqueId: service.uniqueId,
          status: service.status,
          ...sum,
          ...more,
        },
      })
    })
    return Object.assign(service, desk)
  }

  test('that name another one tell nothing of that', async () => {
    const desk = await paying()
    expect((await desk.pay()).code).toBe(0)
    expect((await desk.pay({ 'unique-id': foreignOrder, amount: '7.50' })).code).toBe(0)
    expect((await desk.run('payout', 'get', '4712')).code).toBe(9)
    expect((await desk.run('payout', 'diff', '4712')).code).toBe(0)
    const known = (await desk.run('journal', 'show', foreignOrder)).json
    expect(known).toMatchObject({ uniqueId: foreignOrder, status: 'INITIAL' })
  })

  test('that name another one, whose answer was lost, tell nothing of that either', async () => {
    const desk = await paying()
    expect((await desk.pay()).code).toBe(0)
    desk.isLost = true
    undecided(await desk.pay({ 'unique-id': foreignOrder, amount: '7.50' }))
    expect((await desk.run('payout', 'get', '4712')).code).toBe(9)
    expect((await desk.run('journal', 'show', foreignOrder)).json).toMatchObject({ state: 'unknown', status: null })
  })

  test.each([
    ['payout get', ['payout', 'get', '4999'], 9],
    ['payout reconcile', ['payout', 'reconcile', handOrder, '--transaction-id', '4999'], 7],
  ])('of another transaction under the same id tell nothing of this one: %s', async (_command, argv, code) => {
    const desk = await paying()
    expect((await desk.pay()).code).toBe(0)
    Object.assign(desk, { uniqueId: handOrder, transactionId: 4999 })
    const read = await desk.run(...argv)
    expect(read, read.stdout + read.stderr).toMatchObject({ code, error: { moneyMoved: 'unknown' } })
    expect((await desk.run('journal', 'show', handOrder)).json).toMatchObject({ state: 'accepted', status: 'INITIAL' })
    expect((await desk.pay()).code).toBe(0)
  })

  test('that were refused and ended unpaid are no conflict', async () => {
    const desk = await paying()
    desk.told = { message: 'No', statusCode: 5023 }
    expect((await desk.pay()).code).toBe(5)
    desk.uniqueId = handOrder
    await desk.run('payout', 'get', '4712')
    expect((await desk.pay()).code).toBe(5)
  })

  test('that a reconciliation reads of a refused one settle it at once', async () => {
    const desk = await paying()
    desk.told = { message: 'No', statusCode: 5023 }
    expect((await desk.pay()).code).toBe(5)
    Object.assign(desk, { uniqueId: handOrder, status: 'SUCCESS' })
    const ended = await desk.run('payout', 'reconcile', handOrder, '--transaction-id', '4712')
    expect(ended.code, ended.stderr).toBe(0)
  })

  test.each(['executed', 'refused'])('of two ends are decided by the operator: %s', async (word) => {
    const desk = await paying()
    expect((await desk.pay()).code).toBe(0)
    for (const status of ['SUCCESS', 'FAILED']) {
      Object.assign(desk, { uniqueId: handOrder, status })
      await desk.run('payout', 'get', '4712')
    }
    undecided(await desk.pay())
    const settled = await desk.run('resume', handOrder, '--settle', word, '--because', 'the bank says so', '--yes')
    expect(settled.code, settled.stderr).toBe(0)
    const shown = (await desk.run('journal', 'show', handOrder)).json
    expect(shown).toMatchObject({ state: word === 'executed' ? 'accepted' : 'refused' })
    const [row] = (await desk.run('payout', 'list')).json.rows as { inDoubt: string | null }[]
    expect(row).toMatchObject({ inDoubt: null })
  })

  test('remember another sum that `payout diff` shows', async () => {
    const desk = await paying()
    expect((await desk.pay({ amount: '99.00' })).code).toBe(0)
    Object.assign(desk, { uniqueId: handOrder, status: 'SUCCESS' })
    expect((await desk.run('payout', 'diff', '4712')).code).toBe(0)
    undecided(await desk.pay({ amount: '99.00' }))
  })
})
