/**
 * What a handler of an operation is given, and what an area of the service consists of: routes, moves that time makes
 * by itself, reactions to events of other areas.
 */
import {
  chargeAgainAfter,
  failureEnds,
  opensMgf1Sha1,
  outsideGivesBack,
  plansTellOrder,
  readsOtherTypes,
  rejectedUsesIdUp,
} from '../contract/assumed.ts'
import { type Circumstances, type Operation, type Violation, violationInWords } from '../contract/operation.ts'
import type { Clock, Random } from '../edge.ts'
import type { HttpAnswer, HttpRequest } from '../http/message.ts'
import type { Store } from '../store/engine/store.ts'
import type { OrderRow, Row, SandboxReader, SandboxTables, SandboxWriter } from '../store/sandbox/schema.ts'
import { isAnythingDue, readWorldState } from '../store/sandbox/world.ts'
import { shortened } from '../text.ts'
import { type WorldSettings, worldSettings } from './accounts/settings.ts'
import type { RecordFacts } from './log/facts.ts'
import type { Shape } from './shape.ts'

export interface HandlerContext extends DueMoves {
  readonly store: Store<SandboxTables>
  readonly clock: Clock
  readonly shape: Shape
  /** The world that it happens in. */
  readonly worldId: string
  /** Settings of that world: what it accepts. */
  readonly settings: WorldSettings
  /** The address that checkout links begin with, without a slash at its end. */
  readonly checkoutBase: string
  /** Tells the log what a request turns out to be. */
  readonly record: RecordFacts
}

/** A handler together with the wire: what it gives back is what is sent. */
export type Answerer = (http: HttpRequest, context: HandlerContext) => Promise<HttpAnswer>

/** An operation of the contract, and what answers it. */
export type Route = readonly [operation: Operation, answer: Answerer]

/** The circumstances of a request whose rules depend on nothing but the day. */
export function anybody(now: number): Circumstances {
  return { permits: new Set(), orderType: null, now }
}

/** Violations in one sentence that names every field; cut, since a body may hold field names of any length. */
export function violationsInWords(violations: readonly Violation[]): string {
  return shortened(violations.map(violationInWords).join('; '))
}

// Events between areas. The area in which something happens does not know which others act on it, and all of them act
// in the transaction of the move itself.

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
    readonly subscription: Row<'subscriptions'>
    readonly charge: { readonly id: number; readonly status: string; readonly at: number }
    readonly switches: Switches
  }
}

type EventHandlers = {
  readonly [Name in keyof SandboxEvents]?: (db: SandboxWriter, event: SandboxEvents[Name]) => Promise<void>
}

type Emit = <Name extends keyof SandboxEvents>(
  db: SandboxWriter,
  name: Name,
  event: SandboxEvents[Name],
) => Promise<void>

/** Tells each in turn. */
export function emitTo(areas: readonly EventHandlers[]): Emit {
  return async (db, name, event) => {
    for (const area of areas) await area[name]?.(db, event)
  }
}

// The assumptions that can be turned off in the sandbox as a whole, so that a test shows what each of them decides.

/** Their meaning stands in assumed.ts. */
export interface Switches {
  readonly opensMgf1Sha1: boolean
  readonly readsOtherTypes: boolean
  readonly plansTellOrder: boolean
  readonly failureEnds: boolean
  readonly chargeAgainAfter: number | null
  readonly rejectedUsesIdUp: boolean
  readonly outsideGivesBack: boolean
}

export const assumedSwitches: Switches = {
  opensMgf1Sha1,
  readsOtherTypes,
  plansTellOrder,
  failureEnds,
  chargeAgainAfter,
  rejectedUsesIdUp,
  outsideGivesBack,
}

// Moves that time makes by itself, and reads that find them done. The areas hand in their moves.

/** Makes every move of one kind that is due. */
type Move = (db: SandboxWriter, now: number, context: MoveContext) => Promise<void>

export interface MoveContext {
  readonly random: Random
  readonly emit: Emit
  /** Assumptions about the service, as they are set. */
  readonly switches: Switches
}

/** A context that knows the moves themselves, in the order in which they are made. */
interface DueMoves extends MoveContext {
  readonly moves: readonly Move[]
}

/** Makes every move that is due. */
export async function executeDue(db: SandboxWriter, now: number, context: DueMoves): Promise<void> {
  if (!(await isAnythingDue(db, now))) return
  for (const move of context.moves) await move(db, now, context)
}

/** Looks things up in a world whose due moves have been made. */
export async function readUpToDate<Result>(
  context: DueMoves & { readonly store: Store<SandboxTables>; readonly clock: Clock },
  look: (db: SandboxReader, now: number) => Promise<Result>,
): Promise<Result> {
  const { store, clock } = context
  const now = clock.now()
  if (await store.ask((db) => isAnythingDue(db, now))) await store.write((db) => executeDue(db, now, context))
  return await store.read((db) => look(db, now))
}

export interface SandboxArea {
  readonly routes?: readonly Route[]
  /** The moves that time makes in it by itself. */
  readonly moves?: readonly Move[]
  readonly on?: EventHandlers
}

// The state of the sandbox as a request comes in: looked up once, for all of its way through the service.

export interface RequestContext {
  /** The sandbox's: it does not jump while the request lasts. */
  readonly clock: Clock
  /** The world of the request: keys belong to one. */
  readonly worldId: string
  readonly settings: WorldSettings
  /** True if a fault was ordered that has not struck yet, for any operation. */
  readonly hasFaults: boolean
  /** The address that checkout links begin with. */
  readonly checkoutBase: string
}

export async function readRequestContext(store: Store<SandboxTables>, machine: Clock): Promise<RequestContext> {
  const state = await store.ask(readWorldState)
  const { world_id, clock_offset: ahead, faults } = state
  const sleep: Clock['sleep'] = (milliseconds, signal) => machine.sleep(milliseconds, signal)
  return {
    clock: { now: () => machine.now() + ahead, steady: () => machine.steady(), sleep },
    worldId: world_id,
    settings: worldSettings(state),
    hasFaults: faults === 1,
    checkoutBase: 'http://127.0.0.1',
  }
}
