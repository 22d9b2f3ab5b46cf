/** "Already paid" of a cancellation stands against each end without a payment that a copy shows. */
import { describe, expect, test } from 'vitest'
import { foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'

const create = [
  ...['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder],
  ...['--integrator-order-id', handOrder, '--yes'],
]
const cancel = ['order', 'cancel', handOrder, '--yes']
const wait = ['order', 'wait', handOrder]

/** An order whose cancellation was refused so; `now.status` is the one that reads show. */
async function scene(code = 6016, isOwn = true) {
  const now = { status: 'EXPIRED' }
  const desk = await handDesk(({ name }) => {
    if (name === 'order.create') return { value: { integratorOrderId: handOrder, urlForQR: 'https://pay.example/1' } }
    if (name === 'order.cancel') return { code, group: 2 }
    return { value: { integratorOrderId: handOrder, status: now.status } }
  })
  const created = isOwn ? await desk.run(...create) : null
  const canceled = await desk.run(...cancel)
  return { ...desk, now, canceled, resume: ['resume', String(created?.json.journalId)] }
}

test('the cancellation itself does not say that no money moved', async () => {
  const { canceled } = await scene()
  expect(canceled, canceled.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'unknown', status: null } })
})

describe.each(['EXPIRED', 'FAILED', 'CANCELED'])('%s', (status) => {
  test('is no end for any command', async () => {
    const desk = await scene()
    desk.now.status = status
    await desk.run('order', 'status', handOrder)
    for (const argv of [create, wait, desk.resume]) {
      const ended = await desk.run(...argv)
      expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown', retry: 'same-id' } })
      expect(ended.error.message).toContain('refused because it is paid')
    }
    const again = await desk.run(...cancel)
    expect(again, again.stderr).toMatchObject({ code: status === 'CANCELED' ? 9 : 5 })
    expect(again.error.moneyMoved).toBe('unknown')
  })
})

test('of an order that was created elsewhere it is no end, either', async () => {
  const desk = await scene(6016, false)
  const ended = await desk.run(...wait)
  expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
})

test('resuming the cancellation does not say that no money moved', async () => {
  const { canceled, run } = await scene()
  const resumed = await run('resume', String(canceled.error.journalId))
  expect(resumed, resumed.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'unknown', status: null } })
})

test('another refusal is no word about a payment', async () => {
  const desk = await scene(6006)
  expect(desk.canceled, desk.canceled.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
  for (const argv of [create, wait, desk.resume]) {
    const ended = await desk.run(...argv)
    expect(ended, ended.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: 'EXPIRED' } })
  }
})
