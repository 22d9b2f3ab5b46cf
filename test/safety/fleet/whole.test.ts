/** Workers and the whole of a plan: approvals and limits hold all of its rows, not those of one chunk. */
import { expect, test, vi } from 'vitest'
import { create } from '../../kit/payment.ts'
import { postgresServer } from '../../kit/postgres.ts'
import { paydesk, succeeds } from '../../kit/program.ts'
import { serviceByHand } from '../../kit/service.ts'
import { approved, as, asked, did, machine, people, teamDesk } from '../../kit/team.ts'
import { until } from '../../kit/tools.ts'

// Each hands more than a hundred rows over and waits for a worker that polls a real database.
vi.setConfig({ testTimeout: 60_000 })

const server = postgresServer()

interface Handed {
  readonly stopped: string | null
  readonly stopped_kind: string | null
  readonly ended_at: string | null
}

async function handed(address: string): Promise<Handed | undefined> {
  const rows = await server.run(address, 'select * from handed')
  return rows[0] as Handed | undefined
}

test('batch run --workers: an approval that is revoked before the first row holds the whole plan, nothing is sent (13)', async () => {
  const address = await server.newAddress()
  const service = await serviceByHand()
  const office = machine(address, 0)
  const { anna, nino } = await people(office, { from: '100' })
  const desk = await teamDesk(address, service.url, 120)
  const planId = await desk.plan()
  await approved(await asked(planId, anna, office), nino, office, 'GEL 150')
  const handing = desk.handOver(planId)
  await until('it is handed over', async () => (await handed(address)) !== undefined)
  await did(['team', 'key', 'revoke', 'Nino', ...as(anna)], office)
  const worker = desk.workHere()
  const ended = await handing.end
  expect(ended.code, ended.stderr).toBe(13)
  expect(await handed(address)).toMatchObject({ stopped_kind: 'held', stopped: expect.stringContaining('GEL 150.00') })
  expect(service.creates).toHaveLength(0)
  worker.stop()
  await worker.end
})

test('batch run --workers: a plan above the limit of a day is held whole though each chunk would fit, nothing is sent (13)', async () => {
  const address = await server.newAddress()
  const service = await serviceByHand()
  const desk = await teamDesk(address, service.url, 120)
  await succeeds(paydesk(['profile', 'add', 'hand', '--limit', 'GEL 160/day'], { home: desk.home }))
  const planId = await desk.plan()
  const handing = desk.handOver(planId)
  await until('it is handed over', async () => (await handed(address)) !== undefined)
  expect((await desk.run(...create({ profile: 'hand', key: 'other', amount: '50' }))).code).toBe(0)
  const worker = desk.workHere()
  const ended = await handing.end
  expect(ended.code, ended.stderr).toBe(13)
  expect(service.creates).toHaveLength(1)
  worker.stop()
  await worker.end
})

test('batch run --workers: a plan that needs an approval is not handed over, though a row of it is unknown', async () => {
  const address = await server.newAddress()
  const service = await serviceByHand(({ path }) => (path === '/api/distributor' ? 'reset' : undefined))
  const desk = await teamDesk(address, service.url, 100)
  const planId = await desk.plan()
  const words = ['--confirm', 'GEL 125', '--concurrency', '1', '--max-failures', '1']
  expect((await desk.run('batch', 'run', planId, ...words)).code).toBe(9)
  await people(machine(address, 0), { from: '100' })
  const ended = await desk.handOver(planId).end
  expect(JSON.parse(ended.stdout === '' ? ended.stderr : ended.stdout).stopped, ended.stderr).toContain(
    'is held: none of its new rows',
  )
  expect(await handed(address)).toBeUndefined()
})

test('worker start: a worker that is older than the store ends (2) and stops no plan; a newer one pays it', async () => {
  const address = await server.newAddress()
  const migrated = (by: number) => server.run(address, `update paydesk_store set schema = schema + ${by}`)
  let isNewer = false
  const service = await serviceByHand(async ({ path }) => {
    if (path !== '/api/distributor' || isNewer) return undefined
    isNewer = true
    await migrated(1)
    return undefined
  })
  const desk = await teamDesk(address, service.url, 120)
  const planId = await desk.plan()
  const older = desk.work()
  const handing = desk.handOver(planId)
  const { code, stderr } = await older.end
  expect(code, stderr).toBe(2)
  expect(await handed(address)).toMatchObject({ stopped: null, ended_at: null })
  await migrated(-1)
  await server.run(address, 'update handed set swept_at = null')
  const newer = desk.workHere()
  const ended = await succeeds(handing.end)
  expect(ended.json).toMatchObject({ accepted: 120 })
  newer.stop()
  await newer.end
})
