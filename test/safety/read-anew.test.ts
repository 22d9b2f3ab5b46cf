/** An end that comes by time is never told from the journal alone: what was read before may be older than a payment. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { validUntilOf } from '../../src/lib/contract/order/valid-until.ts'
import { foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'

const hour = 3_600_000

/** An order with a key, whose status the test changes; null where it cannot be read. */
async function scene(status: string, validFor: number | null) {
  const now = { status: status as string | null }
  const desk = await handDesk(({ name, request }) => {
    const { integratorOrderId } = request
    if (name === 'order.create') return { value: { integratorOrderId, urlForQR: 'https://pay.example/1' } }
    if (now.status === null) return { plain: { status: 503, body: '{}' } }
    return { value: { integratorOrderId, status: now.status } }
  })
  const until = validFor === null ? [] : ['--valid-until', validUntilOf(Date.now() + validFor)]
  const create = ['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--key', 'inv-7', ...until]
  const created = await desk.run(...create, '--yes')
  expect(created, created.stderr).toMatchObject({ code: 0 })
  await desk.run('order', 'status', String(created.json.uniqueId ?? created.json.integratorOrderId))
  const { journalId } = created.json
  return { ...desk, now, lines: { create: [...create, '--yes'], resume: ['resume', String(journalId)] } }
}

describe.each(['create', 'resume'] as const)('%s', (line) => {
  test('tells of an order that was paid after its first try failed', async () => {
    const desk = await scene('FAILED', hour)
    desk.now.status = 'SUCCESS'
    desk.skip(26 * hour)
    const again = await desk.run(...desk.lines[line])
    expect(again, again.stderr).toMatchObject({ code: 0, json: { status: 'SUCCESS' } })
    expect(desk.count('order.create')).toBe(1)
  })

  test('tells of an order that was paid before it expired for a copy that lagged behind', async () => {
    const desk = await scene('EXPIRED', null)
    desk.now.status = 'SUCCESS'
    const again = await desk.run(...desk.lines[line])
    expect(again, again.stderr).toMatchObject({ code: 0, json: { status: 'SUCCESS' } })
  })

  test('says that an order has ended after it was read once more', async () => {
    const desk = await scene('FAILED', hour)
    desk.skip(26 * hour)
    const reads = desk.count('order.status')
    const again = await desk.run(...desk.lines[line])
    expect(again, again.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: 'FAILED' } })
    expect(again.error.message).not.toContain('told from the journal')
    expect(desk.count('order.status')).toBe(reads + 1)
  })

  test('says of an order that cannot be read now that it may have been paid', async () => {
    const desk = await scene('FAILED', hour)
    desk.now.status = null
    desk.skip(26 * hour)
    const again = await desk.run(...desk.lines[line])
    expect(again, again.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown', retry: 'same-id' } })
    expect(again.error.message).toMatch(/was FAILED when it was last read, and cannot be read now/)
  })

  test('says of an order that has expired without a validUntil that it has ended, whether or not it can be read', async () => {
    const desk = await scene('EXPIRED', null)
    desk.now.status = null
    expect(await desk.run(...desk.lines[line])).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
  })
})

test('a dry run says that the order would be read', async () => {
  const desk = await scene('FAILED', hour)
  desk.now.status = 'SUCCESS'
  desk.skip(26 * hour)
  const reads = desk.count('order.status')
  const dry = await desk.run(...desk.lines.create, '--dry-run')
  expect(dry, dry.stderr).toMatchObject({ code: 0 })
  expect(dry.stdout + dry.stderr).toContain('read how it ended')
  expect(desk.count('order.status')).toBe(reads)
})

test('a charge that a copy showed as expired is read anew before its card is asked for', async () => {
  const now = { status: 'EXPIRED' }
  const desk = await handDesk(({ name }) =>
    name === 'order.create' ? { plain: 'reset' } : { value: { integratorOrderId: handOrder, status: now.status } },
  )
  const card = join(desk.home, 'card')
  writeFileSync(card, '454d428e-4419-4cee-aa68-eae36cc82c81', { mode: 0o600 })
  const until = ['--valid-until', validUntilOf(Date.now() + hour)]
  const named = ['--receiver-id', foreignOrder, '--integrator-order-id', handOrder, '--card-token-file', card]
  const charge = ['order', 'create', '--amount', '12.50', ...named, ...until, '--yes']
  expect((await desk.run(...charge)).code).toBe(0)
  now.status = 'SUCCESS'
  desk.skip(26 * hour)
  const again = await desk.run(...charge)
  expect(again, again.stderr).toMatchObject({ code: 0, json: { status: 'SUCCESS' } })
  expect(desk.count('order.create')).toBe(1)
})
