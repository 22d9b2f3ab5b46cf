/**
 * Faults on order. A fault strikes before the service has seen a request, or after it has executed it: only the second
 * kind shows whether a client pays twice. They are kept in the store, so that all processes obey the same ones.
 */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { writeError } from '../client/answer.ts'
import { howMany } from '../contract/core/text.ts'
import type { Area } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import type { Clock } from '../edge.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import type { HttpAnswer } from '../http/message.ts'
import type { ResultOf } from '../result.ts'
import type { Store } from '../store/engine/store.ts'
import { addRow, changeRows, listRows, removeRows } from '../store/sandbox/rows.ts'
import type { Row, SandboxTables, SandboxWriter } from '../store/sandbox/schema.ts'
import { clockOffset } from '../store/sandbox/world.ts'
import { type Shape, writeGeneralFailure, writeUnauthorised } from './shape.ts'

/**
 * Chance that can be repeated: the n-th draw of a seed is the same in every process and on every machine. The generator is
 * mulberry32, whose state moves on by a constant, so that any draw is reached at once. For faults only, never for secrets.
 */
export function nthDraw(seed: number, number: number): number {
  const state = (seed + Math.imul(number + 1, 0x6d2b79f5)) | 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** Seeds beyond these say nothing more. */
export const largestSeed = 2 ** 32 - 1

export const answerFaultKinds = [
  ...(['reset', 'hang', 'html502', 'json500', 'truncate', 'garbage', '401', '429', 'half-written'] as const),
] as const
export type AnswerFaultKind = (typeof answerFaultKinds)[number]

type Broken = 'reset' | 'hang' | 'truncate' | 'half-written'

export type FaultedAnswer =
  | { readonly kind: 'answered'; readonly answer: HttpAnswer }
  /** No whole answer: `answer` is what one that comes in part would have been. */
  | { readonly kind: 'broken'; readonly how: Broken; readonly answer?: HttpAnswer }

/** The answer to a request that the service never saw: only its first half is ever sent. */
const madeUp: HttpAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"value":{"message":"this answer was cut in the middle"}}',
}

const gatewayPage =
  '<!doctype html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n'

type Substitute = (shape: Shape, area: Area, retryAfter: number) => HttpAnswer

/** What each kind of fault makes of an answer: a connection that breaks, or another answer. */
const effects = {
  reset: 'broken',
  hang: 'broken',
  html502: () => ({ status: 502, headers: { 'content-type': 'text/html; charset=utf-8' }, body: gatewayPage }),
  json500: (shape, area) => writeGeneralFailure(shape, area),
  /** The connection is closed in the middle of the answer. */
  truncate: 'broken',
  garbage: () => ({ ...madeUp, body: '\u0000\u0007<<not json>>{"' }),
  '401': (shape, area) => writeUnauthorised(shape, area),
  '429': (_shape, _area, retryAfter) => {
    const busy = writeError(429, { message: 'Too many requests' })
    return { ...busy, headers: { ...busy.headers, 'retry-after': String(retryAfter) } }
  },
  /** Half of the answer is sent, and the connection stays open until the client gives up. */
  'half-written': 'broken',
} as const satisfies Readonly<Record<AnswerFaultKind, 'broken' | Substitute>>

/** `answer` is null where the service never saw the request. `retryAfter`: seconds, of a 429. */
export function injectFault(
  kind: AnswerFaultKind,
  answer: HttpAnswer | null,
  shape: Shape,
  area: Area = 'A',
  retryAfter = 1,
): FaultedAnswer {
  const effect: 'broken' | Substitute = effects[kind]
  if (effect !== 'broken') return { kind: 'answered', answer: effect(shape, area, retryAfter) }
  const how = kind as Broken
  return how === 'reset' || how === 'hang' ? { kind: 'broken', how } : { kind: 'broken', how, answer: answer ?? madeUp }
}

export const faultPlaces = ['before', 'after'] as const

/**
 * `slow`: the answer is whole, but late; `before`, it is the request that takes so long to arrive, and it is executed even if
 * its client has given up. `duplicate`: the service gets the request twice, as from a proxy that repeats it, and the client hears the
 * first outcome; of `duplicate-second` it hears the second one.
 */
