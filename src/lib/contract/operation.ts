/**
 * An operation of the service, written once. The desk encodes with it and the sandbox decodes with it. `effect` decides how
 * it may leave the machine: `call()` takes a ReadOperation, `submit()` a WriteOperation, and the types hold them apart.
 */
import type { z } from 'zod'
import type { Hint } from '../hint.ts'
import type { AskedSum } from './answer.ts'
import type { WrittenForm } from './core/field.ts'
import type { Members } from './core/members.ts'
import type { Permission } from './core/permission.ts'
import type { Repeats } from './repeats.ts'
import type { PaymentReader, StatusReader } from './status.ts'

export type Area = 'A' | 'B' | 'C' | 'D'

/**
 * The form on HTTP: `open` needs no credentials, `bearer` a token (A), `sealed` the envelope of B and D, `wallet` that of C.
 */
export type Wire = 'open' | 'bearer' | 'sealed' | 'wallet'

export const orderTypes = ['DEFAULT', 'TREASURY', 'TRAFFIC_FINE'] as const

/**
 * The order type that the service has set for an integrator: it decides which order properties are sent
 * (service.md#order-properties). Never a field of the order.
 */
export type OrderType = (typeof orderTypes)[number]

/** The permissions of the integrator, as far as rules depend on them. */
export type Permits = ReadonlySet<Permission>

/** Facts besides the request on which rules depend. */
export interface Circumstances {
  readonly permits: Permits
  /** Null where it is not known: the rules that depend on it are left to the service. */
  readonly orderType: OrderType | null
  /** Milliseconds since 1970; "today" and "in the future" are counted from it, in the service's zone. */
  readonly now: number
  /** True where an order of 0 without a plan saves a card: done in production, against the specification. */
  readonly savesCardForNothing?: boolean
  /** True where a recipient of a split may get 0: recorded, against the specification (service.md#seen-since). */
  readonly takesEmptyParts?: boolean
}

/** A rule over several fields. It sees the request even when single fields are wrong, so that one answer tells all. */
export type Rule = (request: Members, circumstances: Circumstances) => readonly Violation[]

/** A breach of a rule, and its place in the request. */
export interface Wrong {
  readonly field: string
  /** The way inside the field: members by their names, entries counted from 0. */
  readonly within: readonly (string | number)[]
  /** The breach in words that do not name the place: "must be today or later". */
  readonly message: string
}

/** A breach of the contract, with the code that the service has for it. */
export interface Violation extends Wrong {
  readonly code: number
}

/** A breach by a field, or by a part inside one. */
export function violation(
  at: string | readonly [field: string, ...within: (string | number)[]],
  message: string,
  code: number,
): Violation {
  const [field, ...within] = typeof at === 'string' ? [at] : at
  return { field, within, message, code }
}

/** The breach in words that name the place inside the field: "entry 1: amount must be greater than 0". */
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
  /** The place of its description: sections of the specification ("B2") and of docs/explanation ("service.md#orders"). */
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
  /** The members of its answer, or of every entry of its list, in the form in which the service writes them. */
  readonly answerForms: Readonly<Record<string, WrittenForm>>
  /** The documented answer stands inside `{ value: … }`; readers accept both. */
  readonly wrapped: boolean
  /** True if a success may come without a body. */
  readonly emptyAnswer: boolean
  /** The meaning of the statuses of its answer; null where it has none, or none is known. */
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
  /** True if the answer shows how a payment stands. As long as it cannot be read, it is not known whether money moved. */
  readonly showsPayment: boolean
  /** The thing that the answer shows, and the member with its id; null for a read that shows none. */
  readonly thing: { readonly about: Subject; readonly id: string } | null
  /** The secret that its answer is meant to deliver; it is hidden everywhere else. */
  readonly gives: 'access token' | 'card token' | null
  /** Null where it asks for nothing that the service may not know. */
  readonly unknownObject: UnknownObject | null
  /**
   * Members of its answer, and the fields of the request that they repeat: an answer with another value speaks of something
   * else.
   */
  readonly echoes: Readonly<Record<string, string>>
}

/** The kind of thing that a write is about. */
export type Subject = 'payout' | 'order' | 'wallet order' | 'subscription' | 'user'

