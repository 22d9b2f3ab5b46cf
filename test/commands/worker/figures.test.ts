/** `worker start --port`: health, readiness and metrics of a worker process. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readFigures } from '../../kit/figures.ts'
import { postgresServer } from '../../kit/postgres.ts'
import type { Running } from '../../kit/process.ts'
import { json, requestLines, sendRaw, serviceByHand } from '../../kit/service.ts'
import { teamMachine } from '../../kit/team.ts'
import { gate, until } from '../../kit/tools.ts'

// Workers are processes of their own over a real Postgres.
vi.setConfig({ testTimeout: 60_000 })

const server = postgresServer()

/** The lines that a worker has written so far. */
function linesOf({ child, end }: Running) {
  let heard = ''
  child.stderr?.on('data', (piece) => {
    heard += String(piece)
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await end
  })
  return () => heard.split('\n').flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []))
}

async function readyAt(lines: () => readonly { event: string; url?: string }[]): Promise<string> {
  const ready = () => lines().find(({ event }) => event === 'ready')
  await until('it is ready', () => ready() !== undefined)
  return String(ready()?.url)
}

const figuresAt = async (url: string) => readFigures(await (await fetch(`${url}/metrics`)).text())

test('worker start --port: /metrics counts rows by outcome, latency, amounts in flight, and unknown rows with their age', async () => {
  const { opened: held, open: letGo } = gate()
  const lost = new Set<string>()
  const service = await serviceByHand(async ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const { uniqueId } = JSON.parse(body) as { readonly uniqueId: string }
    const at = [...lost.add(uniqueId)].indexOf(uniqueId)
    // The first waits, the second is refused, and the third is never answered.
    if (at === 0) await held
    if (at === 1) return json({ statusCode: 5042, message: 'no' }, 400)
    return at === 2 ? 'reset' : undefined
  })
  const machine = await teamMachine(await server.newAddress(), service.url, 5)
  const planId = await machine.plan()
  const worker = machine.work('--port', '0', '--timeout', '6s')
  const url = await readyAt(linesOf(worker))
  expect(await (await fetch(`${url}/healthz`)).text()).toBe('alive\n')
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const before = await figuresAt(url)
  expect(before.get('paydesk_rows_total{outcome="accepted"}')).toBe(0)
  expect(before.get('paydesk_rows_total{outcome="unknown"}')).toBe(0)
  expect(before.get('paydesk_store_up')).toBe(1)
  expect(before.get('paydesk_unknown')).toBe(0)
  expect(before.get('paydesk_oldest_unknown_seconds')).toBe(0)
  const handing = machine.handOverHere(planId)
  await until('two are on their way: one that waits, and one that is asked for again', async () => {
    const now = await figuresAt(url)
    return now.get('paydesk_in_flight_amount{currency="GEL"}') === 2.5 && lost.size === 5
  })
  letGo()
  await until('all are through', async () => {
    const now = await figuresAt(url)
    return now.get('paydesk_rows_total{outcome="accepted"}') === 3 && now.get('paydesk_unknown') === 1
  })
  const after = await figuresAt(url)
  expect(after.get('paydesk_rows_total{outcome="refused"}')).toBe(1)
  expect(after.get('paydesk_request_seconds_count{answer="400"}')).toBe(1)
  expect(after.get('paydesk_request_seconds_count{answer="200"}')).toBeGreaterThanOrEqual(3)
  expect(after.get('paydesk_request_seconds_count{answer="unanswered"}')).toBeGreaterThanOrEqual(1)
  expect(after.get('paydesk_rows_total{outcome="unknown"}')).toBe(1)
  expect(after.get('paydesk_unknown_amount{currency="GEL"}')).toBe(1.25)
  expect(after.get('paydesk_oldest_unknown_seconds')).toBeGreaterThan(0)
  expect(after.get('paydesk_in_flight_amount{currency="GEL"}')).toBeUndefined()
  handing.stop('SIGINT')
  await handing.end
  worker.child.kill('SIGTERM')
  expect((await worker.end).code).toBe(0)
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
})

test('worker start --port: a foreign host is refused (421), a method but reading is 405, an unknown path is 404', async () => {
  const service = await serviceByHand()
  const machine = await teamMachine(await server.newAddress(), service.url, 1)
  const worker = machine.work('--port', '0', '--allow-host', 'metrics.example')
  const lines = linesOf(worker)
  const url = await readyAt(lines)
  const port = Number(new URL(url).port)
  const status = async (Host: string, start = 'GET /metrics HTTP/1.1') =>
    (await sendRaw({ port }, requestLines(start, { Host }))).status
  expect(await status(`127.0.0.1:${port}`)).toBe(200)
  expect(await status('metrics.example')).toBe(200)
  expect(await status(`localhost:${port}`, 'HEAD /metrics HTTP/1.1')).toBe(200)
  for (const foreign of [`evil.example:${port}`, '127.0.0.1:1', `192.0.2.7:${port}`])
    expect(await status(foreign), foreign).toBe(421)
  expect(await status(`127.0.0.1:${port}`, 'POST /metrics HTTP/1.1')).toBe(405)
  expect(await status(`127.0.0.1:${port}`, 'GET / HTTP/1.1')).toBe(404)
  await until('it is told', () => lines().some(({ event, status: told }) => event === 'refused' && told === 421))
})

test('worker start: a taken port, and --host without --port, are refused (2) before anything is claimed', async () => {
  const service = await serviceByHand()
  const machine = await teamMachine(await server.newAddress(), service.url, 1)
  const taken = createServer()
  await new Promise<void>((resolve) => {
    taken.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void taken.close())
  const { code, stderr } = await machine.work('--port', String((taken.address() as AddressInfo).port)).end
  expect(code, stderr).toBe(2)
  expect(stderr).toContain('the port is taken')
  expect(await machine.workers()).toEqual([])
  expect((await machine.work('--host', '0.0.0.0').end).code).toBe(2)
})
