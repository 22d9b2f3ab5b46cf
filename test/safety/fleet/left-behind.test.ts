/** Things that one worker leaves behind come back: the rows of one that was killed elsewhere, and the chunk of one that lost its store or its line. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { IntentRow } from '../../../src/lib/store/journal/schema.ts'
import { sealed } from '../../../src/lib/store/journal/seal.ts'
import { teamMachine } from '../../kit/batch/fleet.ts'
import { start } from '../../kit/program/built-paydesk.ts'
import { until } from '../../kit/run/until.ts'
import { ledgerService } from '../../kit/service/ledger.ts'
import { serviceByHand } from '../../kit/service/service-by-hand.ts'
import { cutWay } from '../../kit/store/cut.ts'
import { postgresServer } from '../../kit/store/postgres.ts'

vi.setConfig({ testTimeout: 240_000 })

const server = postgresServer()

const sweep = (address: string) => server.run(address, 'update handed set swept_at = null')

async function one(address: string, query: string): Promise<Readonly<Record<string, unknown>>> {
  const [row] = await server.run(address, query)
  return row ?? {}
}

const envOf = (address: string) => ({ PAYDESK_STORE: address, PGPASSWORD: process.env.PGPASSWORD ?? '' })

/** Another machine: nobody here can look its process up. */
async function isOfElsewhere(address: string): Promise<void> {
  for (const row of await server.run(address, 'select * from intents where holder is not null')) {
    const { id, holder, digest } = sealed<IntentRow>({ ...row, holder: 'elsewhere/1/1/1/another' } as IntentRow)
    await server.run(address, `update intents set holder = '${holder}', digest = '${digest}' where id = '${id}'`)
  }
  await server.run(address, 'delete from workers')
}

test('the rows of a worker that was killed on another machine do not stop the plan, and come back', async () => {
  const address = await server.newAddress()
  let hangs = true
  const paid = new Set<string>()
  const service = await serviceByHand(async ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    if (hangs) return 'hang'
    paid.add((JSON.parse(body) as { readonly uniqueId: string }).uniqueId)
    return undefined
  })
  const own = await teamMachine(address, service.url, 40)
  const second = await teamMachine(address, service.url, 1)
  const planId = await own.plan()
  const argv = ['worker', 'start', '-p', 'hand', '--timeout', '1s', '--concurrency', '12']
  const killed = start(argv, own.home, envOf(address))
  await until('it is there', async () => (await own.workers()).length === 1)
  const handing = own.handOver(planId)
  await until('many rows are at the service', () => service.creates.length >= 12)
  killed.child.kill('SIGKILL')
  await killed.end
  await isOfElsewhere(address)
  const leased = 'select count(*)::int as rows from intents where holder is not null'
  expect((await one(address, leased)).rows).toBeGreaterThanOrEqual(12)
  hangs = false
  const other = second.work()
  await sweep(address)
  await until('the rows that nobody has are paid', async () => {
    const { rows } = await one(address, "select count(*)::int as rows from intents where state = 'accepted'")
    const free = await one(address, leased)
    return Number(rows) + Number(free.rows) === 40
  })
  expect(await one(address, 'select stopped, ended_at from handed')).toEqual({ stopped: null, ended_at: null })
  // Their leases end after 36 seconds.
  await until('all rows are paid', async () => {
    await sweep(address)
    await wait(500)
    return paid.size === 40
  })
  const ended = await handing.end
  expect(ended.code, ended.stderr).toBe(0)
  expect(JSON.parse(ended.stdout)).toMatchObject({ accepted: 40, unknown: 0, stopped: null })
  other.child.kill('SIGTERM')
  expect((await other.end).code).toBe(0)
})

test('a worker whose note of its chunk fails has it no more: the chunk comes back', async () => {
  const address = await server.newAddress()
  const { service, executed } = await ledgerService()
  const way = await cutWay(server.port)
  const own = await teamMachine(address, service.url, 10)
  const far = await teamMachine(address.replace(`:${server.port}/`, `:${way.port}/`), service.url, 1)
  const planId = await own.plan()
  const worker = far.work('--timeout', '2s')
  await until('it is there', async () => (await own.workers()).length === 1)
  way.next(`["${planId}:`, 'held-back')
  const handing = own.handOver(planId)
  await until('the note is on its way', () => way.cuts() === 1)
  way.close()
  await wait(4_000)
  await way.open()
  await until('it is there again, and has no chunk', async () => {
    const { chunks } = await one(
      address,
      "select chunks from workers where seen_at::timestamptz > now() - interval '5 seconds'",
    )
    return chunks === '[]'
  })
  await sweep(address)
  const ended = await handing.end
  expect(ended.code, ended.stderr).toBe(0)
  expect(executed.size).toBe(10)
  worker.child.kill('SIGTERM')
  expect((await worker.end).code).toBe(0)
})

test('a worker without a way to the service waits, and the others go on', async () => {
  const address = await server.newAddress()
  const { service, executed } = await ledgerService(20)
  const own = await teamMachine(address, service.url, 120)
  const cutOff = await teamMachine(address, service.url, 1)
  const planId = await own.plan()
  // It has signed in before.
  expect((await cutOff.run('payout', 'balance', '-p', 'hand')).code).toBe(0)
  const proxy = 'http://127.0.0.1:9'
  const env = { ...envOf(address), http_proxy: proxy, HTTP_PROXY: proxy }
  const argv = ['worker', 'start', '-p', 'hand', '--timeout', '3s', '--json']
  const broken = start(argv, cutOff.home, env)
  await until('it is there', async () => (await own.workers()).length === 1)
  const handing = own.handOver(planId)
  await until('rows did not leave', async () => {
    const { rows } = await one(address, "select count(*)::int as rows from intents where state = 'unsent'")
    return Number(rows) >= 10
  })
  const worker = own.work()
  const ended = await handing.end
  expect(ended.code, ended.stderr).toBe(0)
  expect(JSON.parse(ended.stdout)).toMatchObject({ accepted: 120, stopped: null })
  expect(executed.size).toBe(120)
  for (const { child } of [broken, worker]) child.kill('SIGTERM')
  const { code, stderr } = await broken.end
  expect(code, stderr).toBe(0)
  expect(stderr).toContain('"event":"waiting","why":"10 rows in a row could not be sent')
  expect((await worker.end).code).toBe(0)
})
