/**
 * The two shapes of answers: as the specification documents them (the default) and as they were recorded at the live service.
 * Decisions are the same in both; only the writing differs, and it differs in this file alone.
 */

import { writeError } from '../client/answer.ts'
import { writeBearerAnswer } from '../client/bearer.ts'
import { badTokenHttp, codedErrorHttp, groupHttp, payoutErrorGroups, turnedAwayGroups } from '../contract/assumed.ts'
import { orderCodes, payoutCodes } from '../contract/codes/code-book.ts'
import type { Area, Operation } from '../contract/operation.ts'
import type { HttpAnswer } from '../http/message.ts'

export const shapes = ['documented', 'recorded'] as const
export type Shape = (typeof shapes)[number]

export interface Refusal {
  readonly code: number
  readonly message: string
  readonly http?: number
  /** The rule of the specification that decided it, for the log; where none is named the code speaks. */
  readonly rule?: string
}

/** The answer of a success, before it is written. */
export type Answer = Readonly<Record<string, unknown>> | readonly unknown[]

export type Settled<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** No token, or not a good one. */
  | { readonly kind: 'unauthenticated' }

export type HandlerOutcome = Settled<Answer>

/** Ends the work on a request, wherever it stands; its route writes the refusal. Null: no token, or not a good one. */
export class Refused extends Error {
  readonly refusal: Refusal | null

  constructor(refusal: Refusal | null) {
    super(refusal?.message)
    this.refusal = refusal
  }
}

export function refuse(code: number, message: string, more: Omit<Refusal, 'code' | 'message'> = {}): never {
  throw new Refused({ code, message, ...more })
}

/** Inside a transaction it keeps what was written before the refusal, such as the moves that were due. */
export async function settle<Value>(work: () => Promise<Value>): Promise<Settled<Value>> {
  try {
    return { kind: 'value', value: await work() }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return error.refusal ? { kind: 'refused', refusal: error.refusal } : { kind: 'unauthenticated' }
  }
}

/** Texts that were recorded, to the letter (service.md#seen-since): one of them ends with a blank. The log has words of its own. */
const recordedTexts: Readonly<Record<number, string>> = {
  5003: 'Client not found for given id.',
  5021: 'Incorrect credentials',
  5023: 'To iban has invalid format, ',
  5038: "Couldn't make transaction. Insufficient balance amount",
  5045: 'Amount below minimum transaction amount.',
  5046: 'Amount above maximum transaction amount.',
}

function writeRefusal({ code, message, http = codedErrorHttp }: Refusal, shape: Shape): HttpAnswer {
  if (shape === 'documented') return writeError(http, { message, statusCode: code })
  const exceptionGroup = payoutCodes.get(code)?.group ?? payoutErrorGroups[code] ?? null
  return writeError(http, { message: recordedTexts[code] ?? message, statusCode: code, exceptionGroup })
}

function writeUnauthenticated(shape: Shape): HttpAnswer {
  if (shape === 'documented') {
    return writeError(badTokenHttp, {
      message: 'Incorrect credentials: the access token is missing, wrong or expired',
      statusCode: 5021,
    })
  }
  return writeError(badTokenHttp, {
    application_name: null,
    method_name: null,
    exception_name: null,
    status: null,
    message: 'Authentication failed',
    timestamp: null,
  })
}

/** An error of areas B, C and D: plain, never sealed, the HTTP status by its group. */
export function writeSealedRefusal({ code, message, http }: Refusal): HttpAnswer {
  const exceptionGroup = orderCodes.get(code)?.group ?? 6
  return writeError(http ?? groupHttp[exceptionGroup] ?? 500, { message, statusCode: code, exceptionGroup })
}

/** The answer to a request that is not let in, where the specification describes no token. */
export function writeUnauthorised(shape: Shape, area: Area): HttpAnswer {
  return area === 'A' ? writeUnauthenticated(shape) : writeError(badTokenHttp, { message: 'Unauthorized' })
}

export function writeGeneralFailure(shape: Shape, area: Area = 'A'): HttpAnswer {
  if (area !== 'A') return writeSealedRefusal({ code: 6054, message: 'General failure' })
  return writeRefusal({ code: 5040, message: 'General failure', http: 500 }, shape)
}

/** The answer to a request that comes to no operation, in the form of the area's errors. */
export function writeTurnedAway(status: keyof typeof turnedAwayGroups, message: string, area: Area): HttpAnswer {
  const group = area === 'A' ? {} : { exceptionGroup: turnedAwayGroups[status] }
  return writeError(status, { message, statusCode: status, ...group })
}

export function writeOutcome(operation: Operation, outcome: HandlerOutcome, shape: Shape): HttpAnswer {
  if (outcome.kind === 'unauthenticated') return writeUnauthenticated(shape)
  if (outcome.kind === 'refused') return writeRefusal(outcome.refusal, shape)
  return writeBearerAnswer(operation, outcome.value)
}
