/** Two persons on two machines with one journal, an hour and midnight between their clocks: what either has sent binds both. */

import { expect, test, vi } from 'vitest'
import type { Clock } from '../../src/lib/edge.ts'
import { steppingClock } from '../kit/clock.ts'
import { create } from '../kit/payment.ts'
import { postgresServer } from '../kit/postgres.ts'
import { newHome, paydesk, type Surroundings, succeeds } from '../kit/program.ts'
import { addHandProfile, type Reply, serviceByHand } from '../kit/service.ts'
import { atOnce, machine, nappingClock, wrongClocks } from '../kit/team.ts'
import { signalLine } from '../kit/tools.ts'

// Each runs a dozen commands or more over a real database.
vi.setConfig({ testTimeout: 30_000 })

const server = postgresServer()

/** Commands at once, in this process; team-processes.test.ts has processes. */
const tries = 10

async function team(answer?: Parameters<typeof serviceByHand>[0], more = {}) {
  const address = await server.newAddress()
  const service = await serviceByHand(answer)
  const [till, office] = wrongClocks().map((wrongBy) => machine(address, wrongBy)) as [Surroundings, Surroundings]
  for (const { home } of [till, office]) await addHandProfile(home, service.url, more)
  return { address, service, till, office }
}

const noStore = { PAYDESK_STORE: 'postgres://paydesk@127.0.0.1:1/paydesk' }

const pay = (more = {}) => [...create({ profile: 'hand', key: 'salary-11', ...more }), '--json']

test('payout create: a key that one machine has paid is replayed on the other (0), and refused with another sum (7)', async () => {
  const { service, till, office } = await team()
  const first = await succeeds(paydesk(pay(), till))
  const again = await succeeds(paydesk(pay(), office))
  expect(again.json).toMatchObject({ replayed: true, transactionId: first.json.transactionId })
  expect(service.creates).toHaveLength(1)
  expect((await paydesk(pay({ amount: '99' }), office)).code).toBe(7)
  const verified = await paydesk(['journal', 'verify', '--head', String(first.json.journalHead), '--json'], office)
  expect(verified.json, verified.stderr).toMatchObject({ intact: true })
})

test('payout create: ten tries at once with one key on two machines pay once', async () => {
  const { service, till, office } = await team()
  const ended = await atOnce(tries, (at) => paydesk(pay({ timeout: '60s' }), at % 2 ? till : office))
  for (const { code, stderr } of ended) expect([0, 12], stderr).toContain(code)
  expect(ended.filter(({ code, stdout }) => code === 0 && stdout.includes('"replayed":false'))).toHaveLength(1)
  expect(service.creates).toHaveLength(1)
})

test('payout create: ten tries at once on two machines do not exceed the limit of a day together (13)', async () => {
  const most = 3
  const { service, till, office } = await team(undefined, { limit: `GEL ${most}/day` })
  const ended = await atOnce(tries, (at) =>
    paydesk(pay({ key: `k-${at}`, amount: '1.00', timeout: '60s' }), at % 2 ? till : office),
  )
  const codes = ended.map(({ code }) => code)
  expect(codes.filter((code) => code === 0)).toHaveLength(most)
  expect(codes.filter((code) => code === 13)).toHaveLength(tries - most)
  expect(service.creates).toHaveLength(most)
})

test('resume: a payout that is unknown on one machine is resolved on the other, under its id (0)', async () => {
  let isLost = true
  const { service, till, office } = await team(({ path }): Reply | undefined =>
    path === '/api/distributor' && isLost ? 'reset' : undefined,
  )
  const lost = await paydesk(pay(), { ...till, clock: nappingClock })
  expect(lost.code, lost.stderr).toBe(9)
  isLost = false
  await succeeds(paydesk(['resume', 'salary-11', '-p', 'hand', '--json'], office))
  const ids = service.creates.map(({ body }) => (JSON.parse(body) as { uniqueId: string }).uniqueId)
  expect(new Set(ids).size).toBe(1)
})

test('payout create: while the store cannot be reached nothing is sent (11), and a key may have been paid before', async () => {
  const { service, till } = await team()
  const away = { ...till, env: noStore, clock: nappingClock }
  const ended = await paydesk(pay({ timeout: '2s' }), away)
  expect(ended.code, ended.stderr).toBe(11)
  // Nobody can say whether the key was sent before.
  expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
  const anew = await paydesk(pay({ key: null, timeout: '2s' }), away)
  expect(anew.code, anew.stderr).toBe(11)
  expect(anew.error).toMatchObject({ moneyMoved: 'no' })
  expect(service.creates).toHaveLength(0)
})

test('payout create --key: ^C while the store cannot be reached: the key may have been paid by another machine (130)', async () => {
  const { service, till } = await team()
  const { send, signals } = signalLine()
  let tries = 0
  const clock: Clock = {
    ...nappingClock,
    sleep: (milliseconds, signal) => {
      tries += 1
      if (tries === 3) send('SIGINT')
      return nappingClock.sleep(milliseconds, signal)
    },
  }
  const ended = await paydesk(pay({ timeout: '60s' }), { ...till, env: noStore, clock, signals })
  expect(ended.code, ended.stderr).toBe(130)
  expect(ended.error).toMatchObject({ moneyMoved: 'unknown', retry: 'after-fix' })
  expect(ended.error.message).toContain('nothing more was sent')
  expect(service.creates).toHaveLength(0)
})

test('journal list: while the database is away it says so after 3 s and every 5 s, inside --timeout (11); nothing with --json', async () => {
  const listed = (...more: readonly string[]) => {
    const clock = steppingClock()
    const every: Surroundings['every'] = (milliseconds, work) => {
      const over = new AbortController()
      const ticking = async () => {
        while (!over.signal.aborted) {
          await clock.sleep(milliseconds)
          if (!over.signal.aborted) work()
        }
      }
      void ticking()
      return () => over.abort()
    }
    return paydesk(['journal', 'list', '--timeout', '15s', ...more], { home: newHome(), env: noStore, clock, every })
  }
  const { code, stderr } = await listed()
  const waits = stderr.split('\n').filter((line) => line.includes('does not answer'))
  expect([code, waits]).toEqual([
    11,
    [3, 8, 13].map((s) => `The database of the team does not answer; it is waited for (${s} s so far).`),
  ])
  const told = await listed('--json')
  expect(told.code).toBe(11)
  expect(told.error).toMatchObject({ name: 'unsent' })
})
