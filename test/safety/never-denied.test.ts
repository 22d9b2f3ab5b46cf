/** "No money moved" is never said of a payment that may have been executed: not on a signal, not by a clock that was set, not behind 503, not while the network is down. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create as createArgv, journalOf } from '../kit/payment.ts'
import { cleanEnv, program, start } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'
import {
  addHandProfile,
  broken,
  handDesk,
  handOrder,
  handPayout,
  json,
  type Reply,
  type Said,
  serviceByHand,
} from '../kit/service.ts'
import { until } from '../kit/tools.ts'
import { sealedWrites } from '../kit/verdict.ts'

const day = 86_400_000
const refund = sealedWrites['order refund'].argv()
const unknown = { code: 9, error: { moneyMoved: 'unknown' } }

/** A refund whose answer was lost; the test says what its order reads from then on. */
async function lostRefund() {
  let status: Said = { value: { integratorOrderId: handOrder, status: 'SUCCESS' } }
  let reads = 0
  const desk = await handDesk(({ name }) => {
    if (name !== 'order.status') return { plain: 'reset' }
    reads += 1
    return status
  })
  const ended = await desk.run(...refund)
  expect(ended, ended.stderr).toMatchObject(unknown)
  const says = (said: Said) => {
    status = said
  }
  return { ...desk, says, reads: () => reads, journalId: String(ended.error.journalId) }
}

/** A payout whose answers were lost; every later question hangs. */
async function lostPayout() {
  let isLost = false
  let asked = 0
  const desk = await handPayout(({ path }): Reply | undefined => {
    if (path === '/api/auth') return undefined
    asked += 1
    return isLost ? 'hang' : 'reset'
  })
  const ended = await desk.pay({ key: 'k-1', 'unique-id': null })
  expect(ended, ended.stderr).toMatchObject(unknown)
  isLost = true
  return { ...desk, asked: () => asked, journalId: String(ended.error.journalId) }
}

const create = [...createArgv({ profile: null, key: 'k-1' })]

/** A command that is sent a signal once it has asked the service; here, or as a program of its own. */
async function stopped(
  home: string,
  argv: readonly string[],
  asked: () => number,
  signal: 'SIGINT' | 'SIGTERM',
  isProgram: boolean,
) {
  const before = asked()
  const hasAsked = () => asked() > before
  const line = [...argv, '-p', 'hand', '--json']
  if (isProgram) {
    const { child, end } = start(line, home)
    await until('the service was asked', hasAsked)
    child.kill(signal)
    const { code, stderr } = await end
    return { code, error: (JSON.parse(stderr) as { error: Record<string, unknown> }).error }
  }
  let send: (signal: 'SIGINT' | 'SIGTERM') => void = () => undefined
  const signals = (given: typeof send) => {
    send = given
  }
  const ended = paydesk(line, { home, clock: hurriedClock(), random: impatient, signals })
  await until('the service was asked', hasAsked)
  send(signal)
  return await ended
}

const ofRefund = (id: string): Readonly<Record<string, readonly string[]>> => ({
  resume: ['resume', id],
  'order refund with its key': refund,
})
const ofPayout = (id: string): Readonly<Record<string, readonly string[]>> => ({
  resume: ['resume', id],
  'payout reconcile': ['payout', 'reconcile', id, '--transaction-id', '4711'],
  'payout create with its key': create,
})

/** A program of its own has to load first, and the machine may be busy. */
const patience = { timeout: 30_000 }

/** As a program of its own one command for each signal. */
test.each([
  ['resume', 'SIGINT', 130, true],
  ['resume', 'SIGTERM', 143, false],
  ['order refund with its key', 'SIGINT', 130, false],
  ['order refund with its key', 'SIGTERM', 143, true],
] as const)(
  '%s: %s while the service is asked about a lost refund ends with %d, and unknown (as a program: %s)',
  patience,
  async (command, signal, exit, isProgram) => {
    const { home, says, reads, journalId } = await lostRefund()
    says({ plain: 'hang' })
    const { code, error } = await stopped(home, ofRefund(journalId)[command] ?? [], reads, signal, isProgram)
    expect(code).toBe(exit)
    expect(error).toMatchObject({ moneyMoved: 'unknown', journalId, retry: 'same-id' })
    expect(String(error.message)).not.toContain('before anything was sent')
    expect(error.hints).toEqual([expect.stringContaining(`paydesk resume ${journalId}`)])
  },
)

