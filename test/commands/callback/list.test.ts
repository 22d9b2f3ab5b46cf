import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CallbackStore } from '../../../src/lib/callback/callbacks.ts'
import type { RawCallback } from '../../../src/lib/callback/raw.ts'
import { realClock, realRandom } from '../../../src/lib/edge.ts'
import { listed, listening, orderId, payment, post, subscription, token } from '../../kit/callback.ts'
import { hurriedClock } from '../../kit/clock.ts'
import { newHome, paydesk } from '../../kit/program.ts'

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

test('callback list: the newest stands first; order, transaction, subscription, time, number and profile narrow it', async () => {
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
  expect(await kinds('-p', 'sandbox-receiver')).toEqual([])
})

test('callback list: the table has one line for each callback, and no card token', async () => {
  const { code, stdout } = await paydesk(['callback', 'list'], { home: await filled(), columns: 250 })
  expect(code).toBe(0)
  expect(stdout.trimEnd().split('\n')).toHaveLength(5)
  expect(stdout).toContain('plain')
  expect(stdout).not.toContain(token)
})

test('callback list: an empty store says so (0), and a time that cannot be read is refused (2)', async () => {
  const home = newHome()
  expect((await paydesk(['callback', 'list'], { home })).stdout).toBe('No callbacks found.\n')
  expect(await paydesk(['callback', 'list', '--since', 'lately'], { home })).toMatchObject({ code: 2 })
})

test('callback list: without --limit the newest 100 are listed', async () => {
  const home = newHome()
  const places = join(home, 'callbacks', 'callbacks.db')
  const callbacks = await CallbackStore.open(places, realClock, realRandom, () => null)
  const raw = (number: number): RawCallback => ({
    ...{ receivedAt: Date.now() + number, remote: '127.0.0.1', method: 'POST', target: `/${number}`, headers: [] },
    body: Buffer.from(`${number}`),
  })
  const ids: string[] = []
  for (let number = 0; number < 101; number += 1)
    ids.push(await callbacks.receive(raw(number), { profile: null, target: null, mark: '' }))
  await callbacks.close()
  expect((await listed(home)).map(({ callbackId }) => callbackId)).toEqual(ids.slice(1).toReversed())
})