export interface WriteOperation<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType>
  extends Described<Request, Answer> {
  readonly effect: 'write'
  /** In the title of its receipt: "Refund accepted". */
  readonly label: string
  /** Its effect, in words that follow "the order was". */
  readonly done: string
  readonly about: Subject
  /** Its name in a list of writes: the id of the thing, which other commands take, or the payee. */
  readonly listedBy: 'id' | 'payee'
  /** The field that names this very write, so that a repeat is recognised. Null: the request has none, the journal's own id serves. */
  readonly idField: string | null
  /** The code that says that the id exists already; null where no code says only that. */
  readonly duplicateCode: number | null
  /** The message about a duplicate that was not sent from here; null where the service's own words are enough. */
  readonly duplicate: { readonly message: string; readonly next: Hint } | null
  /** Advice where the thing can have the id only once and has it already; null where another id makes another one. */
  readonly onlyOnce: Hint | null
  readonly repeats: (request: Members) => Repeats
  /** Unusual points of a request that keeps every rule, in words for the sender. */
  readonly remarks: (request: Members) => readonly string[]
  /** The proof in its answer. */
  readonly proof: Proof
  /** The read whose evidence decides where the answer was lost; null where nothing can be read. */
  readonly evidence: EvidenceRead | null
  /** The state of the payment that it makes, by the status that was last seen; null where it makes none of its own. */
  readonly payment: PaymentReader | null
  /** The warning of its receipt after a status that was seen since; null for none. */
  readonly statusRemark: (status: string, request: Members) => Hint | null
  /** Payee, sum and currency: what a confirmation names and the duplicate guard compares. */
  readonly moves: (request: Members) => Movement
}

export type Operation<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> =
  | ReadOperation<Request, Answer>
  | WriteOperation<Request, Answer>

/** The request inside paydesk: every scalar is text. */
export type RequestOf<Op extends Operation> = Op['request']['_zod']['output']
export type AnswerOf<Op extends Operation> = z.output<Op['answer']>

/** Amount as decimal text. */
export interface Movement {
  /** An IBAN, a receiver, or the order it is about. */
  readonly payee: string
  /** The payee's name where the write pays a beneficiary out, null where the request gives none; other writes leave it out. */
  readonly payeeName?: string | null
  /** Null where the write moves no sum of its own. */
  readonly amount: string | null
  /** Null where the request names none. */
  readonly currency: string | null
  /** The price where the consent is not to the amount: that of a plan, "GEL 15.00 every 2 months". */
  readonly price: string | null
  /**
   * True if a second write of the same sum to the same payee is a suspected duplicate. An order that a payer has yet to pay
   * is none.
   */
  readonly guarded: boolean
}

/** A movement of no sum, which is no suspected duplicate, but for the facts given. */
export function movement(payee: string, facts: Partial<Movement> = {}): Movement {
  return { payee, amount: null, currency: null, price: null, guarded: false, ...facts }
}

/** A business outcome that moved nothing, told as a status in the place of an error. */
export interface StatusRefusal {
  /** True if the request alone decides it: then it also speaks for earlier attempts. */
  readonly bodyOnly: boolean
  /** True if it denies the attempts before it, too, once a read agrees: the service looks first for what was done (C2). */
  readonly deniesAll?: boolean
  /** The member with the reason. */
  readonly reason?: string
}

/**
 * The proof in a success (HTTP 2xx) of the write that it answers. "Done" is a status that the operation names, in an answer
 * that repeats the id of its thing; any other success is no definite answer.
 */
export interface Proof {
  /**
   * Members that must repeat the request. An answer without one of them, or with another value, belongs to another request.
   */
  readonly echoes: readonly string[]
  /** Members that must be there besides. */
  readonly needs: readonly string[]
  /** Members that repeat the sum of the request. Where one is there with another value, it was another payment. */
  readonly sum: (request: Members) => AskedSum
  /** True if the status says that the write was done. Null stands for an answer without a status. */
  readonly isDone: (status: string | null) => boolean
  readonly refused: Readonly<Record<string, StatusRefusal>>
  /**
   * The member in which a success says in words why nothing was done, and the statuses of the thing beside which it is
   * believed; null where a success never refuses in words.
   */
  readonly refusedInWords: { readonly member: string; readonly isBelieved: (status: string) => boolean } | null
  /** Statuses that say that the write had been done before, from here or by another client. */
  readonly doneBefore: readonly string[]
  /** True if an answer without a status proves nothing once it has a member of unknown meaning. */
  readonly nothingElse: boolean
  /** The part of the answer that the journal keeps: all of it, or the members that the receipt of a payout has. */
  readonly keeps: 'answer' | 'payout'
  /**
   * The answer to a repeat of a write that was done: its receipt, if that stays true for ever; else what a read shows now,
   * and where no read shows it, the receipt with a warning.
   */
  readonly askedAgain: 'receipt' | 'read'
  /** Unusual points of an answer that says that the write was done. */
  readonly remarks: (request: Members, answer: Members) => readonly string[]
}

/**
 * The members that identify the thing an answer speaks of. Where one stands in both request and answer, the two must agree.
 */
export const identities = ['uniqueId', 'integratorOrderId', 'subscriptionId', 'integratorId', 'identifier'] as const

/** Done in one of these statuses, and in no other. */
export function doneIn(...statuses: readonly string[]): Proof['isDone'] {
  return (status) => status !== null && statuses.includes(status)
}

