/** One service has many addresses and may move: an idempotency key stands for one payment at all of them. */

import { writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create, type Flags, flags } from '../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import {
  addSealedProfile,
  handClient,
  handIdentifier,
  handToken,
  json,
  type Reply,
  type Seen,
  sealedByHand,
  serviceByHand,
} from '../kit/service.ts'

/** Passes connections on to a port of 127.0.0.1: the same service at another address. Returns its own port. */
async function door(to: number, host: string, port = 0): Promise<number> {
  const server = createServer((socket) => {
    const there = createConnection(to, '127.0.0.1')
    socket.pipe(there).pipe(socket)
    socket.on('error', () => there.destroy())
    there.on('error', () => socket.destroy())
    there.on('close', () => socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Payouts at an address with any prefix. While `loses` holds, creates are executed and their answers are lost. */
async function payouts(loses = false) {
  const scene = { loses }
  const ids: string[] = []
  const service = await serviceByHand(({ path, body }: Seen): Reply => {
    if (path.endsWith('/api/auth')) {
      return json({ value: { access_token: handToken, expires_in: 1800, token_type: 'Bearer' } })
    }
    const { uniqueId } = JSON.parse(body) as { uniqueId: string }
    const isKnown = ids.includes(uniqueId)
    ids.push(uniqueId)
    if (scene.loses) return 'reset'
    if (isKnown) return json({ message: 'Duplicate', statusCode: 5017, exceptionGroup: 1 }, 400)
    const createdAt = '2026-11-20T10:00:00.123456789'
    return json({ transactionId: 4711, status: 'INITIAL', statusDescription: 'Created', uniqueId, createdAt })
  })
  const executed = () => new Set(ids).size
  return Object.assign(scene, { port: Number(new URL(service.url).port), url: service.url, ids, executed })
}

function desk() {
  const home = newHome()
  const secret = join(home, 'hand.secret')
  writeFileSync(secret, 'secret-of-the-service-by-hand\n', { mode: 0o600 })
  const first = { environment: 'test', 'client-id': handClient, 'client-secret-file': secret }
  const around = { home, clock: hurriedClock(), random: impatient }
  const run = (argv: readonly string[]) => paydesk(argv, around)
  return {
    home,
    run,
    added: async (url: string, more: Flags = {}) => {
      await succeeds(run(['profile', 'add', 'hand', ...flags({ 'base-url': url, ...first, ...more })]))
    },
    moved: (more: Flags) => run(['profile', 'add', 'hand', '--replace', ...flags(more)]),
    pay: (more: Flags = {}) => run([...create({ profile: 'hand', key: 'salary-11', ...more }), '--json']),
  }
}

function errorOf({ stderr }: { readonly stderr: string }): Record<string, unknown> {
  return (JSON.parse(stderr) as { error: Record<string, unknown> }).error
}

const spellings = [
  ['--base-url localhost', (port: number): Flags => ({ 'base-url': `http://LOCALHOST:${port}/` })],
  ['--base-url with a prefix', (port: number): Flags => ({ 'base-url': `http://localhost:${port}/v2` })],
  ['--distributor-url', (port: number): Flags => ({ 'distributor-url': `http://127.1:${port}/payouts` })],
] as const

test.each(spellings)('payout with a key, lost, %s of the service: resolved by its id (0)', async (_flag, spelled) => {
  const service = await payouts(true)
  const { url, port, executed } = service
  const { added, moved, pay } = desk()
  await added(url)
  const lost = await pay({ timeout: '3s' })
  expect(lost.code, lost.stderr).toBe(9)
  await succeeds(moved(spelled(port)))
  service.loses = false
  await succeeds(pay())
  expect(executed()).toBe(1)
})

test.each(spellings)('payout with a key, paid, %s of the service: replayed (0), sent once', async (_flag, spelled) => {
  const { url, port, executed } = await payouts()
  const { added, moved, pay } = desk()
  await added(url)
  expect((await pay()).code).toBe(0)
  expect((await moved(spelled(port))).code).toBe(0)
  const again = await succeeds(pay())
  expect(JSON.parse(again.stdout)).toMatchObject({ replayed: true })
  expect(executed()).toBe(1)
})

test('profile add --replace with another host: refused (2) without --same-service or --another-service, nothing changes', async () => {
  const { url, port } = await payouts()
  const other = `http://127.0.0.1:${await door(port, '127.0.0.1')}`
  const { added, moved, run } = desk()
  await added(url)
  for (const flag of ['base-url', 'distributor-url']) {
    const end = await moved({ [flag]: other })
    expect(end.code).toBe(2)
    expect(end.stderr).toContain('--same-service')
    expect(end.stderr).toContain('--another-service')
  }
  const both = await moved({ 'base-url': other, 'same-service': true, 'another-service': true })
  expect(both.code).toBe(2)
  const shown = await run(['profile', 'show', 'hand', '--json'])
  expect(JSON.parse(shown.stdout)).toMatchObject({ baseUrl: url, distributorUrl: null })
})

test.each([
  ['lost', 9],
  ['paid', 0],
] as const)('payout with a key, %s, another host with --same-service: not executed again (0)', async (_name, code) => {
  const service = await payouts(code === 9)
  const { url, port, executed } = service
  const other = `http://127.0.0.1:${await door(port, '127.0.0.1')}`
  const { added, moved, pay, run } = desk()
  await added(url)
  expect((await pay({ timeout: '3s' })).code).toBe(code)
  expect((await moved({ 'base-url': other, 'same-service': true })).code).toBe(0)
  service.loses = false
  await succeeds(pay())
  expect(executed()).toBe(1)
  const shown = await run(['profile', 'show', 'hand'])
  expect(shown.stdout).toContain(url)
})

test.each([
  ['lost', 9],
  ['paid', 0],
] as const)('payout with a key, %s, another host, --another-service: refused (7), way back', async (_name, code) => {
  const service = await payouts(code === 9)
  const { url, port, ids, executed } = service
  const other = `http://127.0.0.1:${await door(port, '127.0.0.1')}`
  const { added, moved, pay } = desk()
  await added(url)
  const first = await pay({ timeout: '3s' })
  expect(first.code).toBe(code)
  const { journalId } = code === 0 ? JSON.parse(first.stdout) : errorOf(first)
  expect((await moved({ 'base-url': other, 'another-service': true })).code).toBe(0)
  const sent = ids.length
  const again = await pay()
  expect(again.code, again.stdout).toBe(7)
  expect(errorOf(again).message).toContain(journalId)
  expect(JSON.stringify(errorOf(again).hints)).toContain('--same-service')
  expect(ids).toHaveLength(sent)
  expect(executed()).toBe(1)
  service.loses = false
  // Another key is another payment there.
  expect((await pay({ key: 'salary-12', amount: '13' })).code).toBe(0)
  // The hint leads out: back, and over again as the same service.
  expect((await moved({ 'base-url': url, 'another-service': true })).code).toBe(0)
  expect((await moved({ 'base-url': other, 'same-service': true })).code).toBe(0)
  const same = await pay()
  expect([same.code, executed()]).toEqual([0, 2])
  expect(JSON.parse(same.stdout)).toMatchObject({ journalId })
})

test('profile add --another-service with another spelling of the same address: refused (2)', async () => {
  const { url, port } = await payouts()
  const { added, moved } = desk()
  await added(url)
  const ended = await moved({ 'base-url': `http://localhost:${port}`, 'another-service': true })
  expect(ended.code, ended.stderr).toBe(2)
  expect(ended.stderr).toContain('--another-service cannot hold: this is another spelling')
})

test('payout with a key, paid, then the profile is removed and added at another host: a duplicate (7)', async () => {
  const { url, port, executed } = await payouts()
  const other = `http://127.0.0.1:${await door(port, '127.0.0.1')}`
  const { added, pay, run } = desk()
  await added(url)
  expect((await pay()).code).toBe(0)
  expect((await run(['profile', 'remove', 'hand', '--yes'])).code).toBe(0)
  await added(other)
  const again = await pay()
  expect(again.code, again.stdout).toBe(7)
  expect(executed()).toBe(1)
})

test('payout with a key, paid, then another host and another client: another service, executed there, too (0)', async () => {
  const { url, port, ids } = await payouts()
  const other = `http://127.0.0.1:${await door(port, '127.0.0.1')}`
  const { added, moved, pay } = desk()
  await added(url)
  expect((await pay()).code).toBe(0)
  await succeeds(moved({ 'base-url': other, 'client-id': '99999999-2222-4333-8444-555555555555' }))
  expect((await pay()).code).toBe(0)
  expect(new Set(ids).size).toBe(2)
})

test('payout with a key by two profiles at two ports: two services, executed at each (0)', async () => {
  const { url, port, executed } = await payouts()
  const { home, added, pay, run } = desk()
  await added(url)
  const second = {
    'base-url': `http://127.0.0.1:${await door(port, '127.0.0.1')}`,
    ...{ environment: 'test', 'client-id': handClient, 'client-secret-file': join(home, 'hand.secret') },
  }
  expect((await run(['profile', 'add', 'twin', ...flags(second)])).code).toBe(0)
  const paid = await pay()
  const again = await pay({ profile: 'twin' })
  expect([paid.code, again.code], again.stderr).toEqual([0, 0])
  expect(executed()).toBe(2)
})

const orderId = '1d4b7f3e-6a0c-4a3c-9a53-5d1f3f1f7a44'

/** The first answer is lost; what is read of the order shows no refund. */
async function orders() {
  const service = await sealedByHand(({ name, count }) => {
    if (name !== 'order.refund') return { code: 6005 }
    return count === 1 ? { plain: 'reset' } : { value: { status: 'REFUNDED' } }
  }, 'oaep-sha256')
  const home = newHome()
  const around = { home, clock: hurriedClock(), random: impatient }
  await addSealedProfile(home, 'hand', service.url, { 'integrator-id': handIdentifier, 'wallet-identifier': null })
  const refund = () => {
    const given = { amount: '5', key: 'return-4711', profile: 'hand', yes: true, json: true } as const
    return paydesk(['order', 'refund', orderId, ...flags(given)], around)
  }
  const moved = (more: Flags) => paydesk(['profile', 'add', 'hand', '--replace', ...flags(more)], around)
  const refunds = () => service.calls.filter(({ name }) => name === 'order.refund')
  const first = await refund()
  expect(first.code, first.stderr).toBe(9)
  return { url: service.url, refund, refunds, moved }
}

test('order refund with a key, lost, then another spelling of the address: unknown (9), not sent again', async () => {
  const { url, refund, refunds, moved } = await orders()
  await succeeds(moved({ 'orders-url': url.replace('127.0.0.1', 'localhost') }))
  expect((await refund()).code).toBe(9)
  expect(refunds()).toHaveLength(1)
})

test.each([
  ['same-service', 9],
  ['another-service', 7],
] as const)('order refund with a key, lost, then another host with --%s: not sent again (%i)', async (word, code) => {
  const { url, refund, refunds, moved } = await orders()
  const other = `http://127.0.0.1:${await door(Number(new URL(url).port), '127.0.0.1')}`
  expect((await moved({ 'orders-url': other })).code).toBe(2)
  await succeeds(moved({ 'orders-url': other, [word]: true }))
  expect((await refund()).code).toBe(code)
  expect(refunds()).toHaveLength(1)
})
