/** An order with `validUntil` may be paid again after a failed try: FAILED is no end of it before that time has passed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { validUntilOf } from '../../src/lib/contract/order/valid-until.ts'
import { foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'

const hour = 3_600_000
const far = '2099-12-31 23:59:59'
const order = { integratorOrderId: handOrder }

/** An order of the service whose status the test changes. */
async function scene(validUntil: string | null, status = 'FAILED', isLost = false) {
  const now = { status }
  const desk = await handDesk(({ name, request }) => {
    if (name !== 'order.create') return { value: { ...order, status: now.status } }
    if (isLost) return { plain: 'reset' }
    const charged = request.cardToken === undefined ? { urlForQR: 'https://pay.example/1' } : { status: now.status }
    return { value: { ...order, ...charged } }
  })
  const card = join(desk.home, 'card')
  writeFileSync(card, '454d428e-4419-4cee-aa68-eae36cc82c81', { mode: 0o600 })
  const until = validUntil === null ? [] : ['--valid-until', validUntil]
  const named = ['--integrator-order-id', handOrder, '--yes', ...until]
  const create = ['order', 'create', '--amount', '100', '--receiver-id', foreignOrder, ...named]
  const resume = async () => {
    const [known] = JSON.parse((await desk.run('journal', 'list')).stdout)
    return desk.run('resume', String(known?.journalId))
  }
  return { ...desk, now, resume, create, charge: [...create, '--card-token-file', card] }
}

describe.each(['create', 'charge'] as const)('%s', (kind) => {
  test('with a validUntil ahead may still be paid after a failed try', async () => {
    const desk = await scene(far)
    expect((await desk.run(...desk[kind])).code).toBe(0)
    expect((await desk.run('order', 'status', handOrder)).json).toMatchObject({ status: 'FAILED' })
    const again = await desk.run(...desk[kind])
    expect(again.json, again.stderr).toMatchObject({ outcome: 'accepted', replayed: true, status: 'FAILED' })
    expect(again.json.warnings).toContainEqual(expect.stringContaining('may still be paid'))
    const resumed = await desk.resume()
    expect(resumed.json, resumed.stderr).toMatchObject({ status: 'FAILED', warnings: again.json.warnings })
    const waited = await desk.run('order', 'wait', handOrder)
    expect(waited, waited.stderr).toMatchObject({ code: 8, error: { moneyMoved: 'unknown', status: 'FAILED' } })
    expect(String(waited.error.hints)).not.toContain('needs a new id')
    expect((await desk.run(...desk[kind], '--wait')).code).toBe(8)
    desk.now.status = 'SUCCESS'
    expect((await desk.run(...desk[kind], '--wait')).json).toMatchObject({ status: 'SUCCESS' })
    expect(desk.count('order.create')).toBe(1)
  })

  test.each([
    [1, 8, 0],
    [72, 5, 5],
  ])('%i hours after its validUntil ends with %i while it is waited for', async (hours, waited, resumed) => {
    const desk = await scene(validUntilOf(Date.now() + hour))
    await desk.run(...desk[kind])
    await desk.run('order', 'status', handOrder)
    desk.skip((hours + 1) * hour)
    const ended = await desk.run('order', 'wait', handOrder)
    expect(ended, ended.stderr).toMatchObject({ code: waited, error: { moneyMoved: waited === 5 ? 'no' : 'unknown' } })
    expect((await desk.resume()).code).toBe(resumed)
  })

  test('has not ended three days after its validUntil by a clock that was set ahead', async () => {
    const desk = await scene(validUntilOf(Date.now() + hour))
    await desk.run(...desk[kind])
    await desk.run('order', 'status', handOrder)
    desk.set(73 * hour)
    const waited = await desk.run('order', 'wait', handOrder)
    expect(waited, waited.stderr).toMatchObject({ code: 8, error: { moneyMoved: 'unknown' } })
    expect((await desk.run(...desk[kind])).json).toMatchObject({ outcome: 'accepted', replayed: true })
    expect((await desk.resume()).code).toBe(0)
    desk.set(-73 * hour)
    desk.skip(73 * hour)
    expect(await desk.run('order', 'wait', handOrder)).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
    expect((await desk.resume()).code).toBe(5)
  })

  test('without one has ended with the first failure', async () => {
    const desk = await scene(null)
    await desk.run(...desk[kind])
    await desk.run('order', 'status', handOrder)
    for (const argv of [desk[kind], ['order', 'wait', handOrder], [...desk[kind], '--wait']]) {
      const ended = await desk.run(...argv)
      expect(ended, ended.stdout).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: 'FAILED' } })
    }
  })

  test.each(kind === 'create' ? ['EXPIRED', 'CANCELED'] : ['CANCELED'])(
    'with a validUntil ahead has ended in %s',
    async (status) => {
      const desk = await scene(far, status)
      await desk.run(...desk[kind])
      const ended = await desk.run('order', 'wait', handOrder)
      expect(ended, ended.stdout).toMatchObject({ code: 5, error: { moneyMoved: 'no', status } })
      expect((await desk.run(...desk[kind])).code).toBe(5)
    },
  )
})

describe('a charge that reads EXPIRED, as a copy of the service shows that has not heard of it', () => {
  test.each(['lost', 'answered'] as const)('may still turn out to be paid: %s', async (answer) => {
    const desk = await scene(validUntilOf(Date.now() + hour), 'EXPIRED', answer === 'lost')
    const charged = await desk.run(...desk.charge)
    expect(charged.json, charged.stderr).toMatchObject({ status: 'EXPIRED' })
    expect(charged.json.warnings).toContainEqual(expect.stringContaining('never create it anew'))
    const waited = await desk.run('order', 'wait', handOrder)
    expect(waited, waited.stderr).toMatchObject({ code: 8, error: { moneyMoved: 'unknown', status: 'EXPIRED' } })
    desk.now.status = 'SUCCESS'
    expect((await desk.run('order', 'status', handOrder)).json).toMatchObject({ status: 'SUCCESS' })
    const resumed = await desk.resume()
    expect(resumed.json, resumed.stderr).toMatchObject({ status: 'SUCCESS' })
    expect(String(resumed.json.warnings)).not.toContain('never create it anew')
    expect(desk.count('order.create')).toBe(1)
  })

  test('has ended a day after its validUntil', async () => {
    const desk = await scene(validUntilOf(Date.now() + hour), 'EXPIRED', true)
    expect((await desk.run(...desk.charge)).code).toBe(0)
    desk.skip(26 * hour)
    const ended = await desk.run('order', 'wait', handOrder)
    expect(ended, ended.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: 'EXPIRED' } })
    expect((await desk.resume()).code).toBe(5)
  })
})

test('an order that another machine created may have a validUntil: its failure is not told as "no money moved"', async () => {
  const desk = await scene(null)
  const ended = await desk.run('order', 'wait', handOrder)
  expect(ended, ended.stdout).toMatchObject({ code: 5, error: { moneyMoved: 'unknown', status: 'FAILED' } })
  desk.now.status = 'EXPIRED'
  expect(await desk.run('order', 'wait', handOrder)).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
})
