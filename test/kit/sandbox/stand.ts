import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, expect, onTestFinished } from 'vitest'
import type { Clock, Random } from '../../../src/lib/edge.ts'
import { describeOrder } from '../../../src/lib/sandbox/areas/orders/read.ts'
import { createSandbox, openSandbox, type Sandbox } from '../../../src/lib/sandbox/sandbox.ts'
import { type ServeSettings, serve } from '../../../src/lib/sandbox/server/server.ts'
import type { Triggered } from '../../../src/lib/sandbox/trigger.ts'
import { ordersNamed } from '../../../src/lib/store/sandbox/orders.ts'
import { type SandboxTables, sandboxSchema } from '../../../src/lib/store/sandbox/schema.ts'
import { cachedPairs, withKeyPairs } from '../key-pairs.ts'
import { cleanEnv, node, program } from '../process.ts'
import { startStaying } from '../program.ts'
import { temporaryDirectory } from '../run/temporary.ts'
import { memoryStore } from '../store.ts'
import { type Fields, type Heard, type Integrator, integratorNamed, walletNamed } from './integrator.ts'

export interface HandClock extends Clock {
  forward(milliseconds: number): void
}

/** 2026-11-20T10:00:00Z, and not a millisecond later until it is moved. */
export function handClock(): HandClock {
  let now = Date.UTC(2026, 10, 20, 10)
  const forward = (milliseconds: number) => {
    now += milliseconds
  }
  return {
    now: () => now,
    steady: () => ({ boot: 'by hand', milliseconds: now }),
    sleep: async (milliseconds) => forward(milliseconds),
    forward,
  }
}

export function freshDirectory(): string {
  return temporaryDirectory('sandbox')
}

export async function memorySandbox(clock: Clock = handClock(), random: Random = cachedPairs): Promise<Sandbox> {
  return await createSandbox(await memoryStore<SandboxTables>(sandboxSchema), clock, random)
}

export async function fileSandbox(
  directory: string,
  clock: Clock = handClock(),
  random: Random = cachedPairs,
): Promise<Sandbox> {
  const sandbox = await openSandbox(directory, clock, random)
  onTestFinished(() => sandbox.close())
  return sandbox
}

export async function served(sandbox: Sandbox, settings: ServeSettings = {}) {
  const server = await serve(sandbox, settings)
  onTestFinished(() => server.close())
  return server
}

/** A served sandbox in memory, its clock in hand, and the clients that talk to it. */
export async function desk(settings: ServeSettings = {}) {
  const clock = handClock()
  const sandbox = await memorySandbox(clock, cachedPairs)
  const { url } = await served(sandbox, settings)
  const entry = async (integratorOrderId: unknown) => {
    const found = (await sandbox.ledger()).orders.find((order) => order.integratorOrderId === integratorOrderId)
    if (!found) throw new Error('the ledger has no such order')
    return found
  }
  return {
    clock,
    sandbox,
    url,
    integrator: (name?: string) => integratorNamed(sandbox, url, name),
    wallet: () => walletNamed(sandbox, url),
    /** Plays the payer: pays. */
    pay: (order: unknown, more: { readonly card?: string; readonly tip?: string } = {}) =>
      sandbox.trigger({ what: 'paid', order: String(order), ...more }),
    /** An order as the ledger tells of it. */
    entry,
  }
}

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** Serves a sandbox until the file's last test is done. One RSA pair of each size serves all, unless told otherwise. */
export async function servedTable(random: Random = withKeyPairs()) {
  const clock = handClock()
  const store = await memoryStore<SandboxTables>(sandboxSchema)
  const sandbox = await createSandbox(store, clock, random)
  const server = await serve(sandbox)
  afterAll(async () => {
    await server.close()
    await sandbox.close()
  })
  const { url } = server
  /** An order as the ledger tells of it; not the whole ledger, which grows with the table. */
  const entry = async (integratorOrderId: unknown) => {
    // Every look makes the moves that are due.
    await sandbox.world()
    const [found] = await store.read((db) => ordersNamed(db, String(integratorOrderId)))
    if (!found) throw new Error('the ledger has no such order')
    return await store.read((db) => describeOrder(db, found))
  }
  const walletEntry = async (uniqueId: unknown) =>
    (await sandbox.ledger()).walletOrders.find((order) => order.uniqueId === uniqueId) ?? null
  const play = (what: Triggered['what'], order: unknown, more: Pick<Triggered, 'card' | 'tip'> = {}) =>
    sandbox.trigger({ what, order: String(order), ...more })
  /** An order of this integrator that a payer has paid. */
  const paid = async (integrator: Integrator, fields: Fields = {}) => {
    const id = await integrator.created(fields)
    await play('paid', id)
    return id
  }
  return {
    ...{ clock, sandbox, url, entry, walletEntry, play, paid },
    integrator: (name: string) => integratorNamed(sandbox, url, name),
    wallet: () => walletNamed(sandbox, url),
  }
}

