/** What a handler of an operation is given, and the moves that time makes by itself. */
import { type Circumstances, type Operation, type Violation, violationInWords } from '../contract/operation.ts'
import type { Clock, Random } from '../edge.ts'
import type { HttpAnswer, HttpRequest } from '../http/message.ts'
import type { Store } from '../store/engine/store.ts'
import type { SandboxReader, SandboxTables, SandboxWriter } from '../store/sandbox/schema.ts'
import { isAnythingDue } from '../store/sandbox/world.ts'
import { shortened } from '../text.ts'
import type { WorldSettings } from './accounts/settings.ts'
import type { RecordFacts } from './log/facts.ts'
import type { Shape } from './shape.ts'

/** The state of the sandbox as a request comes in, read once for all of its way. */
export interface HandlerContext {
  readonly store: Store<SandboxTables>
  readonly random: Random
  /** The sandbox's: it does not jump while a request lasts. */
  readonly clock: Clock
  /** Keys belong to one world. */
  readonly worldId: string
  readonly settings: WorldSettings
  /** True if a fault waits, for any operation. */
  readonly hasFaults: boolean
  /** In the order in which they are made. */
  readonly moves: readonly Move[]
  readonly shape: Shape
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
export function usualCircumstances(now: number): Circumstances {
  return { permits: new Set(), orderType: null, now }
}

/** Violations in one sentence that names every field; cut, since a body may hold field names of any length. */
export function violationsInWords(violations: readonly Violation[]): string {
  return shortened(violations.map(violationInWords).join('; '))
}

/** Makes every move of one kind that is due, such as payouts that reach their next status. */
export type Move = (db: SandboxWriter, now: number, random: Random) => Promise<void>

type Moving = Pick<HandlerContext, 'moves' | 'random'>

/** Makes every move that is due. */
export async function executeDue(db: SandboxWriter, now: number, { moves, random }: Moving): Promise<void> {
  if (!(await isAnythingDue(db, now))) return
  for (const move of moves) await move(db, now, random)
}

/** Looks things up in a world whose due moves have been made. */
export async function readUpToDate<Result>(
  context: Moving & Pick<HandlerContext, 'store' | 'clock'>,
  look: (db: SandboxReader, now: number) => Promise<Result>,
): Promise<Result> {
  const { store, clock } = context
  const now = clock.now()
  if (await store.ask((db) => isAnythingDue(db, now))) await store.write((db) => executeDue(db, now, context))
  return await store.read((db) => look(db, now))
}
