/** What a worker leaves behind when it is killed, or loses its store or its way to the service: other workers pay those rows, each once. */

import { expect, test, vi } from 'vitest'
import { cutWay, endLeases, holdElsewhere, postgresServer } from '../../kit/postgres.ts'
import { succeeds } from '../../kit/program.ts'
import { ledgerService, serviceByHand } from '../../kit/service.ts'
import { teamDesk } from '../../kit/team.ts'
import { until } from '../../kit/tools.ts'

// Each test starts a worker or two, which are processes.
vi.setConfig({ testTimeout: 60_000 })

const server = postgresServer()

const sweep = (address: string) => server.run(address, 'update handed set swept_at = null')

async function one(address: string, query: string): Promise<Readonly<Record<string, unknown>>> {
  const [row] = await server.run(address, query)
  return row ?? {}
}

const count = async (address: string, which: string) =>
  Number((await one(address, `select count(*)::int as rows from intents where ${which}`)).rows)

test('worker start: rows of a worker that was killed elsewhere stay leased, do not stop the plan, and are paid when their leases end', async () => {
  const address = await server.newAddress()
  let hangs = true
  const paid = new Set<string>()
  const service = await serviceByHand(async ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    if (hangs) return 'hang'
    paid.add((JSON.parse(body) as { readonly uniqueId: string }).uniqueId)
    return undefined
  })
  const desk = await teamDesk(address, service.url, 40)
  const planId = await desk.plan()
  const killed = desk.work(['--concurrency', '12'])
  const handing = desk.handOver(planId)
  await until('many rows are at the service', () => service.creates.length >= 12)
  await killed.kill()
  expect(await holdElsewhere(server, address)).toBeGreaterThanOrEqual(12)
  await server.run(address, 'delete from workers')
  hangs = false
  const other = desk.workHere()
  await sweep(address)
  await until('the rows that nobody has are paid', async () => {
    const accepted = await count(address, "state = 'accepted'")
    return accepted > 0 && accepted + (await count(address, 'holder is not null')) === 40
  })
  await sweep(address)
  await until(
    'the plan is looked through',
    async () => (await one(address, 'select swept_at from handed')).swept_at !== null,
  )
  expect(await one(address, 'select stopped, ended_at from handed')).toEqual({ stopped: null, ended_at: null })
  await endLeases(server, address)
  await sweep(address)
  const ended = await succeeds(handing.end)
  expect(ended.json).toMatchObject({ accepted: 40, unknown: 0, stopped: null })
  expect(paid.size).toBe(40)
  other.stop()
  expect((await other.end).code).toBe(0)
})

test('worker start: rows of a worker that was killed on this machine are taken up at once by an idle one, those on their way too', async () => {
  const address = await server.newAddress()
  let hangs = true
  const paid = new Set<string>()
  const service = await serviceByHand(async ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    if (hangs) return 'hang'
    paid.add((JSON.parse(body) as { readonly uniqueId: string }).uniqueId)
    return undefined
  })
  const desk = await teamDesk(address, service.url, 20)
  const planId = await desk.plan()
  const killed = desk.work(['--concurrency', '4'])
  const handing = desk.handOver(planId)
  await until('rows are at the service', () => service.creates.length >= 4)
  const other = desk.workHere()
  await until('the other worker is ready', () => other.said().includes('"event":"ready"'))
  await killed.kill()
  hangs = false
  const ended = await succeeds(handing.end)
  expect(ended.json).toMatchObject({ accepted: 20, unknown: 0, stopped: null })
  expect(paid.size).toBe(20)
  // Within the minute after which every plan is looked through, by the clock of the database.
  const { soon } = await one(
    address,
    "select clock_timestamp() < handed_at::timestamptz + interval '50 s' as soon from handed",
  )
  expect(soon).toBe(true)
  other.stop()
  expect((await other.end).code).toBe(0)
})

test('worker start: a worker that cannot note its chunk in the store gives it up, and the chunk is paid later', async () => {
  const address = await server.newAddress()
  const { service, executed } = await ledgerService()
  const way = await cutWay(server.port)
  const desk = await teamDesk(address, service.url, 10)
  const far = await teamDesk(address.replace(`:${server.port}/`, `:${way.port}/`), service.url, 1)
  const planId = await desk.plan()
  const worker = far.workHere('--timeout', '2s')
  await until('the worker is ready', () => worker.said().includes('"event":"ready"'))
  way.next(`["${planId}:`, 'held-back')
  const handing = desk.handOver(planId)
  await until('the note is on its way', () => way.cuts() === 1)
  way.close()
  await until('the worker has given up', () => worker.said().includes('"event":"waiting"'))
  await way.open()
  await until('the worker has noted that it has no chunk', async () => {
    await sweep(address)
    return executed.size > 0
  })
  await succeeds(handing.end)
  expect(executed.size).toBe(10)
  worker.stop()
  expect((await worker.end).code).toBe(0)
})

test('worker start: a worker without a way to the service waits, and another one pays the plan', async () => {
  const address = await server.newAddress()
  const { service, executed } = await ledgerService(20)
  const desk = await teamDesk(address, service.url, 120)
  const cutOff = await teamDesk(address, service.url, 1)
  const planId = await desk.plan()
  // It has signed in before.
  expect((await cutOff.run('payout', 'balance', '-p', 'hand')).code).toBe(0)
  const proxy = 'http://127.0.0.1:9'
  const broken = cutOff.work(['--timeout', '3s'], { http_proxy: proxy, HTTP_PROXY: proxy })
  const handing = desk.handOver(planId)
  await until('rows did not leave', async () => (await count(address, "state = 'unsent'")) >= 10)
  const worker = desk.workHere()
  const ended = await succeeds(handing.end)
  expect(ended.json).toMatchObject({ accepted: 120, stopped: null })
  expect(executed.size).toBe(120)
  broken.stop()
  worker.stop()
  const { code, stderr } = await broken.end
  expect(code, stderr).toBe(0)
  expect(stderr).toContain('"event":"waiting","why":"10 rows in a row could not be sent')
  expect((await worker.end).code).toBe(0)
})
