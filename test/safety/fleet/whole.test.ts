/**
 * Workers and the whole of a plan: rules and limits hold all of it, an end of theirs has the exit code of every run, and what a killed
 * or an older worker leaves behind comes back.
 */
import { expect, test, vi } from 'vitest'
import { machine } from '../../kit/approval/machines.ts'
import { approved, as, asked, did, people } from '../../kit/approval/persons.ts'
import { teamMachine } from '../../kit/batch/fleet.ts'
import { create } from '../../kit/payment.ts'
import { paydesk } from '../../kit/program/paydesk.ts'
import { until } from '../../kit/run/until.ts'
import { serviceByHand } from '../../kit/service/service-by-hand.ts'
import { postgresServer } from '../../kit/store/postgres.ts'

vi.setConfig({ testTimeout: 180_000 })

const server = postgresServer()

interface Handed {
  readonly stopped: string | null
  readonly stopped_kind: string | null
  readonly ended_at: string | null
  readonly swept_at: string | null
}

async function handed(address: string): Promise<Handed | undefined> {
  const rows = await server.run(address, 'select * from handed')
  return rows[0] as Handed | undefined
}

test('an approval that is over before the first row holds the whole plan (13), not its last chunks', async () => {
  const address = await server.newAddress()
  const service = await serviceByHand()
  const office = machine(address, 0)
  const { anna, nino } = await people(office, { from: '100' })
  const fleet = await teamMachine(address, service.url, 120)
  const planId = await fleet.plan()
  await approved(await asked(planId, anna, office), nino, office, 'GEL 150')
  const handing = fleet.handOver(planId)
  await until('it is handed over', async () => (await handed(address)) !== undefined)
  await did(['team', 'key', 'revoke', 'Nino', ...as(anna)], office)
  const worker = fleet.work()
  const ended = await handing.end
  expect(ended.code, ended.stderr).toBe(13)
  expect(await handed(address)).toMatchObject({ stopped_kind: 'held', stopped: expect.stringContaining('GEL 150.00') })
  expect(service.creates).toHaveLength(0)
  worker.child.kill('SIGTERM')
  await worker.end
})

test('limits of a worker hold the whole plan (13), though each chunk would fit', async () => {
  const address = await server.newAddress()
  const service = await serviceByHand()
  const fleet = await teamMachine(address, service.url, 120)
  const limited = await paydesk(['profile', 'add', 'hand', '--limit', 'GEL 160/day'], { home: fleet.home })
  expect(limited.code, limited.stderr).toBe(0)
  const planId = await fleet.plan()
  const handing = fleet.handOver(planId)
  await until('it is handed over', async () => (await handed(address)) !== undefined)
  expect((await fleet.run(...create({ profile: 'hand', key: 'other', amount: '50' }))).code).toBe(0)
  const worker = fleet.work()
  const ended = await handing.end
  expect(ended.code, ended.stderr).toBe(13)
  expect(service.creates).toHaveLength(1)
  worker.child.kill('SIGTERM')
  await worker.end
})

test('a row without an answer does not let its plan be handed over unlooked', async () => {
  const address = await server.newAddress()
  const service = await serviceByHand(({ path }) => (path === '/api/distributor' ? 'reset' : undefined))
  const fleet = await teamMachine(address, service.url, 100)
  const planId = await fleet.plan()
  const words = ['--confirm', 'GEL 125', '--concurrency', '1', '--max-failures', '1', '--timeout', '4s']
  expect((await fleet.run('batch', 'run', planId, ...words)).code).toBe(9)
  await people(machine(address, 0), { from: '100' })
  const ended = await fleet.handOver(planId).end
  expect(JSON.parse(ended.stdout === '' ? ended.stderr : ended.stdout).stopped, ended.stderr).toContain('is held whole')
  expect(await handed(address)).toBeUndefined()
})

test('the row of a killed worker keeps its plan open, and comes back when its lease ends', async () => {
  const address = await server.newAddress()
  let lost = false
  const service = await serviceByHand(async ({ path }) => {
    if (path !== '/api/distributor' || lost) return undefined
    lost = true
    await new Promise(() => undefined)
    return undefined
  })
  const [own, first, second] = [
    await teamMachine(address, service.url, 1),
    await teamMachine(address, service.url, 1),
    await teamMachine(address, service.url, 1),
  ]
  const planId = await own.plan()
  const killed = first.work('--timeout', '1s')
  await until('it is there', async () => (await own.workers()).length === 1)
  const handing = own.handOver(planId)
  await until('its row is at the service', () => lost)
  killed.child.kill('SIGKILL')
  await killed.end
  const other = second.work()
  const sweep = () => server.run(address, 'update handed set swept_at = null')
  await sweep()
  await until('it was looked through', async () => (await handed(address))?.swept_at !== null)
  expect(await handed(address)).toMatchObject({ ended_at: null, stopped: null })
  await until('its row is sent once more', async () => {
    await sweep()
    return service.creates.length > 1
  })
  const ended = await handing.end
  expect(ended.code, ended.stderr).toBe(0)
  other.child.kill('SIGTERM')
  expect((await other.end).code).toBe(0)
})

test('an older worker ends by itself (2), and leaves the plan to those that know the store', async () => {
  const address = await server.newAddress()
  const migrated = (by: number) => server.run(address, `update paydesk_store set schema = schema + ${by}`)
  let isNewer = false
  const service = await serviceByHand(async ({ path }) => {
    if (path !== '/api/distributor' || isNewer) return undefined
    isNewer = true
    await migrated(1)
    return undefined
  })
  const fleet = await teamMachine(address, service.url, 120)
  const planId = await fleet.plan()
  const older = fleet.work()
  await until('it is there', async () => (await fleet.workers()).length === 1)
  const handing = fleet.handOver(planId)
  const { code, stderr } = await older.end
  expect(code, stderr).toBe(2)
  expect(await handed(address)).toMatchObject({ stopped: null, ended_at: null })
  await migrated(-1)
  const newer = fleet.work()
  const ended = await handing.end
  expect(ended.code, ended.stderr).toBe(0)
  expect(JSON.parse(ended.stdout)).toMatchObject({ accepted: 120 })
  newer.child.kill('SIGTERM')
  await newer.end
})
