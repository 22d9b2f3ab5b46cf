/** Sandboxes: payouts, orders, wallet orders and subscriptions in them, and what they executed. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, type Random, realClock } from '../../src/lib/edge.ts'
import type { LedgerPayout } from '../../src/lib/sandbox/areas/payouts.ts'
import type { LedgerWalletOrder } from '../../src/lib/sandbox/areas/wallet.ts'
import type { FaultOrder } from '../../src/lib/sandbox/faults.ts'
import { type Ledger, openSandbox, type Sandbox } from '../../src/lib/sandbox/sandbox.ts'
import { removeAddress, writeAddress } from '../../src/lib/sandbox/server/address.ts'
import { serve } from '../../src/lib/sandbox/server/server.ts'
import type { Triggered } from '../../src/lib/sandbox/trigger.ts'
import { type HurriedClock, impatient, stillClock } from './clock.ts'
import { cachedPairs } from './key-pairs.ts'
import { type Flags, flags } from './payment.ts'
import { type Ended, newHome, paydesk, type Surroundings } from './program.ts'
import { onTestFinished } from './run/at-end.ts'
import { qrOpen, qrRequest, walletUser } from './sandbox/integrator.ts'

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

export interface StandingSandbox {
  readonly url: string
  /** Method and path of what came in. */
  readonly requests: readonly string[]
}

/** A sandbox that outlives the commands of a test, as `sandbox start` runs one. */
export async function standingSandbox(
  home: string,
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<StandingSandbox> {
  const directory = join(home, 'sandbox')
  const sandbox = await openSandbox(directory, realClock, cachedPairs)
  const requests: string[] = []
  const served = await serve(sandbox, { onRequest: ({ method, path }) => requests.push(`${method} ${path}`) })
  const address = { url: served.url, pid: process.pid }
  writeAddress(directory, address)
  atEnd(async () => {
    removeAddress(directory)
    await served.close()
    await sandbox.close()
  })
  return { url: served.url, requests }
}

/** A branch that orders pay. */
export const branch = '5a9db0c0-0301-4a11-8c11-000000000301'

export function wholeLedger(home: string, clock?: Clock): Promise<Ledger> {
  return inSandbox(home, (sandbox) => sandbox.ledger(), clock)
}

export function playIn(home: string, triggered: Triggered, clock?: Clock): Promise<unknown> {
  return inSandbox(home, (sandbox) => sandbox.trigger(triggered), clock)
}

/** argv of an order of 100.00. */
export function orderOf100(...more: readonly string[]): readonly string[] {
  return ['order', 'create', '-p', 'sandbox', '--amount', '100', '--receiver-id', branch, '--yes', '--json', ...more]
}

/** Makes an order and has it paid. Gives back its id. */
export async function paidOrder(around: Surroundings, ...more: readonly string[]): Promise<string> {
  const made = await paydesk(orderOf100(...more), around)
  if (made.code !== 0) throw new Error(`the order was not made: ${made.stderr}`)
  const id = String(made.json.integratorOrderId)
  await playIn(around.home, { what: 'paid', order: id }, around.clock)
  return id
}

export const shop = '5a9db0c0-0301-4a11-8c11-000000000301'
export const tamar = '5a9db0c0-0311-4a11-8c11-000000000311'
export const onSandbox = ['-p', 'sandbox']

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
  return inSandbox(around.home, work, around.clock)
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
  writeAddress(directory, address)
  onTestFinished(async () => {
    removeAddress(directory)
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

/** Asks for 25.00 GEL. */
export const requested = qrRequest(walletUser, '25.00')
/** Leaves the amount to the payer. */
export const open = qrOpen(walletUser)

export const random: Random = { ...cachedPairs, fraction: impatient.fraction }

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export interface Till {
  readonly home: string
  readonly clock: HurriedClock
  run(argv: readonly string[], more?: Partial<Surroundings>): Promise<Ended>
  create(more?: Flags): Promise<Ended>
  /** Creates an order and gives back its uniqueId. */
  created(more?: Flags): Promise<string>
  finalize(more: Flags, around?: Partial<Surroundings>): Promise<Ended>
  /** The wallet orders of the service. */
  ledger(): Promise<readonly LedgerWalletOrder[]>
  /** Another machine: the same service, nothing in the journal. */
  forget(): void
}

export function newTill(profile = 'sandbox'): Till {
  const home = newHome()
  const clock = stillClock()
  const run: Till['run'] = (argv, more = {}) =>
    paydesk([...argv, '-p', profile, '--json'], { home, clock, random, ...more })
  const create: Till['create'] = (more = {}) =>
    run(['wallet', 'create', ...flags({ uri: requested, yes: true, ...more })])
  return {
    ...{ home, clock, run, create },
    async created(more = {}) {
      const ended = await create(more)
      if (ended.code !== 0) throw new Error(`not created: ${ended.stderr}`)
      return String(ended.json.uniqueId)
    },
    finalize: (more, around) =>
      run(['wallet', 'finalize', ...flags({ amount: '25.00', 'final-status': 'SUCCESS', yes: true, ...more })], around),
    async ledger() {
      const sandbox = await openSandbox(join(home, 'sandbox'), clock, random)
      try {
        return (await sandbox.ledger()).walletOrders
      } finally {
        await sandbox.close()
      }
    },
    forget: () => rmSync(join(home, 'journal'), { recursive: true }),
  }
}

export async function subscribed(around: Surroundings): Promise<string> {
  const id = await ordered(around, {
    amount: '0',
    'direct-link-provider': 'BOG',
    'save-card': true,
    plan: 'weekly:1:9.90',
  })
  await play(around, id)
  const entry = (await ledger(around)).orders.find(({ integratorOrderId }) => integratorOrderId === id)
  return String(entry?.subscriptionId)
}
