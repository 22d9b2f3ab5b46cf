/**
 * An operation of the service, written once. The desk encodes with it and the sandbox decodes with it. `effect` decides
 * which way it may leave the machine: `call()` takes a ReadOperation, `submit()` a WriteOperation, and the types hold them
 * apart.
 */
import type { z } from 'zod'
import type { Permission } from './field.ts'

export type Area = 'A' | 'B' | 'C' | 'D'

/** A breach of the contract: which field, in words, and the code the service has for it. */
export interface Violation {
  readonly field: string
  readonly message: string
  readonly code: number
}

/** What the integrator may do, as far as rules depend on it. */
export type Permits = ReadonlySet<Permission>

/** A rule over several fields. It sees the request even when single fields are wrong, so that one answer tells all. */
export type Rule = (request: Readonly<Record<string, unknown>>) => readonly Violation[]

interface Described<Request extends z.ZodObject, Answer extends z.ZodType> {
  /** area.verb, as faults and the journal name it. */
  readonly name: string
  readonly area: Area
  /** Where the specification describes it. */
  readonly section: string
  readonly summary: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly carriedIn: 'body' | 'query'
  readonly authentication: 'none' | 'bearer'
  readonly request: Request
  readonly rules: readonly Rule[]
  readonly answer: Answer
  /** The documented answer stands inside `{ value: … }`; readers accept both. */
  readonly wrapped: boolean
}

export interface ReadOperation<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType>
  extends Described<Request, Answer> {
  readonly effect: 'read'
}

export interface WriteOperation<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType>
  extends Described<Request, Answer> {
  readonly effect: 'write'
  /** The field that makes a repeat recognisable to the service. */
  readonly idField: string
  /** The code that says the id exists already. */
  readonly duplicateCode: number
  /** Who gets how much of which currency: what a confirmation names and the duplicate guard compares. */
  readonly moves: (request: Readonly<Record<string, unknown>>) => Movement
}

/** Amount as decimal text. */
export interface Movement {
  readonly payee: string
  readonly amount: string
  readonly currency: string
}

export type Operation<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> =
  | ReadOperation<Request, Answer>
  | WriteOperation<Request, Answer>

/** The request as it is held inside: every value text. */
export type RequestOf<Op extends Operation> = z.output<Op['request']>
export type AnswerOf<Op extends Operation> = z.output<Op['answer']>
