/** One read that says otherwise takes nothing back of what the service itself has answered. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'

const finalize = [
  ...['wallet', 'finalize', '--unique-id', handOrder, '--amount', '25', '--final-status', 'SUCCESS', '--yes'],
]

describe('a finalize that was answered with SUCCESS', () => {
  const desk = async () => {
    const shown = { status: 'SUCCESS' }
    const at = await handDesk(({ name, request }) =>
      name === 'wallet.finalize'
        ? { value: { uniqueId: request.uniqueId, status: 'SUCCESS' } }
        : { value: { uniqueId: handOrder, status: shown.status } },
    )
    expect((await at.run(...finalize)).code).toBe(0)
    return { at, shown }
  }

  test('and that details show as FAILED is unknown, and nothing is sent again', async () => {
    const { at, shown } = await desk()
    shown.status = 'FAILED'
    await at.run('wallet', 'details', handOrder)
    const ended = await at.run(...finalize)
    expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown', retry: 'same-id' } })
    expect(ended.error.message).toContain('SUCCESS')
    expect(ended.error.message).toContain('FAILED')
    expect(at.count('wallet.finalize')).toBe(1)
    shown.status = 'SUCCESS'
    await at.run('wallet', 'details', handOrder)
    expect((await at.run(...finalize)).json).toMatchObject({ status: 'SUCCESS', replayed: true })
  })

  test('and that details show as still open stays done', async () => {
    const { at, shown } = await desk()
    shown.status = 'REGISTERED'
    await at.run('wallet', 'details', handOrder)
    expect((await at.run(...finalize)).json).toMatchObject({ status: 'SUCCESS', replayed: true })
  })
})

test('a charge that was answered as paid, and whose order reads FAILED, is unknown', async () => {
  const shown = { status: 'SUCCESS' }
  const at = await handDesk(({ name, request }) =>
    name === 'order.create'
      ? { value: { integratorOrderId: request.integratorOrderId, status: 'SUCCESS' } }
      : { value: { integratorOrderId: handOrder, status: shown.status } },
  )
  const card = join(at.home, 'card')
  writeFileSync(card, `${foreignOrder}\n`, { mode: 0o600 })
  const charge = ['order', 'create', '--amount', '30', '--receiver-id', foreignOrder, '--card-token-file', card]
  const argv = [...charge, '--integrator-order-id', handOrder, '--yes']
  const first = await at.run(...argv)
  expect(first.code, first.stderr).toBe(0)
  shown.status = 'FAILED'
  await at.run('order', 'status', handOrder)
  const ended = await at.run(...argv)
  expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
  expect(at.count('order.create')).toBe(1)
})
