import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { postgresServer } from '../../kit/postgres.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { json, ledgerService, serviceByHand } from '../../kit/service.ts'
import { teamMachine } from '../../kit/team.ts'
import { until } from '../../kit/tools.ts'

// Workers are processes of their own over a real Postgres.
vi.setConfig({ testTimeout: 60_000 })

const server = postgresServer()

test('worker start: two workers pay a plan once, batch run --workers reports its end (0), and SIGTERM ends a worker with 0', async () => {
  const { service, executed } = await ledgerService()
  const machine = await teamMachine(await server.newAddress(), service.url, 60)
  const planId = await machine.plan()
  const workers = [machine.work(), machine.work()]
  await until('both are there', async () => (await machine.workers()).length === 2)
  const handed = await machine.handOverHere(planId).end
  expect(handed, handed.stderr).toMatchObject({ code: 0 })
  expect(JSON.parse(handed.stdout)).toMatchObject({ accepted: 60, planned: 0, stopped: null })
  expect(executed.size).toBe(60)
  await until('all rows are noted', async () => {
    const sums = (await machine.workers()).map(({ accepted }) => accepted)
    return sums.reduce((sum, accepted) => sum + accepted, 0) === 60
  })
  for (const { child } of workers) child.kill('SIGTERM')
  for (const { end } of workers) {
    const { code, stdout, stderr } = await end
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ profile: 'hand', failed: 0 })
    const told = stderr.split('\n').map((line) => (line === '' ? {} : JSON.parse(line)))
    const [ready] = told
    const nothing = { inFlight: 0, pausing: 0 }
    expect(told).toContainEqual(expect.objectContaining({ event: 'ending', why: 'stopped by SIGTERM', ...nothing }))
    expect(ready).toMatchObject({ event: 'ready', profile: 'hand', concurrency: 4 })
  }
  expect(await machine.workers()).toEqual([])
})

test('batch run --workers: without a worker the plan waits, money may move meanwhile, and batch discard takes it back (10)', async () => {
  const { service, executed } = await ledgerService()
  const machine = await teamMachine(await server.newAddress(), service.url, 3)
  const planId = await machine.plan()
  const handing = machine.handOverHere(planId)
  await until('the plan is handed over', async () => {
    const early = await machine.run('batch', 'status', planId, '--bogus')
    return JSON.parse(early.stderr).error.moneyMoved === 'unknown'
  })
  await until('it is taken back', async () => (await machine.run('batch', 'discard', planId)).code === 0)
  const ended = await handing.end
  expect(ended, ended.stderr).toMatchObject({ code: 10 })
  expect(JSON.parse(ended.stdout)).toMatchObject({ planned: 3, stopped: 'it was discarded' })
  const after = await machine.run('batch', 'status', planId, '--bogus')
  expect(JSON.parse(after.stderr)).toMatchObject({ error: { moneyMoved: 'no' } })
  expect(executed.size).toBe(0)
})

test('batch run --workers: ^C ends only the look (130), and a worker that comes later pays the plan', async () => {
  const { service, executed } = await ledgerService()
  const machine = await teamMachine(await server.newAddress(), service.url, 5)
  const planId = await machine.plan()
  const handing = machine.handOverHere(planId)
  await until('the plan is handed over', async () => {
    const early = await machine.run('batch', 'status', planId, '--bogus')
    return JSON.parse(early.stderr).error.moneyMoved === 'unknown'
  })
  handing.stop('SIGINT')
  const { code, stderr } = await handing.end
  expect(code, stderr).toBe(130)
  expect(JSON.parse(stderr).error).toMatchObject({ moneyMoved: 'unknown', message: expect.stringContaining('go on') })
  // A worker that comes later will pay it.
  const later = await machine.run('batch', 'status', planId, '--bogus')
  expect(JSON.parse(later.stderr)).toMatchObject({ error: { moneyMoved: 'unknown' } })
  const worker = machine.workHere()
  await until('all are paid', () => executed.size === 5)
  worker.stop('SIGINT')
  expect((await worker.end).code).toBe(0)
})