export const faultKinds = [...answerFaultKinds, 'slow', 'duplicate', 'duplicate-second'] as const
export type FaultPlace = (typeof faultPlaces)[number]
export type FaultKind = (typeof faultKinds)[number]

/** True if a fault of this kind lets the request come twice. */
export function comesTwice(kind: FaultKind): kind is 'duplicate' | 'duplicate-second' {
  return kind === 'duplicate' || kind === 'duplicate-second'
}

/** The place of a fault that names none: a request that is turned away was not executed, of all others it is the answer that fails. */
export function usualPlace(kind: FaultKind): FaultPlace {
  return kind === '401' || kind === '429' ? 'before' : 'after'
}

/** Targets of a fault: an operation, those of one kind of object, or all. */
export const faultTargets: readonly string[] = [
  ...operations.map(({ name }) => name),
  ...new Set(operations.map(({ name }) => `${name.split('.')[0]}.*`)),
  '*',
]

/** The answer to whoever clears faults. */
export function faultsCleared(count: number): string {
  return count === 0 ? 'No faults to clear.' : `Cleared ${howMany(count, 'fault')}.`
}

const windows: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/**
 * The rate of a text such as "50/s", "100/m" or "1000/h": so many requests pass in a window of milliseconds. Null where it is
 * none.
 */
function readRate(text: string): { readonly requests: number; readonly window: number } | null {
  const [, requests = '', unit = ''] = /^([1-9]\d{0,8})\/([smh])$/.exec(text) ?? []
  const window = windows[unit]
  return window === undefined ? null : { requests: Number(requests), window }
}

export type Fault = ResultOf<typeof faultResult>

type Named = 'op' | 'at' | 'kind'

/** What is not given is as usual: `nth`, `times` and `seed` 1, `delay` 3000; it strikes once, by count. */
export type FaultOrder = Pick<Fault, Named> & {
  readonly [Name in keyof Omit<Fault, Named | 'id' | 'draws'>]?: NonNullable<Fault[Name]> | undefined
}

export interface StruckFault extends Fault {
  /** Seconds after which the client may come again, where it came too fast; null of all others. */
  readonly retryAfter: number | null
}

const usualDelay = 3000
const longestDelay = 3_600_000

function describeFault(row: FaultRow): Fault {
  const { id, operation, place, kind, per_mille, seed, draws, delay, above } = row
  const isCounted = per_mille === null && above === null
  return {
    id: String(id),
    op: operation,
    at: place as FaultPlace,
    kind: kind as FaultKind,
    nth: isCounted ? row.nth : null,
    times: isCounted ? row.times : null,
    perMille: per_mille,
    seed,
    draws,
    delay,
    above,
  }
}

/** Throws Failure('usage') for one that cannot be. A service that limits its clients does so before it looks at what they want. */
function checkFault({ op, at, kind, nth, times, perMille, seed, delay, above }: FaultOrder): void {
  if (!faultTargets.includes(op)) {
    throw new Failure('usage', `there is no operation ${op}`, {
      hints: [hint`Operations are ${faultTargets.join(', ')}.`],
    })
  }
  const ranges: readonly (readonly [name: string, value: number | undefined, from: number, to?: number])[] = [
    ['nth', nth, 1],
    ['times', times, 1],
    ['per-mille', perMille, 1, 1000],
    ['seed', seed, 0, largestSeed],
    ['delay', delay, 0, longestDelay],
  ]
  for (const [name, value, from, to = Number.MAX_SAFE_INTEGER] of ranges) {
    if (value === undefined || (Number.isSafeInteger(value) && value >= from && value <= to)) continue
    const range = to === Number.MAX_SAFE_INTEGER ? `from ${from} on` : `from ${from} to ${to}`
    throw new Failure('usage', `${name} must be a whole number ${range}`)
  }
  const isCounted = nth !== undefined || times !== undefined
  const isChance = perMille !== undefined
  const isRate = above !== undefined
  const contradictions: readonly (readonly [is: boolean, why: string])[] = [
    [comesTwice(kind) && at === 'before', `what comes twice is executed: \`${kind}\` strikes \`after\` only`],
    [delay !== undefined && kind !== 'slow', 'a delay belongs to the kind `slow` only'],
    [isChance && isCounted, 'a fault strikes by count (nth, times) or by chance (per-mille), not by both'],
    [seed !== undefined && !isChance, 'a seed belongs to a chance: per-mille'],
    [
      isRate && readRate(above.trim()) === null,
      `above takes requests a second, a minute or an hour, like 50/s, not "${above}"`,
    ],
    [isRate && (kind !== '429' || at !== 'before'), 'above belongs to the kind 429, `before` only'],
    [isRate && (isCounted || isChance), 'a fault strikes by rate (above), by count or by chance, not by two of them'],
  ]
  const found = contradictions.find(([is]) => is)
  if (found) throw new Failure('usage', found[1])
}