/** The read that shows what came of a write whose answer was lost (money-safety.md#evidence). */
export interface EvidenceRead {
  /** The read, which asks with fields that the write has, too. */
  readonly by: ReadOperation
  readonly shows: (status: string) => Shown
  /** Statuses that say that it was tried, and failed: a later read that shows no trace of it is an older one. */
  readonly tried: readonly string[]
  /** Statuses in which the thing may still be read for a while after the write was accepted: they are no older for that. */
  readonly late: readonly string[]
  /** True if `amount` in its answer is the sum that was executed. */
  readonly showsSum: boolean
  /** Members of its answer that repeat the sum. Where one is there with another value, the answer proves nothing. */
  readonly sum: (request: Members) => AskedSum
  /** Null where no refusal of the write says "not any more". */
  readonly refusals: StateRefusals | null
}

/**
 * Evidence of the write in the status of the thing: `executed`; `over`, it was not executed and never will be; `lapsed`, it is
 * over, but by time alone, so that a copy of the service shows it, too, that lags behind and has not heard of the write;
 * `no-trace`, the thing is as it was before; `unclear`, this write or another one may have led to it.
 */
export type Shown = 'executed' | 'over' | 'lapsed' | 'no-trace' | 'unclear'

/** The evidence that a table has for a status; an unknown status is unclear. */
export function shownBy(table: Readonly<Record<string, Shown>>, status: string): Shown {
  return Object.hasOwn(table, status) ? (table[status] ?? 'unclear') : 'unclear'
}

/**
 * Refusals that speak of the state of the object (money-safety.md#the-one-rule-for-answers). Each may be the second answer to a request
 * that was sent twice on its way, so a read of the object follows.
 */
export interface StateRefusals {
  readonly codes: readonly number[]
  /** The statuses in which the write is possible: `ofStatus` and a read that shows one of them contradict each other. */
  readonly possibleIn: readonly string[]
  /** The code that speaks of the status alone; null where there is none. */
  readonly ofStatus: number | null
  /** The code for a sum that is more than is left; null where there is none. */
  readonly ofSum: TooMuch | null
  /** True if the status shows the effect of the write: then this request, or another one, was executed. */
  readonly shows: (status: string) => boolean
  /** The meaning of a refusal in such a status. */
  readonly means: ShownMeans
  /** In words that follow "cannot be". */
  readonly done: string
  /** Advice on what to do next, by status. */
  readonly next: Readonly<Record<string, Hint>>
}

/** The code that says that the object is paid, to a write of any kind: a read that does not show it as paid contradicts it. */
export const alreadyPaid = 6016

/** Refusal codes for an order whose status no longer allows the write. */
export const notAnyMore = [6003, 6006, 6015, alreadyPaid, 6017]

/**
 * The meaning of a refusal beside a read that shows what the write is for. `done`: it is so, whoever did it (0). `conflict`: a
 * sum moved, by this request or another one (7). `open`: the same, and a second execution would look no different, so that
 * it is not sent again (9).
 */
export type ShownMeans = 'done' | 'conflict' | 'open'

/** The refusal of a sum that is more than is left of its thing. */
export interface TooMuch {
  readonly code: number
  /** The statuses in which all of it may be left. */
  readonly whole: readonly string[]
  /** All of it, by the request that made the thing: a decimal text; null where that may be any sum. */
  readonly all: (creation: Members) => unknown
}

const usual = { rules: [], permission: null, wrapped: false, emptyAnswer: false } as const

/** The facts that most reads have in common. */
export const usualRead = {
  ...{ ...usual, effect: 'read', statuses: null, showsPayment: false, thing: null, gives: null },
  ...{ unknownObject: null, echoes: {} },
} as const satisfies Partial<ReadOperation>

/** The facts that most writes have in common. */
export const usualWrite = {
  ...{ ...usual, effect: 'write', listedBy: 'payee', duplicateCode: null, duplicate: null, onlyOnce: null },
  ...{ remarks: () => [], evidence: null, payment: null, statusRemark: () => null },
} as const satisfies Partial<WriteOperation>

/** The proof that most operations have in common. */
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

/** The facts that most reads have in common as evidence. */
export const usualEvidence = { tried: [], late: [], showsSum: false, sum: () => ({}), refusals: null } as const

/** The facts that most refusals of this kind have in common. */
export const usualRefusals = { next: {}, ofStatus: null, ofSum: null } as const

/** The operations that a profile may limit, by their names alone: counting them in the journal loads no schema. */
export const limitedOperations: readonly string[] = ['payout.create']

/** Operations that others may have to approve, by their names alone: looking for a rule loads no schema. */
export const ruledOperations: readonly string[] = ['payout.create', 'order.refund']

/** The operation of every row of a plan. */
export const plannedOperation = 'payout.create'

/** The operation that made the thing whose currency the sum of another one has. */
export const madeBy: Readonly<Record<string, string>> = { 'order.refund': 'order.create' }
