import { expect, test } from 'vitest'
import { listed, listening, orderId, payment, post, subscription, token } from '../../kit/callback/scene.ts'
import { hurriedClock } from '../../kit/program/hurried.ts'
import { newHome, paydesk } from '../../kit/program/paydesk.ts'

async function filled(): Promise<string> {
  const home = newHome()
  const clock = hurriedClock(Date.parse('2026-11-20T09:00:00Z'))
  const { url, stop } = await listening({ home, clock })
  for (const body of [
    payment,
    subscription,
    'garbage',
    { ...payment, integratorOrderId: 'other', transactionId: '7' },
  ]) {
    await post(url, body)
    clock.skip(3_600_000)
  }
  await stop()
  return home
}

test('the newest first; by order, transaction, subscription, time and number', async () => {
  const home = await filled()
  const kinds = async (...more: readonly string[]) =>
    (await listed(home, ...more)).map(({ kind, status }) => [kind, status])
  expect(await kinds()).toEqual([
    ['payment', 'SUCCESS'],
    ['unknown', null],
    ['subscription', 'COMPLETED'],
    ['payment', 'SUCCESS'],
  ])
  expect(await kinds('--limit', '1')).toEqual([['payment', 'SUCCESS']])
  expect(await listed(home, '--order', orderId)).toMatchObject([{ transactionId: '900719' }])
  expect(await listed(home, '--order', '7')).toMatchObject([{ integratorOrderId: 'other' }])
  expect(await kinds('--order', 'sub-1')).toEqual([['subscription', 'COMPLETED']])
  expect(await kinds('--since', '2026-11-20T09:30', '--until', '2026-11-20T10:30')).toEqual([
    ['subscription', 'COMPLETED'],
  ])
  expect(await kinds('--since', '2026-11-21')).toEqual([])
  expect(await kinds('-p', 'acme')).toEqual([])
})

test('as a table, without a token; wide enough for a line each', async () => {
  const { code, stdout } = await paydesk(['callback', 'list'], { home: await filled(), columns: 250 })
  expect(code).toBe(0)
  expect(stdout.trimEnd().split('\n')).toHaveLength(5)
  expect(stdout).toContain('plain')
  expect(stdout).not.toContain(token)
})

test('of none, and of a time that is none', async () => {
  const home = newHome()
  expect((await paydesk(['callback', 'list'], { home })).stdout).toBe('There is no callback of that kind.\n')
  expect(await paydesk(['callback', 'list', '--since', 'yesterday'], { home })).toMatchObject({ code: 2 })
})
