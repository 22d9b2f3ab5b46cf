/** The sandbox of a home, looked at from beside the command that uses it. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Clock, realClock } from '../../src/lib/edge.ts'
import type { LedgerPayout } from '../../src/lib/sandbox/areas/payouts.ts'
import type { FaultOrder } from '../../src/lib/sandbox/faults.ts'
import { openSandbox, type Sandbox } from '../../src/lib/sandbox/sandbox.ts'
import { leaveAddress, removeAddress } from '../../src/lib/sandbox/server/address.ts'
import { serve } from '../../src/lib/sandbox/server/server.ts'
import { cachedPairs } from './key-pairs.ts'

/** The sandbox of a home, for as long as the work takes. */
export async function inSandbox<Result>(
  home: string,
  work: (sandbox: Sandbox) => Promise<Result>,
  clock: Clock = realClock,
): Promise<Result> {
  const sandbox = await openSandbox(join(home, 'sandbox'), clock, cachedPairs)
  try {
    return await work(sandbox)
  } finally {
    await sandbox.close()
  }
}

/** The payouts that the service executed. */
export async function ledgerOf(home: string, clock?: Clock): Promise<readonly LedgerPayout[]> {
  return inSandbox(home, async (sandbox) => (await sandbox.ledger()).payouts, clock)
}

export async function addFault(home: string, fault: Omit<FaultOrder, 'op'> & { readonly op?: string }): Promise<void> {
  await inSandbox(home, (sandbox) => sandbox.faults.add({ op: 'payout.create', ...fault }))
}

export async function clearFaults(home: string): Promise<void> {
  await inSandbox(home, (sandbox) => sandbox.faults.clear())
}

/** The secrets that must stay hidden. */
export async function secretsOf(home: string): Promise<string[]> {
  return inSandbox(home, async (sandbox) =>
    (await sandbox.world()).distributorClients.map(({ clientSecret }) => clientSecret),
  )
}

/** Forgets every token that was ever given, as a service does that restarts. */
export async function newWorldIn(home: string): Promise<void> {
  await inSandbox(home, (sandbox) => sandbox.reset())
}

export interface StandingSandbox {
  readonly url: string
  /** Method and path of what came in. */
  readonly requests: readonly string[]
}

/**
 * A sandbox that outlives the commands of a test, as `sandbox start` runs one. Tests that run side by side hand in their own
 * `onTestFinished`: the runner's belongs to any of them.
 */
export async function standingSandbox(
  home: string,
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<StandingSandbox> {
  const directory = join(home, 'sandbox')
  const sandbox = await openSandbox(directory, realClock, cachedPairs)
  const requests: string[] = []
  const served = await serve(sandbox, { onRequest: ({ method, path }) => requests.push(`${method} ${path}`) })
  const address = { url: served.url, pid: process.pid }
  leaveAddress(directory, address)
  atEnd(async () => {
    removeAddress(directory, address)
    await served.close()
    await sandbox.close()
  })
  return { url: served.url, requests }
}
