/**
 * An operation of the service, written once: the desk encodes with it, the sandbox decodes with it. `call()` takes a
 * ReadOperation, `submit()` a WriteOperation.
 */
import type { z } from 'zod'
import type { Hint } from '../hint.ts'
import type { AskedSum } from './answer.ts'
import type { Members } from './core/members.ts'
import type { Permission } from './core/permission.ts'
import type { RetryPolicy } from './retry-policy.ts'
import type { PaymentReader, StatusReader } from './status.ts'

export type Area = 'A' | 'B' | 'C' | 'D'

/** `open` needs no credentials, `bearer` a token (A), `sealed` the envelope of B and D, `wallet` that of C. */
export type Wire = 'open' | 'bearer' | 'sealed' | 'wallet'

export const orderTypes = ['DEFAULT', 'TREASURY', 'TRAFFIC_FINE'] as const

/**
 * Set by the service for an integrator; decides which order properties are sent (service.md#order-properties). Never a
 * field of the order.
 */
export type OrderType = (typeof orderTypes)[number]

export type Permits = ReadonlySet<Permission>

/** Facts besides the request on which rules depend. */
export interface Circumstances {
  readonly permits: Permits
  /** Null where it is not known: its rules are left to the service. */
  readonly orderType: OrderType | null
  /** Milliseconds since 1970; "today" is counted in the service's zone. */
  readonly now: number
  /** True where an order of 0 without a plan saves a card: done in production, against the specification. */
  readonly savesCardForNothing?: boolean
  /** True where a recipient of a split may get 0: recorded, against the specification (service.md#seen-since). */
  readonly takesEmptyParts?: boolean
}

/** A rule over several fields. It sees the request even when single fields are wrong. */
export type Rule = (request: Members, circumstances: Circumstances) => readonly Violation[]

export interface Wrong {
  readonly field: string
  /** Members by their names, entries counted from 0. */
  readonly within: readonly (string | number)[]
  /** Does not name the place: "must be today or later". */
  readonly message: string
}

export interface Violation extends Wrong {
  readonly code: number
}

export function violation(
  at: string | readonly [field: string, ...within: (string | number)[]],
  message: string,
  code: number,
): Violation {
  const [field, ...within] = typeof at === 'string' ? [at] : at
  return { field, within, message, code }
}

/** "entry 1: amount must be greater than 0". */
export function wrongWithin({ within, message }: Wrong): string {
  const place = within.map((step) => (typeof step === 'number' ? `entry ${step + 1}: ` : `${step} `)).join('')
  return `${place}${message}`
}

/** The same, with the field named first. */
export function violationInWords(broken: Wrong): string {
  return `${broken.field} ${wrongWithin(broken)}`.trim()
}

interface Described<Request extends z.ZodObject, Answer extends z.ZodType> {
  /** area.verb, as faults and the journal name it. */
  readonly name: string
  readonly area: Area
  /** Sections of the specification ("B2") and of docs/explanation ("service.md#orders"). */
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
  /** True if a success may come without a body. */
  readonly emptyAnswer: boolean
  /** Null where its answer has no status, or none is known. */
  readonly statuses: StatusReader | null
}

/** The answer that says that the service does not know the object. */
export interface UnknownObject {
  readonly statusCode: number
  /** The HTTP status that the code must come with; null for any. */
  readonly http: number | null
  /** Follows "the service knows"; null where the words of the code say it. */
  readonly words: string | null
}

export interface ReadOperation<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType>
  extends Described<Request, Answer> {
  readonly effect: 'read'
  /** True if the answer shows how a payment stands: unread, it is not known whether money moved. */
  readonly showsPayment: boolean
  /** The thing that the answer shows, and the member with its id. */
  readonly thing: { readonly about: Subject; readonly id: string } | null
  /** The secret that its answer delivers; hidden everywhere else. */
  readonly gives: 'access token' | 'card token' | null
  readonly unknownObject: UnknownObject | null
  /** Members of its answer that repeat a field of the request. */
  readonly echoes: Readonly<Record<string, string>>
}

export type Subject = 'payout' | 'order' | 'wallet order' | 'subscription' | 'user'

