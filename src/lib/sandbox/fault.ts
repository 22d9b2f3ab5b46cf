/**
 * Faults on order. A fault strikes before the service has seen a request, or after it has executed it: only the second
 * kind shows whether a client pays twice. They are kept in the store, so that the built-in sandbox and a running server,
 * and several processes, obey the same ones. What a fault makes of an answer is pure; who has a socket applies it.
 */
import type { Area } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { Failure } from '../failure.ts'
import { addFault, clearFaults, type KeptFault, listFaults, takeFault } from '../store/sandbox.ts'
import type { SandboxTables } from '../store/sandbox-schema.ts'
import type { Store } from '../store/store.ts'
import { writeError } from '../wire/answer.ts'
import type { HttpAnswer } from '../wire/message.ts'
import { type Shape, writeGeneralFailure, writeUnauthorised } from './shape.ts'

export const faultPlaces = ['before', 'after'] as const
export const faultKinds = ['reset', 'hang', 'html502', 'json500', 'truncate', 'garbage', '401', '429'] as const
export type FaultPlace = (typeof faultPlaces)[number]
export type FaultKind = (typeof faultKinds)[number]

export interface FaultOrder {
  /** The operation's name, such as payout.create. */
  readonly op: string
  readonly at: FaultPlace
  readonly kind: FaultKind
  /** Which matching request it strikes first, counted from now on; 1 if not given. */
  readonly nth?: number
  /** How many in a row; 1 if not given. */
  readonly times?: number
}

export interface Fault extends Required<FaultOrder> {
  readonly id: string
}

export interface Faults {
  add(fault: FaultOrder): Promise<Fault>
  list(): Promise<Fault[]>
  /** One fault, or all of them; gives back how many there were. */
  clear(id?: string): Promise<number>
  /** The fault that strikes this request of an operation; counts it. */
  take(operation: string): Promise<Fault | null>
}

/** A fault that strikes by count, and takes no time of its own. */
const usual = { per_mille: null, seed: null, draws: 0, delay: null } as const

function described({ id, operation, place, kind, nth, times }: KeptFault): Fault {
  return { id: String(id), op: operation, at: place as FaultPlace, kind: kind as FaultKind, nth, times }
}

function checked({ op, nth = 1, times = 1 }: FaultOrder): void {
  const names = operations.map((operation) => operation.name)
  if (!names.includes(op)) {
    throw new Failure('usage', `there is no operation ${op}`, { hints: [`Operations are ${names.join(', ')}.`] })
  }
  for (const [name, count] of Object.entries({ nth, times })) {
    if (!Number.isSafeInteger(count) || count < 1)
      throw new Failure('usage', `${name} must be a whole number from 1 on`)
  }
}

export function keptFaults(store: Store<SandboxTables>): Faults {
  return {
    async add(order) {
      checked(order)
      const { op, at, kind, nth = 1, times = 1 } = order
      return described(
        await store.write((db) => addFault(db, { ...usual, operation: op, place: at, kind, nth, times })),
      )
    },
    list: async () => (await store.read(listFaults)).map(described),
    async clear(id) {
      if (id !== undefined && !/^\d{1,15}$/.test(id)) return 0
      return await store.write((db) => clearFaults(db, id === undefined ? null : Number(id)))
    },
    async take(operation) {
      // Most requests meet no fault at all: a look is cheaper than a transaction.
      const waiting = await store.read(listFaults)
      if (!waiting.some((fault) => fault.operation === operation)) return null
      const struck = await store.write((db) => takeFault(db, operation))
      return struck ? described(struck) : null
    },
  }
}

export type Spoiled =
  | { readonly kind: 'answered'; readonly answer: HttpAnswer }
  /** No whole answer: `answer` is what a truncated one would have been. */
  | { readonly kind: 'broken'; readonly how: 'reset' | 'hang' | 'truncate'; readonly answer?: HttpAnswer }

const html =
  '<!doctype html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n'

/** What a request would have got that the service never saw: only its first half is ever sent. */
const madeUp: HttpAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"value":{"message":"this answer was cut in the middle"}}',
}

/** What a fault makes of an answer; `answer` is null where the service never saw the request. */
export function spoil(kind: FaultKind, answer: HttpAnswer | null, shape: Shape, area: Area = 'A'): Spoiled {
  const instead = (other: HttpAnswer): Spoiled => ({ kind: 'answered', answer: other })
  switch (kind) {
    case 'reset':
    case 'hang':
      return { kind: 'broken', how: kind }
    case 'truncate':
      return { kind: 'broken', how: kind, answer: answer ?? madeUp }
    case 'html502':
      return instead({ status: 502, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html })
    case 'json500':
      return instead(writeGeneralFailure(shape, area))
    case 'garbage':
      return instead({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '\u0000\u0007<<not json>>{"',
      })
    case '401':
      return instead(writeUnauthorised(shape, area))
    case '429': {
      const busy = writeError(429, { message: 'Too many requests' })
      return instead({ ...busy, headers: { ...busy.headers, 'retry-after': '1' } })
    }
  }
}
