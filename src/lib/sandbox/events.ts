/**
 * Events between rooms. The room in which something happens does not know which others act on it, and all of them act in the
 * transaction of the move itself.
 */

import type { Random } from '../edge.ts'
import type { OrderRow, SandboxWriter, SubscriptionRow } from '../store/sandbox/schema.ts'
import type { Switches } from './switches.ts'

export interface SandboxEvents {
  'order-created': { readonly order: OrderRow; readonly random: Random }
  /** A payment of the order was executed, and its card can be charged by a token. */
  'card-saved': { readonly order: OrderRow; readonly token: string; readonly at: number }
  /** The order ends, and was not paid. */
  'order-unpaid': { readonly order: OrderRow }
  /** The payment of the order is complete: it succeeded, or it failed for good. */
  'payment-ended': { readonly order: OrderRow; readonly status: string; readonly at: number }
  /** A charge of a plan is complete, either way. */
  'charge-ended': {
    readonly order: OrderRow
    readonly subscription: SubscriptionRow
    readonly charge: { readonly id: number; readonly status: string; readonly at: number }
    readonly switches: Switches
  }
}

export type EventHandlers = {
  readonly [Name in keyof SandboxEvents]?: (db: SandboxWriter, event: SandboxEvents[Name]) => Promise<void>
}

export type Tell = <Name extends keyof SandboxEvents>(
  db: SandboxWriter,
  name: Name,
  event: SandboxEvents[Name],
) => Promise<void>

/** Tells each in turn. */
export function tellRooms(rooms: readonly EventHandlers[]): Tell {
  return async (db, name, event) => {
    for (const room of rooms) await room[name]?.(db, event)
  }
}