test.each(
  ['resume', 'payout reconcile', 'payout create with its key'].flatMap((command) => [
    [command, 'SIGINT', 130] as const,
    [command, 'SIGTERM', 143] as const,
  ]),
)('%s: %s while the service is asked about a lost payout ends with %d, and unknown', async (command, signal, exit) => {
  const { home, asked, journalId } = await lostPayout()
  const { code, error } = await stopped(home, ofPayout(journalId)[command] ?? [], asked, signal, false)
  expect(code).toBe(exit)
  expect(error).toMatchObject({ moneyMoved: 'unknown', journalId })
  expect(String(error.message)).not.toContain('before anything was sent')
})

test(
  'payout create --file -: SIGINT while it waits for its file ends with 130, and an earlier run of its key stays unknown',
  patience,
  async () => {
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
    await new Promise((written) => child.stdin.write(' '.repeat(1024 * 1024), written))
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect(code, stderr).toBe(130)
    expect((JSON.parse(stderr) as { error: object }).error).toMatchObject({ moneyMoved: 'unknown', journalId })
  },
)

test('resume: a clock that was set a day ahead does not make a lost refund "not executed" (9)', async () => {
  const desk = await lostRefund()
  desk.set(day)
  expect(await desk.run('resume', desk.journalId)).toMatchObject(unknown)
})

test(
  'resume: a clock that was set a day ahead does not free a refund that another process has in flight (12)',
  patience,
  async () => {
    const desk = await handDesk(({ name }) => (name === 'order.status' ? broken : { plain: 'hang' }))
    const { child, end } = start([...refund, '-p', 'hand', '--json'], desk.home)
    await until('the refund is in flight', () => desk.count('order.refund') > 0)
    const [open] = await journalOf({ home: desk.home })
    desk.set(day)
    const ended = await desk.run('resume', open?.journalId ?? '')
    expect(ended, ended.stderr).toMatchObject({ code: 12, error: { moneyMoved: 'unknown' } })
    child.kill('SIGKILL')
    await end
  },
)

test.each(['get', 'wait'])('payout %s: network down, an accepted payout ends with 11, and unknown', async (verb) => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const around = { home, clock: hurriedClock(), random: impatient }
  const made = await paydesk([...createArgv({ profile: 'hand', key: 'k-1' }), '--json'], around)
  const journalId = String(made.json.journalId)
  await service.stop()
  const ended = await paydesk(['payout', verb, journalId, '-p', 'hand', '--timeout', '1s', '--json'], around)
  expect(ended, ended.stderr).toMatchObject({ code: 11, error: { moneyMoved: 'unknown', journalId } })
})

test('order refund: a lost refund whose key file is gone ends with 4, and unknown', async () => {
  const { home, run, journalId } = await lostRefund()
  rmSync(join(home, 'own.key'))
  const ended = await run(...refund)
  expect(ended, ended.stderr).toMatchObject({ code: 4, error: { moneyMoved: 'unknown', journalId } })
})

const shown = { amount: 99, currency: 'GEL', toIban: 'GE29NB0000000101904917', status: 'SUCCESS' }
const details = { ...shown, transactionId: 4711, uniqueId: handOrder, paymentDescription: 'Salary, November' }

test('payout create --wait, wait, get, resume and create again: details with another sum are a conflict (7) with both sums', async () => {
  const desk = await handPayout(({ method }) => (method === 'GET' ? json({ value: details }) : undefined))
  for (const ended of [
    await desk.pay({ wait: true }),
    await desk.run('payout', 'wait', handOrder),
    await desk.run('payout', 'get', '4711'),
    await desk.pay(),
    await desk.run('resume', handOrder),
  ]) {
    expect(ended, ended.stdout).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
    expect(ended.error.message).toContain('amount is 99.00, not 12.50')
  }
})

test('resume: a usage error never says that a lost payout did not move', async () => {
  const { home, asked } = await lostPayout()
  const before = asked()
  for (const [more, code] of [
    [['--bogus'], 2],
    [['--timeout', 'soon'], 2],
    [['--settle', 'executed', '--because', 'x'], 2],
    [['-p', 'hnad'], 4],
  ] as const) {
    for (const all of [[], ['--all']]) {
      const ended = await paydesk(['resume', ...all, ...more, '--json'], { home })
      expect(ended, ended.stderr).toMatchObject({ code, error: { moneyMoved: 'unknown' } })
    }
  }
  expect(asked()).toBe(before)
})
