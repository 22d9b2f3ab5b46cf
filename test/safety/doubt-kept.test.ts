/** What was answered as paid and is shown as ended unpaid since is in doubt for every command, as often as it is asked. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Ended } from '../kit/program/paydesk.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'
import { foreignOrder, type HandDesk, handDesk, handOrder } from '../kit/service/hand-desk.ts'

const tokenFile = join(temporaryDirectory('card'), 'card.token')
writeFileSync(tokenFile, '454d428e-4419-4cee-aa68-eae36cc82c81\n', { mode: 0o600 })

const charge = [
  ...['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--integrator-order-id', handOrder],
  ...['--card-token-file', tokenFile, '--yes'],
]
const finalize = [
  ...['wallet', 'finalize', '--unique-id', handOrder, '--amount', '25', '--final-status', 'SUCCESS'],
  ...['--no-local-check', '--yes'],
]

function doubted(ended: Ended) {
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
  const address =
    'https://pay.example/pay?qrType=DEFAULT&receiverType=USER&receiverId=5a9db0c0-0321-4a11-8c11-000000000321'
  expect(await desk.run('wallet', 'create', '--unique-id', handOrder, '--uri', address, '--yes')).toMatchObject({
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
