/**
 * "Nothing moved" is said only where nothing can have moved: not by a program that is stopped while it asks about an open
 * payment, not by a clock that was set, not by 503, and not while the network is down.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Clock } from '../../src/lib/edge.ts'
import { realClock } from '../../src/lib/edge.ts'
import { journalOf } from '../kit/journal.ts'
import { create } from '../kit/payment.ts'
import { cleanEnv, program, start } from '../kit/program/built-paydesk.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { until } from '../kit/run/until.ts'
import { addSealedProfile, handIdentifier, type Said, sealedByHand } from '../kit/service/sealed-by-hand.ts'
import { addHandProfile, json, type Reply, serviceByHand } from '../kit/service/service-by-hand.ts'

const order = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const orders = { 'integrator-id': handIdentifier, 'wallet-identifier': null }
const refund = ['order', 'refund', order, '-p', 'own', '--amount', '5', '--key', 'return-1', '--yes', '--json']
const brief = { 'answer-timeout': '300ms', timeout: '2s' }
const day = 86_400_000

/** A refund that was executed and whose answer is lost. The test sets its status afterwards. */
async function lostRefund() {
  const home = newHome()
  let status: Said = { value: { integratorOrderId: order, status: 'SUCCESS' } }
  const service = await sealedByHand(
    ({ name }) => (name === 'order.status' ? status : { plain: 'reset' }),
    'oaep-sha256',
  )
  await addSealedProfile(home, 'own', service.url, orders)
  const ended = await paydesk([...refund], { home })
  expect(ended.code, ended.stderr).toBe(9)
  const says = (said: Said) => {
    status = said
  }
  return { home, service, says, journalId: String(ended.error.journalId) }
}

/** A payout that was executed and whose answers are lost; every later question hangs. */
async function lostPayout() {
  const home = newHome()
  let lost = false
  const service = await serviceByHand(({ path, method }): Reply | undefined => {
    if (path === '/api/auth') return undefined
    if (method === 'POST') return lost ? 'hang' : 'reset'
    return 'hang'
  })
  await addHandProfile(home, service.url)
  const ended = await paydesk([...create({ profile: 'hand', key: 'k-1', ...brief }), '--json'], { home })
  expect(ended.code, ended.stderr).toBe(9)
  lost = true
  return { home, service, journalId: String(ended.error.journalId) }
}

async function stopped(argv: readonly string[], home: string, asked: () => boolean, signal: 'SIGINT' | 'SIGTERM') {
  const { child, end } = start(argv, home)
  await until('the service was asked', asked)
  child.kill(signal)
  const { code, stderr } = await end
  return { code, error: (JSON.parse(stderr) as { error: Record<string, unknown> }).error }
}

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

describe.each(signals)('%s while the service is asked about an open payment', (signal, exit) => {
  test.each([
    ['resume', (id: string) => ['resume', id, '-p', 'own', '--json']],
    ['the same command with its key', () => refund],
  ])('tells it as unknown: %s of a refund', async (_name, argv) => {
    const { home, service, says, journalId } = await lostRefund()
    says({ plain: 'hang' })
    const before = service.seen.length
    const { code, error } = await stopped(argv(journalId), home, () => service.seen.length > before, signal)
    expect(code).toBe(exit)
    expect(error).toMatchObject({ moneyMoved: 'unknown', journalId, retry: 'same-id' })
    expect(String(error.message)).not.toContain('before anything was sent')
    expect(error.hints).toEqual([expect.stringContaining(`paydesk resume ${journalId}`)])
  })

  test.each([
    ['resume', (id: string) => ['resume', id, '-p', 'hand', '--json']],
    ['reconcile', (id: string) => ['payout', 'reconcile', id, '--transaction-id', '4711', '-p', 'hand', '--json']],
    ['the same command with its key', () => [...create({ profile: 'hand', key: 'k-1' }), '--json']],
  ])('tells it as unknown: %s of a payout', async (_name, argv) => {
    const { home, service, journalId } = await lostPayout()
    const before = service.seen.length
    const { code, error } = await stopped(argv(journalId), home, () => service.seen.length > before, signal)
    expect(code).toBe(exit)
    expect(error).toMatchObject({ moneyMoved: 'unknown', journalId })
    expect(String(error.message)).not.toContain('before anything was sent')
  })
})

describe('a clock that was set a day ahead', () => {
  const ahead: Clock = { ...realClock, now: () => Date.now() + day }

  test('does not turn a refund of a moment ago into "not executed"', async () => {
    const { home, journalId } = await lostRefund()
    const ended = await paydesk(['resume', journalId, '-p', 'own', '--json'], { home, clock: ahead })
    expect(ended.code, ended.stderr).toBe(9)
    expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
  })

  test('does not free a refund that a living process has in flight', async () => {
    const home = newHome()
    const service = await sealedByHand(
      ({ name }) => ({ plain: name === 'order.status' ? json({}) : 'hang' }),
      'oaep-sha256',
    )
    await addSealedProfile(home, 'own', service.url, orders)
    const { child, end } = start(refund, home)
    await until('the refund is in flight', () => service.calls.some(({ name }) => name === 'order.refund'))
    const [open] = await journalOf({ home })
    const ended = await paydesk(['resume', open?.journalId ?? '', '-p', 'own', '--json'], { home, clock: ahead })
    expect(ended.code, ended.stderr).toBe(12)
    expect(ended.error.moneyMoved).toBe('unknown')
    child.kill('SIGKILL')
    await end
  })
})

