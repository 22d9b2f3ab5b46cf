/** Orders as the tests of safety need them: paid, their card saved, held for a completion; and the truth about them. */
import type { Clock } from '../../src/lib/edge.ts'
import type { Ledger } from '../../src/lib/sandbox/sandbox.ts'
import type { Triggered } from '../../src/lib/sandbox/trigger.ts'
import { paydesk, type Surroundings } from './program/paydesk.ts'
import { inSandbox } from './world.ts'

/** A branch that orders pay. */
export const branch = '5a9db0c0-0301-4a11-8c11-000000000301'

export function wholeLedger(home: string, clock?: Clock): Promise<Ledger> {
  return inSandbox(home, (sandbox) => sandbox.ledger(), clock)
}

export function play(home: string, triggered: Triggered, clock?: Clock): Promise<unknown> {
  return inSandbox(home, (sandbox) => sandbox.trigger(triggered), clock)
}

/** argv of an order of 100.00. */
export function order(...more: readonly string[]): readonly string[] {
  return ['order', 'create', '-p', 'sandbox', '--amount', '100', '--receiver-id', branch, '--yes', '--json', ...more]
}

/** Makes an order and has it paid. Gives back its id. */
export async function paidOrder(around: Surroundings, ...more: readonly string[]): Promise<string> {
  const made = await paydesk(order(...more), around)
  if (made.code !== 0) throw new Error(`the order was not made: ${made.stderr}`)
  const id = String(made.json.integratorOrderId)
  await play(around.home, { what: 'paid', order: id }, around.clock)
  return id
}
