/** A payment that was answered as paid and is shown as ended unpaid since is in doubt for every command, as often as it is asked. */
import { describe, expect, test } from 'vitest'
import { beneficiaryIban } from '../kit/payment.ts'
import type { Ended } from '../kit/program/paydesk.ts'
import { type HandDesk, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { chargeCard, createWallet, finalizeWallet } from '../kit/service/hand-lines.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { json } from '../kit/service/service-by-hand.ts'

const charge = chargeCard()
const finalize = [...finalizeWallet, '--no-local-check']

function doubted(ended: Ended) {
  expect(ended.code, ended.stdout + ended.stderr).toBe(9)
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
}

async function listed(desk: HandDesk, what: string) {
  const [row] = ((await desk.run(what, 'list')).json as { rows: readonly Record<string, unknown>[] }).rows
  return row
}

/** The service answers the write with `told`, and every read shows `shown`. */
const service = (operation: string, told: string, shown: string, more: object = {}) =>
  handDesk(({ name }) => {
    const status = name === operation ? told : shown
    return { value: { integratorOrderId: handOrder, uniqueId: handOrder, status, ...more } }
  })

describe.each(['FAILED', 'EXPIRED', 'CANCELED'])('an order that was answered SUCCESS and reads %s', (shown) => {
  test('is in doubt each time that somebody waits for it', async () => {
    const desk = await service('order.create', 'SUCCESS', shown)
    const first = await desk.run(...charge)
    expect(first.code, first.stderr).toBe(0)
    for (const _ of [1, 2, 3]) doubted(await desk.run('order', 'wait', handOrder))
    doubted(await desk.run(...charge, '--dry-run'))
    doubted(await desk.run(...charge))
  })

  test('is told with a warning, listed in doubt, and waited for in vain behind a read of its status', async () => {
    const desk = await service('order.create', 'SUCCESS', shown)
    await desk.run(...charge)
    const read = await desk.run('order', 'status', handOrder)
    expect(read.json.warnings, read.stderr).toEqual([expect.stringContaining(`SUCCESS, and shows ${shown} since`)])
    expect(await listed(desk, 'order')).toMatchObject({ end: null, open: true, moneyMoved: 'unknown' })
    expect((await listed(desk, 'order'))?.inDoubt).toContain(shown)
    doubted(await desk.run('order', 'wait', handOrder))
  })
})

test('an order whose completion was executed and that reads CANCELED is in doubt', async () => {
  const desk = await service('order.complete', 'SUCCESS', 'CANCELED')
  expect(await desk.run('order', 'complete', handOrder, '--amount', '40', '--yes')).toMatchObject({ code: 0 })
  for (const _ of [1, 2]) doubted(await desk.run('order', 'wait', handOrder))
})

test('a wallet order that was finalized and reads FAILED is in doubt, and is not deleted by that', async () => {
  const desk = await handDesk(({ name }) => {
    if (name === 'wallet.cancel') return { code: 6110, group: 3 }
    const status = name === 'wallet.create' ? 'REGISTERED' : name === 'wallet.finalize' ? 'SUCCESS' : 'FAILED'
    return { value: { uniqueId: handOrder, status } }
  })
  expect(await desk.run(...createWallet)).toMatchObject({
    code: 0,
  })
  const paid = await desk.run(...finalize)
  expect(paid.code, paid.stderr).toBe(0)
  doubted(await desk.run('wallet', 'cancel', handOrder, '--yes'))
  const read = await desk.run('wallet', 'details', handOrder)
  expect(read.json.warnings, read.stderr).toContainEqual(expect.stringContaining('SUCCESS, and shows FAILED since'))
  expect(await listed(desk, 'wallet')).toMatchObject({
    end: null,
    open: true,
    inDoubt: expect.stringContaining('FAILED'),
  })
})

describe('a write without an answer, once it was shown as done, is not denied by a later read', () => {
  test.each([
    [
      'a completion',
      'order.complete',
      ['order', 'complete', handOrder, '--amount', '40', '--yes'],
      ['order', 'status', handOrder],
      'CANCELED',
    ],
    ['a finalization', 'wallet.finalize', finalize, ['wallet', 'details', handOrder], 'FAILED'],
  ] as const)('%s', async (_what, operation, argv, read, later) => {
    let [shown, answers] = ['INITIAL', false]
    const desk = await handDesk(({ name }) => {
      if (name === operation || !answers) return { plain: 'reset' }
      return { value: { integratorOrderId: handOrder, uniqueId: handOrder, status: shown } }
    })
    const lost = await desk.run(...argv)
    doubted(lost)
    answers = true
    shown = 'SUCCESS'
    expect((await desk.run(...read)).code).toBe(0)
    shown = later
    doubted(await desk.run('resume', String(lost.error.journalId), '--yes'))
    doubted(await desk.run(...argv))
  })
})

test('an order that ended, and whose completion was executed, is in doubt for its own command, too', async () => {
  const desk = await handDesk(({ name }) => {
    if (name === 'order.create') return { value: { integratorOrderId: handOrder, status: 'INITIAL' } }
    const status = name === 'order.complete' ? 'SUCCESS' : 'CANCELED'
    return { value: { integratorOrderId: handOrder, status } }
  })
  expect((await desk.run(...charge)).code).toBe(0)
  expect((await desk.run('order', 'complete', handOrder, '--amount', '5', '--yes')).code).toBe(0)
  doubted(await desk.run('order', 'wait', handOrder))
  doubted(await desk.run(...charge))
})

test('a payout that is waited for by its number is in doubt as by its key', async () => {
  let status = 'SUCCESS'
  const desk = await handPayout(({ path }, count) => {
    if (path === '/api/distributor')
      return count === 1 ? 'reset' : json({ message: 'Duplicate', statusCode: 5017 }, 400)
    if (path !== '/api/distributor/details') return undefined
    const details = { transactionId: 4712, status, statusDescription: 'x', amount: 12.5, currency: 'GEL' }
    const more = {
      toIban: beneficiaryIban,
      paymentDescription: 'x',
      uniqueId: handOrder,
      createdAt: '2026-11-25T10:00:00',
    }
    return json({ value: { ...details, ...more } })
  })
  expect((await desk.pay()).code).toBe(0)
  expect((await desk.run('payout', 'wait', '4712')).code).toBe(0)
  status = 'FAILED'
  for (const _ of [1, 2]) doubted(await desk.run('payout', 'wait', '4712'))
})

test('a finalization that met a conflict is not done anew, whatever is typed now', async () => {
  const desk = await handDesk(({ name }) => {
    const status =
      name === 'wallet.create' ? 'REGISTERED' : name === 'wallet.finalize' ? 'ALREADY_FINALISED' : 'SUCCESS'
    return { value: { uniqueId: handOrder, status } }
  })
  await desk.run(...createWallet)
  expect(await desk.run(...finalizeWallet)).toMatchObject({ code: 7 })
  desk.skip(6 * 60_000)
  const late = await desk.run(...finalizeWallet)
  expect(late, late.stderr).toMatchObject({ error: { moneyMoved: 'unknown' } })
  expect(late.stderr).not.toContain('create it anew')
  const again = await desk.run(...createWallet)
  expect(again.stdout + again.stderr).not.toContain('create it anew')
})

describe('a refund without an answer that was shown once is not sent again', () => {
  test.each([
    [
      'when a copy that lags behind shows no trace of it',
      { value: { integratorOrderId: handOrder, status: 'SUCCESS' } },
    ],
    ['when the service does not know its order any more', { code: 6005, group: 5 }],
  ])('%s', async (_when, later) => {
    let shown: Said = { value: { integratorOrderId: handOrder, status: 'SUCCESS' } }
    const desk = await handDesk(({ name }) => (name === 'order.refund' ? { plain: 'reset' } : shown))
    expect((await desk.run(...charge)).code).toBe(0)
    const refund = ['order', 'refund', handOrder, '--amount', '5', '--key', 'R', '--yes']
    const lost = await desk.run(...refund)
    doubted(lost)
    shown = { value: { integratorOrderId: handOrder, status: 'PARTIALLY_REFUNDED' } }
    await desk.run('order', 'status', handOrder)
    shown = later
    desk.skip(20 * 60_000)
    doubted(await desk.run('resume', String(lost.error.journalId), '--yes'))
    doubted(await desk.run(...refund))
    expect(desk.count('order.refund')).toBe(1)
  })
})

test('a wallet order whose finalization may have been executed is not made anew', async () => {
  let answers = false
  const desk = await handDesk(({ name }) => {
    if (name === 'wallet.create' || name === 'wallet.finalize' || !answers) return { plain: 'reset' }
    return { value: { uniqueId: handOrder, status: 'FAILED' } }
  })
  doubted(await desk.run(...createWallet))
  doubted(await desk.run(...finalize))
  answers = true
  doubted(await desk.run(...createWallet))
})