describe('503', () => {
  test.each([
    ['without a time to wait', {}],
    ['with a time to wait', { 'retry-after': '1' }],
  ])('%s after a payout that ran is unknown, and a 5038 after it proves nothing', async (_name, headers) => {
    const home = newHome()
    let says: Reply = { status: 503, headers, body: '' }
    const service = await serviceByHand(({ method, path }) =>
      method === 'POST' && path === '/api/distributor' ? says : undefined,
    )
    await addHandProfile(home, service.url)
    const argv = [...create({ profile: 'hand', key: 'k-1', timeout: '3s' }), '--json']
    const first = await paydesk(argv, { home })
    expect(first.code, first.stderr).toBe(9)
    says = json({ message: 'Insufficient balance', statusCode: 5038 }, 400)
    const second = await paydesk(argv, { home })
    expect(second.code, second.stderr).toBe(9)
    expect(second.error).toMatchObject({ moneyMoved: 'unknown' })
  })
})

describe('after a lost answer', () => {
  test.each([5038, 5043, 5045, 5046])('%i of a repeat resolves nothing', async (statusCode) => {
    const home = newHome()
    const service = await serviceByHand(({ method, path }, count) => {
      if (method !== 'POST' || path !== '/api/distributor') return undefined
      return count === 1 ? 'reset' : json({ message: 'no', statusCode }, 400)
    })
    await addHandProfile(home, service.url)
    const ended = await paydesk([...create({ profile: 'hand', key: 'k-1' }), '--json'], { home })
    expect(ended.code, ended.stderr).toBe(9)
    expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
  })
})

describe('the network is down after a payout was accepted', () => {
  async function accepted() {
    const home = newHome()
    const service = await serviceByHand()
    await addHandProfile(home, service.url)
    const made = await paydesk([...create({ profile: 'hand', key: 'k-1' }), '--json'], { home })
    await service.stop()
    return { home, id: String(made.json.journalId) }
  }

  test.each(['get', 'wait'])('payout %s ends with 11, and does not deny the payout', async (verb) => {
    const { home, id } = await accepted()
    const ended = await paydesk(['payout', verb, id, '-p', 'hand', '--timeout', '1s', '--json'], { home })
    expect(ended.code, ended.stderr).toBe(11)
    expect(ended.error).toMatchObject({ moneyMoved: 'unknown', journalId: id })
  })

  test('payout create --wait ends with 8', async () => {
    const home = newHome()
    const service = await serviceByHand(({ method }) => (method === 'GET' ? 'reset' : undefined))
    await addHandProfile(home, service.url)
    const argv = [...create({ profile: 'hand', key: 'k-1', wait: true, timeout: '1s' }), '--json']
    const ended = await paydesk(argv, { home })
    expect(ended.code, ended.stderr).toBe(8)
    expect(ended.error.moneyMoved).toBe('unknown')
  })
})

describe('two machines, one key, two sums', () => {
  /** A service that has the id from the other machine: whatever comes under it once more is 5017. */
  async function twoMachines(first: Reply) {
    const [one, other] = [newHome(), newHome()]
    const ids = new Set<string>()
    const service = await serviceByHand(({ method, path, body }, count) => {
      if (method !== 'POST' || path !== '/api/distributor') return undefined
      if (count <= (first === 'reset' ? 1 : 2) && ids.size === 0 && body.includes('10.00')) return first
      const { uniqueId } = JSON.parse(body) as { uniqueId: string }
      if (ids.has(uniqueId)) return json({ message: 'exists', statusCode: 5017 }, 400)
      ids.add(uniqueId)
      return undefined
    })
    for (const home of [one, other]) await addHandProfile(home, service.url)
    const pay = (home: string, amount: string) =>
      paydesk([...create({ profile: 'hand', key: 'k-1', amount, timeout: '1500ms' }), '--json'], { home })
    return { one, other, pay }
  }

  test('the one that was only turned away is not told that its sum was paid', async () => {
    const { one, other, pay } = await twoMachines(json({ message: 'Authentication failed' }, 401))
    expect((await pay(one, '10.00')).code).toBe(4)
    expect((await pay(other, '20.00')).code).toBe(0)
    const ended = await pay(one, '10.00')
    expect(ended.code, ended.stdout).toBe(7)
    expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
  })

  test('the one whose answer was lost is told that the id is known, and its sum is not confirmed', async () => {
    const home = newHome()
    const service = await serviceByHand(({ method, path }, count) => {
      if (method !== 'POST' || path !== '/api/distributor') return undefined
      return count === 1 ? 'reset' : json({ message: 'exists', statusCode: 5017 }, 400)
    })
    await addHandProfile(home, service.url)
    const ended = await paydesk([...create({ profile: 'hand', key: 'k-1' }), '--json'], { home })
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json).toMatchObject({ outcome: 'exists', idUnknown: true, sumConfirmed: false })
    expect(ended.json.warnings).toContainEqual(expect.stringContaining('that it executed GEL 12.50 is not confirmed'))
  })
})

