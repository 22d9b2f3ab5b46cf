/**
 * An operation of the service, written once. The desk encodes with it and the sandbox decodes with it. `effect` decides
 * which way it may leave the machine: `call()` takes a ReadOperation, `submit()` a WriteOperation, and the types hold them
 * apart.
 */
import type { z } from 'zod'
import type { Hint } from '../hint.ts'
import type { AskedSum } from './asked-sum.ts'
import type { Shown, StatusRefusals } from './evidence.ts'
import type { Permission } from './permission.ts'
import type { Proof } from './proof.ts'
import type { Repeats } from './repeats.ts'
import type { StatusReader } from './status.ts'
import type { Violation } from './violation.ts'

export type Area = 'A' | 'B' | 'C' | 'D'

/**
 * How it rides on HTTP: `open` needs no credentials, `bearer` a token (A), `sealed` the envelope of B and D, `wallet` that
 * of C.
 */
export type Wire = 'open' | 'bearer' | 'sealed' | 'wallet'

export const orderTypes = ['DEFAULT', 'TREASURY', 'TRAFFIC_FINE'] as const

/**
 * What the service has set for an integrator: which order properties it sends (service.md#order-properties). Never a field of
 * the order.
 */
export type OrderType = (typeof orderTypes)[number]

/** What the integrator may do, as far as rules depend on it. */
export type Permits = ReadonlySet<Permission>

/** What rules depend on besides the request. */
export interface Circumstances {
  readonly permits: Permits
  /** Null: not known, so what depends on it is left to the service. */
  readonly orderType: OrderType | null
  /** Milliseconds since 1970; "today" and "in the future" are counted from it, in the service's zone. */
  readonly now: number
}

/** A rule over several fields. It sees the request even when single fields are wrong, so that one answer tells all. */
export type Rule = (request: Readonly<Record<string, unknown>>, circumstances: Circumstances) => readonly Violation[]

interface Described<Request extends z.ZodObject, Answer extends z.ZodType> {
  /** area.verb, as faults and the journal name it. */
  readonly name: string
  readonly area: Area
  /** Where it is described: sections of the specification ("B2") and of docs/internals ("service.md#orders"). */
  readonly section: string
  readonly summary: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly carriedIn: 'body' | 'query'
  readonly wire: Wire
  readonly request: Request
  readonly rules: readonly Rule[]
  /** The code for a breach that has no code of its own. */
  readonly breachCode: number
  /** The permission without which the operation itself is refused. */
  readonly permission: Permission | null
  readonly answer: Answer
  /** The documented answer stands inside `{ value: … }`; readers accept both. */
  readonly wrapped: boolean
  /** Whether success may come without a body. */
  readonly emptyAnswer: boolean
  /** What the statuses of its answer mean; null where it has none, or none is known. */
  readonly statuses: StatusReader | null
}

/** An answer that says that the service does not know the object that was asked for. */
export interface UnknownObject {
  readonly statusCode: number
  /** The HTTP status that the code must come with to say so; null for any. */
  readonly http: number | null
  /** In words that follow "the service knows"; null where the words of the code say it. */
  readonly words: string | null
}

export interface ReadOperation<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType>
  extends Described<Request, Answer> {
  readonly effect: 'read'
  /** It shows how a payment stands: as long as it cannot be read, nobody knows whether money moved. */
  readonly showsPayment: boolean
  /** The secret that its answer is there to give, and that is hidden everywhere else. */
  readonly gives: 'access token' | 'card token' | null
  /** Null where it asks for nothing that may be unknown. */
  readonly unknownObject: UnknownObject | null
  /** Members of its answer, and the fields of the request that they repeat: one with another value speaks of something else. */
  readonly echoes: Readonly<Record<string, string>>
}

/** The read that shows what came of a write whose answer was lost (money-safety.md#evidence). */
export interface EvidenceRead {
  /** It asks with fields that the write has, too. */
  readonly by: ReadOperation
  readonly shows: (status: string) => Shown
  /** Whether `amount` in its answer is the sum that was executed. */
  readonly showsSum: boolean
  /** Members of its answer that must repeat the sum where they are there; with another value it proves nothing. */
  readonly sum: (request: Readonly<Record<string, unknown>>) => AskedSum
  /** Null where no refusal of the write says "not any more". */
  readonly refusals: StatusRefusals | null
}

/** The kind of thing that a write is about. */
export type Subject = 'payout' | 'order' | 'wallet order' | 'subscription' | 'user'

export interface WriteOperation<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType>
  extends Described<Request, Answer> {
  readonly effect: 'write'
  /** In the title of its receipt: "Refund accepted". */
  readonly label: string
  /** What it did, in words that follow "the order was". */
  readonly done: string
  readonly about: Subject
  /** How a list of writes names it: by the id of the thing, which other commands take, or by the payee. */
  readonly listedBy: 'id' | 'payee'
  /** The field that names this very write, so that a repeat is recognised. Null: the request has none, the journal's own id serves. */
  readonly idField: string | null
  /** The code that says the id exists already; null where no code says just that. */
  readonly duplicateCode: number | null
  /** What is said of a duplicate that was not sent from here; null where the service's own words are enough. */
  readonly duplicate: { readonly message: string; readonly next: Hint } | null
  /** Done once only to something that has the id already: what to say for that; null where another id makes another one. */
  readonly onlyOnce: Hint | null
  readonly repeats: (request: Readonly<Record<string, unknown>>) => Repeats
  /** What is unusual about a request that keeps every rule, in words for the sender. */
  readonly remarks: (request: Readonly<Record<string, unknown>>) => readonly string[]
  /** What its answer proves. */
  readonly proof: Proof
  /** What a read proves where the answer was lost; null where nothing can be read. */
  readonly evidence: EvidenceRead | null
  /** How the payment that it makes stands, by the status that was last seen; null where it makes none of its own. */
  readonly payment: StatusReader | null
  /** What its receipt warns of in a status that was seen since; null for nothing. */
  readonly statusRemark: (status: string) => Hint | null
  /** Payee, sum and currency: what a confirmation names and the duplicate guard compares. */
  readonly moves: (request: Readonly<Record<string, unknown>>) => Movement
}

/** Amount as decimal text. */
export interface Movement {
  /** An IBAN, a receiver, or the order it is about. */
  readonly payee: string
  /** Null where the write moves no sum of its own. */
  readonly amount: string | null
  /** Null where the request names none. */
  readonly currency: string | null
  /** What is agreed to where it is not the amount: the price of a plan, "GEL 15.00 every 2 months". */
  readonly price: string | null
  /** Whether a second one of the same sum to the same payee deserves a look: an order that a payer has yet to pay does not. */
  readonly guarded: boolean
}

export type Operation<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> =
  | ReadOperation<Request, Answer>
  | WriteOperation<Request, Answer>

/** The request as it is held inside: every scalar text. */
export type RequestOf<Op extends Operation> = Op['request']['_zod']['output']
export type AnswerOf<Op extends Operation> = z.output<Op['answer']>