/** HTTP statuses by group, as they were recorded: 400 for 1, 2, 3 and 5; 500 for 6. */
const recordedHttp: Readonly<Record<number, number>> = { 1: 400, 2: 400, 3: 400, 5: 400, 6: 500 }

/** A refusal is plain: exactly three members, its HTTP status by its group. */
export function expectRefused(heard: Heard, code: number | readonly number[], group?: number): void {
  const codes = typeof code === 'number' ? [code] : code
  expect(codes, heard.body).toContain(heard.code)
  expect(heard.members.toSorted(), heard.body).toEqual(['exceptionGroup', 'message', 'statusCode'])
  expect(typeof heard.value.message).toBe('string')
  expect(heard.value.message).not.toBe('')
  if (group !== undefined) expect(heard.group, heard.body).toBe(group)
  expect(heard.http).toBe(recordedHttp[heard.group ?? 0])
}

/** A success is sealed: nothing of it can be read without the integrator's key. */
export function expectSealed(heard: Heard): void {
  expect(heard.text, `${heard.http} ${heard.body}`).not.toBeNull()
  expect(heard.http).toBe(200)
  expect(heard.members).toContain('encryptedData')
}

/** Members of an opened answer as text, digit for digit. */
export function told(heard: Heard): Record<string, string> {
  return Object.fromEntries(Object.entries(heard.value).map(([name, value]) => [name, String(value)]))
}

/** The same without some members. */
export function without(fields: Fields, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

// `sandbox start`: in this process, or as a process of its own where its end by a signal matters.

interface Ready {
  readonly event: string
  readonly url: string
  readonly pid: number
  readonly dashboard: string
  readonly authority: string | null
}

const argvOf = (flags: readonly string[]) => ['sandbox', 'start', '--port', '0', '--json', ...flags]

/** In this process. Ends with the test at the latest. */
export async function startedHere(home: string, ...flags: readonly string[]) {
  const { ready, end } = await startStaying(argvOf(flags), { home })
  return { ready: ready as Ready, end }
}

/** As a process of its own. Ends with the test at the latest. */
export async function started(home: string, ...flags: string[]) {
  const child = spawn(node, [program, ...argvOf(flags)], { env: cleanEnv(home), stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (piece) => {
    stdout += String(piece)
  })
  child.stderr.on('data', (piece) => {
    stderr += String(piece)
  })
  const closed = once(child, 'close')
  while (!stdout.includes('\n')) {
    await Promise.race([
      once(child.stdout, 'data'),
      closed.then(() => Promise.reject(new Error(`it ended: ${stderr}`))),
    ])
  }
  const ready = JSON.parse(stdout) as Ready
  const end = async (signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    const [code] = await closed
    return { code, stdout, stderr }
  }
  return { ready, end, pid: child.pid, send: (signal: 'SIGSTOP' | 'SIGCONT') => child.kill(signal) }
}