export interface WriteOperation<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType>
  extends Described<Request, Answer> {
  readonly effect: 'write'
  /** In the title of its receipt: "Refund accepted". */
  readonly label: string
  /** Follows "the order was". */
  readonly done: string
  readonly about: Subject
  /** Its name in a list of writes. */
  readonly listedBy: 'id' | 'payee'
  /** The field by which the service recognises a repeat; null: the journal's own id names the write. */
  readonly idField: string | null
  /** The code for an id that exists; null where no code says only that. */
  readonly duplicateCode: number | null
  /** About a duplicate that was not sent from here; null where the service's own words are enough. */
  readonly duplicate: { readonly message: string; readonly next: Hint } | null
  /** Advice where the thing can be done only once. */
  readonly onlyOnce: Hint | null
  readonly retryPolicy: (request: Members) => RetryPolicy
  readonly remarks: (request: Members) => readonly string[]
  readonly proof: Proof
  /** The read that decides where the answer was lost. */
  readonly evidence: EvidenceRead | null
  /** The payment that it makes, by the status that was last seen; null where it makes none. */
  readonly payment: PaymentReader | null
  /** The warning of its receipt after this status. */
  readonly statusRemark: (status: string, request: Members) => Hint | null
  /** What a confirmation names and the duplicate guard compares. */
  readonly moves: (request: Members) => Movement
}

export type Operation<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> =
  | ReadOperation<Request, Answer>
  | WriteOperation<Request, Answer>

/** The request inside paydesk: every scalar is text. */
export type RequestOf<Op extends Operation> = Op['request']['_zod']['output']
export type AnswerOf<Op extends Operation> = z.output<Op['answer']>

export interface Movement {
  /** An IBAN, a receiver, or the order it is about. */
  readonly payee: string
  /** The name of a beneficiary that is paid out; left out by other writes. */
  readonly payeeName?: string | null
  /** Decimal text; null where the write moves no sum of its own. */
  readonly amount: string | null
  /** Null where the request names none. */
  readonly currency: string | null
  /** The price of a plan, "GEL 15.00 every 2 months"; null where the consent is to the amount. */
  readonly price: string | null
  /** True if a second write of the same sum to the same payee is a suspected duplicate. */
  readonly guarded: boolean
}

/** No sum, no suspected duplicate, but for the facts given. */
export function movement(payee: string, facts: Partial<Movement> = {}): Movement {
  return { payee, amount: null, currency: null, price: null, guarded: false, ...facts }
}

/** A business outcome that moved nothing, told as a status. */
export interface StatusRefusal {
  /** True if the request alone decides it: it also speaks for earlier attempts. */
  readonly bodyOnly: boolean
  /** True if, once a read agrees, it denies earlier attempts, too (C2). */
  readonly deniesAll?: boolean
  /** The member with the reason. */
  readonly reason?: string
}

/**
 * What a success (HTTP 2xx) must show: a status that the operation names, in an answer that repeats the id of its
 * thing.
 */
export interface Proof {
  /** Members that must be there and repeat the request. */
  readonly echoes: readonly string[]
  /** Members that must be there besides. */
  readonly needs: readonly string[]
  /** Members that repeat the sum: another value was another payment. */
  readonly sum: (request: Members) => AskedSum
  /** Null stands for an answer without a status. */
  readonly isDone: (status: string | null) => boolean
  readonly refused: Readonly<Record<string, StatusRefusal>>
  /** The member in which a success refuses in words, and the statuses beside which it is believed. */
  readonly refusedInWords: { readonly member: string; readonly isBelieved: (status: string) => boolean } | null
  /** Statuses that say that it had been done before, by anybody. */
  readonly doneBefore: readonly string[]
  /** True if an answer without a status must have no member of unknown meaning. */
  readonly nothingElse: boolean
  /** What the journal keeps of the answer: all, or the members of the receipt of a payout. */
  readonly keeps: 'answer' | 'payout'
  /** The answer to a repeat of a done write: its receipt, or what a read shows now. */
  readonly askedAgain: 'receipt' | 'read'
  readonly remarks: (request: Members, answer: Members) => readonly string[]
}

/** Members that identify a thing: where request and answer have one, they must agree. */
export const identities = ['uniqueId', 'integratorOrderId', 'subscriptionId', 'integratorId', 'identifier'] as const

export function doneIn(...statuses: readonly string[]): Proof['isDone'] {
  return (status) => status !== null && statuses.includes(status)
}

/** The read that shows what came of a write whose answer was lost (money-safety.md#evidence). */
export interface EvidenceRead {
  /** Asks with fields that the write has, too. */
  readonly by: ReadOperation
  readonly shows: (status: string) => Shown
  /** Statuses that say that it was tried, and failed: a later read without a trace is an older one. */
  readonly tried: readonly string[]
  /** Statuses that may still be read for a while after the write was accepted. */
  readonly late: readonly string[]
  /** True if `amount` in its answer is the sum that was executed. */
  readonly showsSum: boolean
  /** Members that repeat the sum: with another value the answer proves nothing. */
  readonly sum: (request: Members) => AskedSum
  /** Null where no refusal says "not any more". */
  readonly refusals: StateRefusals | null
}

