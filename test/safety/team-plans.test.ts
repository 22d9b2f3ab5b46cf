/** A plan in a team's store: made on one machine, seen and run from every other one, by one run at a time. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Clock } from '../../src/lib/edge.ts'
import { employees, payroll } from '../kit/batch.ts'
import { hurriedClock } from '../kit/clock.ts'
import { endLeases, leaseElsewhere, postgresServer } from '../kit/postgres.ts'
import { builtPaydesk } from '../kit/process.ts'
import { newHome, paydesk, type Surroundings, succeeds } from '../kit/program.ts'
import { addHandProfile, serviceByHand } from '../kit/service.ts'
import { machine } from '../kit/team.ts'
import { gate } from '../kit/tools.ts'

// Each runs a dozen commands or more over a real database.
vi.setConfig({ testTimeout: 30_000 })

const server = postgresServer()
const words = 'GEL 25.00'

/** A home with the profile and the file; the sums of its rows are all alike. */
async function person(address: string, url: string, rows = 20) {
  const around: Surroundings = { home: newHome(), env: { PAYDESK_STORE: address }, clock: hurriedClock() }
  await addHandProfile(around.home, url)
  const file = join(around.home, 'payroll.csv')
  writeFileSync(file, payroll(employees(rows, { amount: '1.25' })))
  const run = (...argv: readonly string[]) => paydesk([...argv, '--json'], around)
  return { ...around, run, plan: () => run('batch', 'plan', file, '--key-column', 'key', '-p', 'hand') }
}

test('batch plan, list, status, report: a plan of one machine is the plan of another one, which runs it once', async () => {
  const address = await server.newAddress()
  const service = await serviceByHand()
  const [nino, davit] = [await person(address, service.url), await person(address, service.url)]
  const planned = await succeeds(nino.plan())
  const planId = String(planned.json.planId)
  const again = await davit.plan()
  expect(again.code).toBe(7)
  expect(again.stderr).toContain(planId)
  expect((await davit.run('batch', 'list')).json).toMatchObject([{ planId, rows: 20, isStale: false }])
  const none = await davit.run('batch', 'status', 'b-000000000000')
  expect(none).toMatchObject({ code: 6, stderr: expect.stringContaining('in the team’s store') })
  const line = ['batch', 'run', planId, '--confirm', words] as const
  expect((await davit.run(...line)).code).toBe(0)
  for (const each of [nino, davit]) {
    expect((await each.run('batch', 'status', planId)).json).toMatchObject({ accepted: 20 })
    expect((await each.run(...line)).code).toBe(0)
  }
  expect(service.creates).toHaveLength(20)
  expect((await davit.run('batch', 'report', planId)).json).toMatchObject({ planId, rows: 20 })
})

// Two processes of the built program, one of which waits for its answers.
test('batch run: while one process runs a plan of the team, another one is locked (12), and each row is paid once', {
  timeout: 60_000,
}, async () => {
  const address = await server.newAddress()
  const { opened: isOpen, open } = gate()
  const service = await serviceByHand(async ({ path }) => {
    if (path === '/api/distributor') await isOpen
    return undefined
  })
  const [nino, davit] = [await person(address, service.url), await person(address, service.url)]
  const planId = String((await nino.plan()).json.planId)
  const env = { PAYDESK_STORE: address, PGPASSWORD: process.env.PGPASSWORD ?? '' }
  const argv = ['batch', 'run', planId, '--confirm', words, '--concurrency', '2', '--json']
  const ends = [nino, davit].map(({ home }) => builtPaydesk(argv, home, env))
  const first = await Promise.race(ends)
  expect(first.code, first.stderr).toBe(12)
  open()
  expect((await Promise.all(ends)).map(({ code }) => code).toSorted()).toEqual([0, 12])
  expect(service.creates).toHaveLength(20)
})

test("batch wait: the lease of another machine's run is counted by the clock of the store, though this machine is an hour ahead (8, then 10)", async () => {
  const address = await server.newAddress()
  const service = await serviceByHand()
  const nino = await person(address, service.url)
  const { planId } = (await nino.plan()).json
  const until = new Date(Date.now() + 120_000).toISOString()
  await server.run(address, `update plans set holder = 'other/1/1/1/another-start', held_until = '${until}'`)
  const office = machine(address, 3_600_000)
  await addHandProfile(office.home, service.url)
  const waiting = ['batch', 'wait', String(planId), '-p', 'hand', '--timeout', '1s', '--json']
  const waited = await paydesk(waiting, office)
  expect(waited, waited.stderr).toMatchObject({ code: 8, error: { moneyMoved: 'unknown' } })
  await server.run(address, 'update plans set holder = null, held_until = null')
  const over = await paydesk(waiting, office)
  expect(over, over.stderr).toMatchObject({ code: 10, error: { moneyMoved: 'no' } })
})

test('batch wait: a row that another machine has on its way is waited for (8), and is unknown when its lease ends meanwhile (9)', async () => {
  const address = await server.newAddress()
  const service = await serviceByHand(({ path }) => (path === '/api/distributor' ? 'reset' : undefined))
  const nino = await person(address, service.url, 1)
  const planId = String((await nino.plan()).json.planId)
  const ran = await nino.run('batch', 'run', planId, '--confirm', 'GEL 1.25')
  expect(ran.code, ran.stderr).toBe(9)
  const clock = hurriedClock()
  const office = machine(address, 0)
  await addHandProfile(office.home, service.url)
  const wait = (given: Clock = clock) =>
    paydesk(['batch', 'wait', planId, '-p', 'hand', '--timeout', '30s', '--json'], { ...office, clock: given })
  expect(await wait()).toMatchObject({ code: 9, json: { sending: 0, unknown: 1 } })
  // Longer than all that is waited for.
  await leaseElsewhere(server, address, 600)
  const waited = await wait()
  expect(waited, waited.stderr).toMatchObject({ code: 8, json: { sending: 1, unknown: 0 } })
  expect(waited.error).toMatchObject({ moneyMoved: 'unknown', retry: 'same-id' })
  expect(String(waited.error.hints)).not.toContain('batch resume')
  expect(String(waited.error.hints)).toContain(`batch wait ${planId}`)
  let naps = 0
  const over = await wait({
    ...clock,
    async sleep(milliseconds, signal) {
      naps += 1
      if (naps === 2) await endLeases(server, address)
      return clock.sleep(milliseconds, signal)
    },
  })
  expect(over, over.stderr).toMatchObject({ code: 9, json: { sending: 0, unknown: 1 } })
  expect(naps).toBeGreaterThanOrEqual(2)
})