test('worker start: on SIGTERM it tells the unknown rows that it sends once more, and resolves them before it ends (0)', async () => {
  const asked = new Map<string, number>()
  const service = await serviceByHand(({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const { uniqueId } = JSON.parse(body)
    asked.set(uniqueId, (asked.get(uniqueId) ?? 0) + 1)
    return asked.get(uniqueId) === 1 ? { status: 503, headers: { 'retry-after': '5' }, body: '' } : undefined
  })
  const address = await server.newAddress()
  const machine = await teamMachine(address, service.url, 4)
  const planId = await machine.plan()
  const worker = machine.work()
  const handing = machine.handOverHere(planId)
  const lost = () => server.run(address, "select 1 from attempts where outcome = 'unknown'")
  await until('all answers are recorded', async () => asked.size === 4 && (await lost()).length === 4)
  worker.child.kill('SIGTERM')
  const { code, stderr } = await worker.end
  expect(code, stderr).toBe(0)
  const told = stderr.split('\n').map((line) => (line === '' ? {} : JSON.parse(line)))
  expect(told).toContainEqual(expect.objectContaining({ event: 'ending', inFlight: 0, pausing: 4 }))
  expect([...asked.values()]).toEqual([2, 2, 2, 2])
  expect((await handing.end).code).toBe(0)
})

test('worker start: a refused token ends the worker (4), and another worker pays the plan', async () => {
  let refuses = true
  const service = await serviceByHand(({ path }) =>
    path === '/api/auth' && refuses ? json({ statusCode: 5021, message: 'no' }, 401) : undefined,
  )
  refuses = false
  const machine = await teamMachine(await server.newAddress(), service.url, 5)
  const planId = await machine.plan()
  rmSync(join(machine.home, 'tokens'), { recursive: true, force: true })
  refuses = true
  const handing = machine.handOverHere(planId)
  const first = await machine.workHere().end
  expect(first.code, first.stderr).toBe(4)
  refuses = false
  const second = machine.workHere()
  const { code, stderr } = await handing.end
  expect(code, stderr).toBe(0)
  second.stop('SIGTERM')
  expect((await second.end).code).toBe(0)
  expect(service.creates).toHaveLength(5)
})

test('worker start: 5038 stops the plan for all workers (10), with the reason', async () => {
  const service = await serviceByHand(({ path }) =>
    path === '/api/distributor' ? json({ statusCode: 5038, message: 'Insufficient balance' }, 400) : undefined,
  )
  const machine = await teamMachine(await server.newAddress(), service.url, 60)
  const planId = await machine.plan()
  const worker = machine.workHere()
  const { code, stdout } = await machine.handOverHere(planId).end
  expect(code).toBe(10)
  expect(JSON.parse(stdout).stopped).toContain('5038')
  await until('the worker has left the plan', async () =>
    (await machine.workers()).every(({ chunks }) => chunks.length === 0),
  )
  const { length } = service.creates
  worker.stop('SIGTERM')
  expect((await worker.end).code).toBe(0)
  expect(service.creates).toHaveLength(length)
  expect(length).toBeLessThanOrEqual(16)
})

test('batch discard: a plan that workers pay is resumed by nobody else (12) and can be taken back in the middle', async () => {
  const { service, executed } = await ledgerService()
  const machine = await teamMachine(await server.newAddress(), service.url, 40)
  const planId = await machine.plan()
  const worker = machine.work()
  const handing = machine.handOverHere(planId, '--rate', '2/s')
  await until('the first are paid', () => executed.size > 1)
  const local = await machine.resume(planId)
  expect(local, local.stderr).toMatchObject({ code: 12 })
  expect(JSON.parse(local.stderr)).toMatchObject({ error: { moneyMoved: 'unknown' } })
  const waited = await machine.run('batch', 'wait', planId, '--timeout', '1s')
  // A row that is on its way in that moment is unknown.
  expect([8, 9], waited.stderr).toContain(waited.code)
  expect(JSON.parse(waited.stderr)).toMatchObject({ error: { moneyMoved: 'unknown' } })
  await until('it is taken back', async () => (await machine.run('batch', 'discard', planId)).code === 0)
  const paid = executed.size
  const { code, stdout, stderr } = await handing.end
  expect(code, stderr).toBe(10)
  const told = JSON.parse(stdout)
  expect(told, stdout).toMatchObject({ accepted: paid, unknown: 0, refused: 0, stopped: 'it was discarded' })
  // A row that was begun in that moment was not sent: it is told as that, or as on its way to it.
  expect(told.planned + told.unsent + told.sending + told.turnedAway, stdout).toBe(40 - paid)
  await until('the worker has left the plan', async () =>
    (await machine.workers()).every(({ chunks }) => chunks.length === 0),
  )
  worker.child.kill('SIGTERM')
  expect((await worker.end).code).toBe(0)
  expect(executed.size).toBe(paid)
  expect(paid).toBeLessThan(40)
})

test('worker start: without a team’s store it is refused (2)', async () => {
  const { code, stderr } = await paydesk(['worker', 'start', '-p', 'sandbox', '--json'], { home: newHome() })
  expect(code).toBe(2)
  expect(stderr).toContain('PAYDESK_STORE')
})