/**
 * `over`: not executed, and never will be. `lapsed`: over by time alone, so that a copy of the service that lags behind
 * shows it, too. `no-trace`: as before. `unclear`: this write or another one may have led to it.
 */
export type Shown = 'executed' | 'over' | 'lapsed' | 'no-trace' | 'unclear'

/** What each status of a thing shows of each write about it. */
export type ShownTable<Status extends string> = Readonly<Record<Status, Readonly<Record<string, Shown>>>>

/** What a status shows of one write; an unknown status is unclear. */
export function shownBy(table: ShownTable<string>, write: string): EvidenceRead['shows'] {
  return (status) => (Object.hasOwn(table, status) ? table[status]?.[write] : undefined) ?? 'unclear'
}

/**
 * Refusals that speak of the state of the object: each may be the second answer to a request that was sent twice, so a
 * read follows (money-safety.md#the-one-rule-for-answers).
 */
export interface StateRefusals {
  readonly codes: readonly number[]
  /** Statuses in which the write is possible: `ofStatus` beside one of them is a contradiction. */
  readonly possibleIn: readonly string[]
  /** The code that speaks of the status alone. */
  readonly ofStatus: number | null
  /** The code for a sum that is more than is left. */
  readonly ofSum: TooMuch | null
  /** True if the status shows the effect of the write, whoever did it. */
  readonly shows: (status: string) => boolean
  readonly means: ShownMeans
  /** Follows "cannot be". */
  readonly done: string
  readonly next: Readonly<Record<string, Hint>>
}

/** The object is paid: a read that does not show that contradicts it. */
export const alreadyPaid = 6016

/** Refusal codes for an order whose status no longer allows the write. */
export const notAnyMore = [6003, 6006, 6015, alreadyPaid, 6017]

/**
 * A refusal beside a read that shows the effect. `done`: it is so, whoever did it (0). `conflict`: a sum moved, by this
 * request or another (7). `open`: the same, and a second execution would look no different, so it is not sent again
 * (9).
 */
export type ShownMeans = 'done' | 'conflict' | 'open'

export interface TooMuch {
  readonly code: number
  readonly whole: readonly string[]
  /** All of it, by the request that made the thing; null where that may be any sum. */
  readonly all: (creation: Members) => unknown
}

const usual = { rules: [], permission: null, wrapped: false, emptyAnswer: false } as const

const wires = { A: 'bearer', B: 'sealed', C: 'wallet', D: 'sealed' } as const

/** The place of an operation on HTTP. GET and DELETE carry the request in the query. */
export function endpoint<Where extends Area>(area: Where, method: Operation['method'], path: string) {
  const carriedIn = method === 'GET' || method === 'DELETE' ? 'query' : 'body'
  return { area, method, path, carriedIn, wire: wires[area] } as const
}

export const usualRead = {
  ...{ ...usual, effect: 'read', statuses: null, showsPayment: false, thing: null, gives: null },
  ...{ unknownObject: null, echoes: {} },
} as const satisfies Partial<ReadOperation>

export const usualWrite = {
  ...{ ...usual, effect: 'write', listedBy: 'payee', duplicateCode: null, duplicate: null, onlyOnce: null },
  ...{ remarks: () => [], evidence: null, payment: null, statusRemark: () => null },
} as const satisfies Partial<WriteOperation>

export const usualProof = {
  needs: [],
  sum: () => ({}),
  refused: {},
  refusedInWords: null,
  doneBefore: [],
  nothingElse: false,
  keeps: 'answer',
  askedAgain: 'receipt',
  remarks: () => [],
} as const satisfies Partial<Proof>

export const usualEvidence = { tried: [], late: [], showsSum: false, sum: () => ({}), refusals: null } as const

type RefusalFacts = Pick<StateRefusals, 'codes' | 'possibleIn' | 'means' | 'done'> & Partial<StateRefusals>

/** What a read shows of a write, and the refusals of it that speak of the state of its object. */
export function evidenceBy(shows: EvidenceRead['shows'], refusals: RefusalFacts) {
  const isShown = (status: string) => shows(status) === 'executed'
  return { shows, refusals: { next: {}, ofStatus: null, ofSum: null, shows: isShown, ...refusals } }
}

/** Operations that a profile may limit: by name, so that counting them loads no schema. */
export const limitedOperations: readonly string[] = ['payout.create']

/** Operations that others may have to approve, by name for the same reason. */
export const ruledOperations: readonly string[] = ['payout.create', 'order.refund']

/** The operation of every row of a plan. */
export const plannedOperation = 'payout.create'

/** The operation whose currency the sum of another one has. */
export const madeBy: Readonly<Record<string, string>> = { 'order.refund': 'order.create' }
