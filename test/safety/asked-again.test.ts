/** A cancellation that was done and is asked for again is read, and told as what the thing is now; never a blind 0. */
import { describe, expect, test } from 'vitest'
import { broken, foreignOrder, type HandDesk, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'

const writes = {
  'order cancel': { operation: 'order.cancel', read: 'order.status', id: { integratorOrderId: handOrder } },
  'wallet cancel': { operation: 'wallet.cancel', read: 'wallet.details', id: { uniqueId: handOrder } },
} as const

describe.each(Object.entries(writes))('%s that was done', (command, { operation, read, id }) => {
  const again = (desk: HandDesk) => desk.run(...command.split(' '), handOrder, '--yes')
  const status = (value: string): Said => ({ value: { ...id, status: value } })

  async function done(shows: Said) {
    const desk = await handDesk(({ name }) => (name === operation ? status('CANCELED') : shows))
    const first = await again(desk)
    expect(first.code, first.stderr).toBe(0)
    return { desk, first }
  }

  const cancelled = operation === 'order.cancel' ? ['CANCELED', 'CANCELLED'] : ['FAILED', 'CANCELED']
  test.each(cancelled)('and still reads %s is 0 and replayed; nothing is sent again', async (now) => {
    const { desk, first } = await done(status(now))
    const second = await again(desk)
    expect(second.json, second.stderr).toEqual({ ...first.json, replayed: true })
    expect([desk.count(operation), desk.count(read)]).toEqual([1, 1])
  })

  test('and reads SUCCESS now is 5, with the money that moved', async () => {
    const { desk, first } = await done(status('SUCCESS'))
    const { journalId } = first.json
    const second = await again(desk)
    expect(second, second.stdout).toMatchObject({ code: 5, stdout: '' })
    expect(second.error).toMatchObject({ operation, journalId, status: 'SUCCESS', moneyMoved: 'yes', retry: 'never' })
    expect(second.error.message).toContain(`${read} reads SUCCESS`)
    expect(desk.count(operation)).toBe(1)
  })

  const open = operation === 'order.cancel' ? 'INITIAL' : 'REGISTERED'
  test.each([open, 'nonsense'])('and reads %s now is 9', async (now) => {
    const { desk } = await done(status(now))
    const second = await again(desk)
    expect(second, second.stdout).toMatchObject({ code: 9, stdout: '', error: { status: now, moneyMoved: 'unknown' } })
    expect(second.error.message).toContain(`${read} reads ${now}`)
  })

  test('and that the service does not know any more is 6', async () => {
    const { desk } = await done({ code: operation === 'order.cancel' ? 6005 : 6045, group: 5 })
    expect(await again(desk)).toMatchObject({ code: 6, stdout: '', error: { moneyMoved: 'unknown' } })
  })

  const unreadable: Readonly<Record<string, Said>> = {
    'no answer': broken,
    'another id': { value: { ...id, [Object.keys(id)[0] ?? '']: foreignOrder, status: 'CANCELED' } },
    'no status': { value: id },
  }
  test.each(Object.entries(unreadable))('and cannot be read (%s) is 9', async (_why, shows) => {
    const { desk } = await done(shows)
    expect(await again(desk)).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
  })

  test('and cannot be asked for is 11: nothing left this machine, and what was paid nothing shows', async () => {
    const { desk } = await done(broken)
    await desk.stop()
    expect(await again(desk)).toMatchObject({ code: 11, stdout: '', error: { moneyMoved: 'unknown' } })
  })
})

test('a revocation that was done is told again with a warning: no read shows a subscription', async () => {
  const desk = await handDesk(({ name }) => (name === 'subscription.revoke' ? { value: {} } : broken))
  const revoke = () => desk.run('subscription', 'revoke', handOrder, '--yes')
  const first = await revoke()
  expect(first.code, first.stderr).toBe(0)
  const second = await revoke()
  expect(second.json).toMatchObject({
    replayed: true,
    warnings: expect.arrayContaining([expect.stringMatching(/no read/)]),
  })
  expect(desk.calls).toHaveLength(1)
})

test.each([
  ['refund', ['--amount', '5', '--key', 'r-1'], { status: 'REFUND_REQUESTED' }],
  ['complete', ['--amount', '5'], { status: 'SUCCESS' }],
] as const)('an order %s is neither sent nor read again', async (command, more, said) => {
  const desk = await handDesk(({ name }) =>
    name === `order.${command}` ? { value: { integratorOrderId: handOrder, ...said } } : broken,
  )
  const run = () => desk.run('order', command, handOrder, ...more, '--yes')
  const first = await run()
  expect(first.code, first.stderr).toBe(0)
  const calls = desk.calls.length
  expect((await run()).json).toEqual({ ...first.json, replayed: true })
  expect(desk.calls).toHaveLength(calls)
  expect(desk.count(`order.${command}`)).toBe(1)
})
