// The ground of the sandbox's tests: a clock that moves when told to, servers that end with the test.

import { onTestFinished } from 'vitest'
import type { Clock, Random } from '../../../src/lib/edge.ts'
import { openSandbox, type Sandbox, sandboxOn } from '../../../src/lib/sandbox/sandbox.ts'
import { type ServeSettings, serve } from '../../../src/lib/sandbox/server/server.ts'
import type { Switches } from '../../../src/lib/sandbox/switches.ts'
import { type SandboxTables, sandboxSchema } from '../../../src/lib/store/sandbox/schema.ts'
import { cachedPairs } from '../key-pairs.ts'
import { temporaryDirectory } from '../run/temporary.ts'
import { memoryStore } from '../store/memory.ts'
import { integratorNamed, walletNamed } from './integrator.ts'

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

export async function memorySandbox(
  clock: Clock = handClock(),
  random: Random = cachedPairs,
  switches?: Switches,
): Promise<Sandbox> {
  return await sandboxOn(await memoryStore<SandboxTables>(sandboxSchema), clock, random, switches)
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
export async function desk(settings: ServeSettings = {}, switches?: Switches) {
  const clock = handClock()
  const sandbox = await memorySandbox(clock, cachedPairs, switches)
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