function rowOf({ op, at, kind, nth = 1, times = 1, perMille, seed = 1, delay = usualDelay, above }: FaultOrder) {
  return {
    ...{ operation: op, place: at, kind, nth, times, draws: 0 },
    ...{ per_mille: perMille ?? null, seed: perMille === undefined ? null : seed },
    delay: kind === 'slow' ? delay : null,
    ...{ above: above?.trim() ?? null, window_start: 0, window_count: 0 },
  }
}

// Which of the faults that wait strikes a request.

type FaultRow = Row<'faults'>

/** True if a fault is ordered for this operation. */
const isMeantFor =
  (name: string) =>
  ({ operation }: FaultRow) =>
    [name, `${name.split('.')[0]}.*`, '*'].includes(operation)

async function change(db: SandboxWriter, { id }: FaultRow, count: Partial<FaultRow>): Promise<void> {
  await changeRows(db, 'faults', { id }, count)
}

/** True if the request is one too many for the window; else it has counted. A window begins with the first request after the last. */
async function isAbove(db: SandboxWriter, fault: FaultRow, now: number): Promise<boolean> {
  const { requests, window } = readRate(fault.above ?? '') ?? { requests: 0, window: 0 }
  const isOver = now >= fault.window_start + window
  const passed = isOver ? 0 : fault.window_count
  if (passed >= requests) return true
  await change(db, fault, { window_start: isOver ? now : fault.window_start, window_count: passed + 1 })
  return false
}

/** True if it is a fault's turn to strike; it counts the request, or draws for it. */
async function strikesNow(db: SandboxWriter, fault: FaultRow, now: number): Promise<boolean> {
  const { above, per_mille, seed, draws, nth } = fault
  if (above !== null) return isAbove(db, fault, now)
  if (per_mille !== null) {
    await change(db, fault, { draws: draws + 1 })
    return nthDraw(seed ?? 1, draws) * 1000 < per_mille
  }
  if (nth > 1) await change(db, fault, { nth: nth - 1 })
  return nth === 1
}

/** Whole seconds until the window is over; no client comes again in less than one. */
function retryAfter({ above, window_start }: FaultRow, now: number): number | null {
  const rate = above === null ? null : readRate(above)
  return rate && Math.max(1, Math.ceil((window_start + rate.window - now) / 1000))
}

/**
 * The fault that strikes this request, if one does: the oldest whose turn has come, whose draw says so, or whose rate is
 * reached. Every other one that counts requests has counted this one, and one that strikes by chance has drawn for it.
 */
async function takeFault(db: SandboxWriter, operation: string, now: number): Promise<StruckFault | null> {
  let struck: FaultRow | null = null
  for (const fault of (await listRows(db, 'faults')).filter(isMeantFor(operation))) {
    if ((await strikesNow(db, fault, now)) && !struck) struck = fault
  }
  if (!struck) return null
  const { id, times, per_mille, above } = struck
  if (per_mille === null && above === null) {
    if (times === 1) await removeRows(db, 'faults', { id })
    else await change(db, struck, { times: times - 1 })
  }
  return { ...describeFault(struck), retryAfter: retryAfter(struck, now) }
}