describe('a payment that an earlier run of the same key executed', () => {
  test('is not denied where its key file is gone: 4, and unknown', async () => {
    const { home, journalId } = await lostRefund()
    rmSync(join(home, 'own.key'))
    const ended = await paydesk([...refund], { home })
    expect(ended.code, ended.stderr).toBe(4)
    expect(ended.error).toMatchObject({ moneyMoved: 'unknown', journalId })
  })

  test('is not denied by ^C while the command waits for its file', async () => {
    const { home, journalId } = await lostPayout()
    const argv = ['payout', 'create', '-p', 'hand', '--key', 'k-1', '--file', '-', '--yes', '--json']
    const child = spawn(process.execPath, [program, ...argv], {
      env: cleanEnv(home),
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (piece) => {
      stderr += String(piece)
    })
    // More than the pipe holds: what takes all of it is reading, and waits for the rest.
    await new Promise((taken) => child.stdin.write(' '.repeat(1024 * 1024), taken))
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect(code, stderr).toBe(130)
    expect((JSON.parse(stderr) as { error: object }).error).toMatchObject({ moneyMoved: 'unknown', journalId })
  })
})

describe('a payout whose details show another sum', () => {
  const shown = { amount: 99, currency: 'GEL', toIban: 'GE29NB0000000101904917', status: 'SUCCESS' }

  /** Accepts every create as transaction 4711, and shows it with another sum. */
  async function another() {
    const home = newHome()
    let uniqueId = ''
    const service = await serviceByHand(({ method, path, body }) => {
      if (method === 'POST' && path === '/api/distributor') uniqueId = JSON.parse(body).uniqueId as string
      if (method !== 'GET') return undefined
      return json({ value: { ...shown, transactionId: 4711, uniqueId, paymentDescription: 'Salary, November' } })
    })
    await addHandProfile(home, service.url)
    return { home, create: (...more: string[]) => [...create({ profile: 'hand', key: 'k-1' }), '--json', ...more] }
  }

  test('is never told as paid with ours: create --wait, wait, get and the key again end with 7 and both sums', async () => {
    const { home, create } = await another()
    for (const argv of [
      create('--wait'),
      ['payout', 'wait', 'k-1', '-p', 'hand', '--json'],
      ['payout', 'get', '4711', '-p', 'hand', '--json'],
      create(),
      ['resume', 'k-1', '-p', 'hand', '--json'],
    ]) {
      const ended = await paydesk(argv, { home })
      expect(ended.code, `${argv.join(' ')} ${ended.stdout}`).toBe(7)
      expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
      expect(ended.error.message).toContain('amount is 99.00, not 12.50')
    }
  })

  test('is told by reconcile with both sums, and found by its number', async () => {
    const home = newHome()
    let uniqueId = ''
    const service = await serviceByHand(({ method, path, body }, count) => {
      if (method === 'POST' && path === '/api/distributor') {
        uniqueId = JSON.parse(body).uniqueId as string
        return count === 1 ? 'reset' : json({ message: 'exists', statusCode: 5017 }, 400)
      }
      if (method !== 'GET') return undefined
      return json({ value: { ...shown, transactionId: 4711, uniqueId, paymentDescription: 'Salary, November' } })
    })
    await addHandProfile(home, service.url)
    const made = await paydesk([...create({ profile: 'hand', key: 'k-1' }), '--json'], { home })
    expect(made.json).toMatchObject({ outcome: 'exists', sumConfirmed: false })
    for (const argv of [
      ['payout', 'reconcile', 'k-1', '--transaction-id', '4711', '-p', 'hand', '--json'],
      ['payout', 'get', '4711', '-p', 'hand', '--json'],
    ]) {
      const ended = await paydesk(argv, { home })
      expect(ended.code, `${argv.join(' ')} ${ended.stdout}`).toBe(7)
      expect(ended.error).toMatchObject({ moneyMoved: 'unknown', journalId: made.json.journalId })
      expect(ended.error.message).toContain('amount is 99.00, not 12.50')
    }
  })
})

test.each([
  ['a flag that there is not', ['--bogus'], 2],
  ['a wrong time', ['--timeout', 'soon'], 2],
  ['--settle without an id', ['--settle', 'executed', '--because', 'x'], 2],
  ['a mistyped profile', ['-p', 'hnad'], 4],
] as const)('resume that ends early for %s denies nothing that is unknown', async (_, more, code) => {
  const { home, service } = await lostPayout()
  const { length } = service.seen
  for (const all of [[], ['--all']]) {
    const ended = await paydesk(['resume', ...all, ...more, '--json'], { home })
    expect(ended, ended.stderr).toMatchObject({ code, error: { moneyMoved: 'unknown' } })
  }
  expect(service.seen).toHaveLength(length)
})
