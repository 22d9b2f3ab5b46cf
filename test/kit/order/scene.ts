/** Orders in the sandbox: the argv that most tests use, and the payer played from beside. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { realClock } from '../../../src/lib/edge.ts'
import { type Ledger, openSandbox, type Sandbox } from '../../../src/lib/sandbox/sandbox.ts'
import { leaveAddress, removeAddress } from '../../../src/lib/sandbox/server/address.ts'
import { serve } from '../../../src/lib/sandbox/server/server.ts'
import type { Triggered } from '../../../src/lib/sandbox/trigger.ts'
import { cachedPairs } from '../key-pairs.ts'
import { type Flags, flags } from '../payment.ts'
import { type HurriedClock, stillClock } from '../program/hurried.ts'
import { type Ended, newHome, paydesk, type Surroundings } from '../program/paydesk.ts'
import { inSandbox as sandboxOf } from '../world.ts'

export const shop = '5a9db0c0-0301-4a11-8c11-000000000301'
export const riverside = '5a9db0c0-0302-4a11-8c11-000000000302'
export const tamar = '5a9db0c0-0311-4a11-8c11-000000000311'
export const inSandbox = ['-p', 'sandbox']

/** A home of its own, a clock that stands still, keys that are there already. */
export function place(): Surroundings & { readonly clock: HurriedClock } {
  return { home: newHome(), clock: stillClock(), random: { ...cachedPairs, fraction: () => 0 } }
}

/** `order create` with the usual flags; null leaves one out. */
export function order(more: Flags = {}, ...rest: readonly string[]): string[] {
  const usual: Flags = { profile: 'sandbox', amount: '12.50', 'receiver-id': shop, yes: true }
  return ['order', 'create', ...flags({ ...usual, ...more }), ...rest]
}

export function withSandbox<Result>(
  around: Surroundings,
  work: (sandbox: Sandbox) => Promise<Result>,
): Promise<Result> {
  return sandboxOf(around.home, work, around.clock)
}

export function play(around: Surroundings, id: unknown, what: Triggered['what'] = 'paid', card?: string) {
  return withSandbox(around, (sandbox) =>
    sandbox.trigger({ what, order: String(id), ...(card === undefined ? {} : { card }) }),
  )
}

export function ledger(around: Surroundings): Promise<Ledger> {
  return withSandbox(around, (sandbox) => sandbox.ledger())
}

/** The sandbox as `sandbox start --shape recorded` runs it. */
export async function recordedSandbox(around: Surroundings): Promise<void> {
  const directory = join(around.home, 'sandbox')
  const sandbox = await openSandbox(directory, around.clock ?? realClock, around.random ?? cachedPairs)
  const served = await serve(sandbox, { shape: 'recorded' })
  const address = { url: served.url, pid: process.pid }
  leaveAddress(directory, address)
  onTestFinished(async () => {
    removeAddress(directory, address)
    await served.close()
    await sandbox.close()
  })
}

/** Runs a command that must end well, with --json. */
export async function done(argv: readonly string[], around: Surroundings): Promise<Ended> {
  const ended = await paydesk([...argv, '--json'], around)
  if (ended.code !== 0) throw new Error(`${argv.join(' ')}: ${ended.code} ${ended.stderr}`)
  return ended
}

/** Makes an order and gives back its id. */
export async function ordered(around: Surroundings, more: Flags = {}): Promise<string> {
  return String((await done(order(more), around)).json.integratorOrderId)
}

/** An order with which the payer's card was saved. */
export async function cardSaved(around: Surroundings, card = 'approved'): Promise<string> {
  const id = await ordered(around, { 'save-card': true, 'direct-link-provider': 'BOG' })
  await play(around, id, 'paid', card)
  return id
}

/** The words of a command line, as a shell splits them. */
export function shellWords(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? String(plain) : quoted.replace(/\\(.)/g, '$1'),
  )
}
