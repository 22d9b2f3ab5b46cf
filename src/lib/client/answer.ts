/**
 * The reading of an answer, whichever wire it came on: a success in the shape of the contract, an error with a code, or
 * nothing definite. Its meaning for the payment is decided elsewhere.
 */

import type { z } from 'zod'
import { complaint } from '../contract/core/complaint.ts'
import type { Members } from '../contract/core/members.ts'
import type { AnswerOf, Operation } from '../contract/operation.ts'
import type { ServiceWords } from '../failure.ts'
import type { HttpAnswer } from '../http/message.ts'
import { excessIn, isRecord, readMessage, writeJson } from '../json.ts'
import { besideCode, type Content } from './code-alone.ts'
import { codeCarrier, numberTold, wholeNumber } from './complaints.ts'
import { placesOf, twoCardsIn, withOneAddress } from './given.ts'
import type { Beneath, Reading } from './reading.ts'
import {
  contradictionIn,
  hidesStatus,
  inTheClear,
  isEnvelope,
  objectionTo,
  refusalBelow,
  type ToldPlaces,
  withAllTold,
} from './told.ts'

export const jsonHeaders = { 'content-type': 'application/json' }

/** The value of a JSON text; undefined where it is none, or too much. */
export function readable(text: string): unknown {
  try {
    return readMessage(text)
  } catch {
    return undefined
  }
}