export function faultsIn(store: Store<SandboxTables>, clock: Pick<Clock, 'now'>) {
  return {
    async add(order: FaultOrder): Promise<Fault> {
      checkFault(order)
      return describeFault(await store.write((db) => addRow(db, 'faults', rowOf(order))))
    },
    list: async (): Promise<Fault[]> => (await store.ask((db) => listRows(db, 'faults'))).map(describeFault),
    /** One fault, or all of them; gives back how many there were. */
    async clear(id?: string): Promise<number> {
      if (id !== undefined && !/^\d{1,15}$/.test(id)) return 0
      return await store.write((db) => removeRows(db, 'faults', id === undefined ? {} : { id: Number(id) }))
    },
    /** The fault that strikes this request of an operation; counts it. */
    async take(operation: string): Promise<StruckFault | null> {
      // Most requests meet no fault at all: a look is cheaper than a transaction.
      const waiting = await store.ask((db) => listRows(db, 'faults'))
      if (!waiting.some(isMeantFor(operation))) return null
      return await store.write(async (db) => await takeFault(db, operation, clock.now() + (await clockOffset(db))))
    },
  }
}

// Faults that only a real socket can show: a reset, silence, an answer of which half comes, or all of it late.

/** Resolves when nothing more will happen on the connection. */
export async function breakConnection(
  outgoing: ServerResponse,
  broken: Extract<FaultedAnswer, { kind: 'broken' }>,
): Promise<void> {
  if (broken.how === 'reset') {
    // Node resets no connection that carries TLS: it breaks off, without the words that TLS ends with.
    if (outgoing.socket && 'encrypted' in outgoing.socket) outgoing.socket.destroy()
    else outgoing.socket?.resetAndDestroy()
    return
  }
  if (broken.answer) await sendHalf(outgoing, broken.answer)
  if (broken.how === 'truncate') {
    outgoing.socket?.destroy()
  } else if (!outgoing.closed) {
    // Silence until the client leaves or the server closes.
    await once(outgoing, 'close').catch(() => undefined)
  }
}

async function sendHalf(outgoing: ServerResponse, answer: HttpAnswer): Promise<void> {
  const body = Buffer.from(answer.body, 'utf8')
  outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': String(body.length) })
  await new Promise<void>((resolve) => {
    outgoing.once('close', resolve)
    outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => resolve())
  })
}

/** Lets so many milliseconds pass; false if it ended early, because the server closed or the client left. */
export async function waitUnlessGone(
  milliseconds: number,
  closing: AbortSignal,
  outgoing?: ServerResponse,
): Promise<boolean> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  outgoing?.once('close', leave)
  try {
    await wait(milliseconds, undefined, { signal: AbortSignal.any([closing, gone.signal]) })
    return true
  } catch {
    return false
  } finally {
    outgoing?.off('close', leave)
  }
}

export const faultResult = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9]+$/)
    .describe('For `sandbox fault clear`.'),
  op: z.enum(faultTargets).describe('An operation, all of one object, or every one.'),
  at: z.enum(faultPlaces).describe('Before or after the service executed the request.'),
  kind: z.literal(faultKinds),
  nth: z
    .int()
    .min(1)
    .nullable()
    .describe('Which request it strikes first, counted from now; null where it strikes by chance or by rate.'),
  times: z.int().min(1).nullable().describe('How many in a row are left; null where it strikes by chance or by rate.'),
  perMille: z
    .int()
    .min(1)
    .max(1000)
    .nullable()
    .describe('How many of a thousand requests it strikes by chance; null where it strikes by count or by rate.'),
  seed: z.int().min(0).nullable().describe('What chance is drawn from: draw n of a seed is always the same.'),
  draws: z.int().min(0).describe('How many requests were drawn for so far.'),
  delay: z
    .int()
    .min(0)
    .nullable()
    .describe('Milliseconds that a slow answer, or a slow request, takes; null where nothing is slow.'),
  above: z
    .string()
    .regex(/^[1-9][0-9]*\/[smh]$/)
    .nullable()
    .describe('The rate that passes, such as "50/s": what comes faster is turned away; null of other faults.'),
})

export const faultsListedResult = z.array(faultResult).describe('Those that have not struck yet.')