function whyUnread(text: string): string {
  const excess = /^\s*[[{]/.test(text) ? excessIn(text) : null
  return excess === null ? 'the answer is not JSON' : `the answer has ${excess}`
}

function wordsOf(http: number, body: unknown): ServiceWords {
  const members = isRecord(body) ? body : {}
  return {
    http,
    statusCode: wholeNumber(members.statusCode),
    exceptionGroup: numberTold(members.exceptionGroup),
    message: typeof members.message === 'string' ? members.message : null,
  }
}

/** Reads an answer; `contentOf` takes the value out of a body that came with a success. */
export async function readAnswer<Op extends Operation>(
  operation: Op,
  http: HttpAnswer,
  contentOf: (body: unknown) => Promise<Content>,
): Promise<Reading<AnswerOf<Op>>> {
  const body = readable(http.body)
  const opened = isEnvelope(body) ? await contentOf(body) : null
  const carrier = codeCarrier(body)
  const words = wordsOf(http.status, carrier ?? body)
  const under = beneath(http.body, body, opened)
  if (http.status >= 300 && http.status < 400) {
    return { kind: 'redirect', words, location: http.headers.location ?? null, beneath: under }
  }
  if (http.status === 401) return { kind: 'unauthorised', words, beneath: under }
  const retryAfter = http.headers['retry-after'] ?? null
  if (http.status === 429) return { kind: 'busy', words, retryAfter, beneath: under }
  if (http.status === 503) return { kind: 'unavailable', words, retryAfter, beneath: under }
  const read = await decided(operation, http, contentOf, { body, opened, carrier, words, under })
  return read.kind === 'nonsense' ? { ...read, beneath: under } : read
}

interface Opened {
  readonly body: unknown
  readonly opened: Content | null
  readonly carrier: Members | null
  readonly words: ServiceWords
  readonly under: Beneath
}

/** One that was taken, or refused, by what it says. */
async function decided<Op extends Operation>(
  operation: Op,
  http: HttpAnswer,
  contentOf: (body: unknown) => Promise<Content>,
  { body, opened, carrier, words, under }: Opened,
): Promise<Reading<AnswerOf<Op>>> {
  const places = placesOf(body, opened, operation)
  const twice = contradictionIn(places) ?? twoCardsIn(places, operation)
  if (twice !== null) return { kind: 'nonsense', words, why: `the answer contradicts itself: it tells two of ${twice}` }
  // A code beside the envelope or beside the members of a success counts as one that stands alone.
  // 206 is a part of an answer.
  const isSuccess = http.status >= 200 && http.status < 300 && http.status !== 206
  if (carrier && http.status === 206) return { kind: 'nonsense', words, why: 'the answer is a part of one (HTTP 206)' }
  if (carrier && (isSuccess || words.statusCode !== null)) return codedOr(words, under, besideCode(body, opened))
  if (!isSuccess) {
    // The service never seals an error, but a code counts in an envelope, too.
    const inside = opened && 'value' in opened ? codeCarrier(opened.value) : null
    if (inside) return codedOr(wordsOf(http.status, inside), under, besideCode(body, opened))
    const why = body === undefined ? whyUnread(http.body) : `the answer has HTTP status ${http.status} and no code`
    return { kind: 'nonsense', words, why }
  }
  if (http.body.trim() === '') return readEmpty(operation, http, words)
  return body === undefined
    ? { kind: 'nonsense', words, why: whyUnread(http.body) }
    : readSuccess(operation, opened ?? (await contentOf(body)), words, { places, clear: opened && inTheClear(body) })
}

function beneath(text: string, body: unknown, opened: Content | null): Beneath {
  if (body === undefined) return /^\s*(?:<|$)/.test(text) ? null : { why: 'the answer is neither JSON nor a page' }
  if (opened !== null) return { ...opened, clear: inTheClear(body) }
  return isRecord(body) && Object.keys(body).length === 0 ? null : { value: body }
}

/**
 * A code decides, whatever the HTTP status: by code (and group), never by HTTP. One that cannot be read decides nothing, and
 * neither does one that something beside it contradicts.
 */
function codedOr<Answer>(words: ServiceWords, beneath: Beneath, beside: string | null): Reading<Answer> {
  const { statusCode } = words
  if (beside !== null) return { kind: 'nonsense', words, why: beside }
  if (statusCode !== null) return { kind: 'coded', words: { ...words, statusCode }, beneath }
  return { kind: 'nonsense', words, why: 'the answer has a statusCode that is no code' }
}

/** Success without a body, where the contract has it. One that ends with its connection may have been cut short. */
function readEmpty<Op extends Operation>(
  { emptyAnswer }: Op,
  { headers, status, body }: HttpAnswer,
  words: ServiceWords,
): Reading<AnswerOf<Op>> {
  if (body !== '' || (status !== 200 && status !== 204)) {
    return { kind: 'nonsense', words, why: `the answer has HTTP status ${status} and says nothing` }
  }
  const isWhole = status === 204 || headers['content-length'] !== undefined || 'transfer-encoding' in headers
  if (emptyAnswer && isWhole) return { kind: 'answer', answer: {} as AnswerOf<Op> }
  const why = emptyAnswer ? 'the answer is empty, and nothing says that it is whole' : 'the answer is not JSON'
  return { kind: 'nonsense', words, why }
}

function readSuccess<Op extends Operation>(
  operation: Op,
  content: Content,
  words: ServiceWords,
  { places, clear }: { readonly places: ToldPlaces; readonly clear: Members | null },
): Reading<AnswerOf<Op>> {
  const nonsense = (why: string) => ({ kind: 'nonsense', words, why }) as const
  if ('why' in content) return nonsense(content.why)
  const { value } = content
  const carrier = codeCarrier(value)
  if (carrier) return codedOr(wordsOf(words.http ?? 200, carrier), { value }, besideCode(value, null))
  // The documented answer of some operations stands inside `value`; both are accepted of all.
  const inside = isRecord(value) && isRecord(value.value) ? value.value : value
  const isRead = operation.effect === 'read'
  const objection = objectionTo(places, inside, operation) ?? (isRead ? null : refusalBelow([value, clear], inside))
  if (objection !== null) return nonsense(objection)
  const read = operation.answer.safeParse(inside, { error: complaint })
  if (!read.success) return nonsense(`the answer has the wrong shape: ${firstIssue(read.error)}`)
  if (!isRead && hidesStatus(read.data, places)) {
    return nonsense('the answer tells a status, but not where one is read')
  }
  const answer = withAllTold(read.data as AnswerOf<Op>, places)
  return { kind: 'answer', answer: isRead ? answer : withOneAddress(answer, [value, clear]) }
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue ? `${issue.path.join('.') || 'body'}: ${issue.message}` : 'unreadable'
}

/** An error answer in the documented shape, never sealed; more members only where a recorded shape asks for them. */
export function writeError(status: number, members: Members): HttpAnswer {
  return { status, headers: jsonHeaders, body: writeJson(members) }
}
