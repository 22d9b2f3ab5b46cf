/**
 * Area A on HTTP (specification A, Authentication): plain JSON bodies or a query, a bearer token, errors as
 * `{message, statusCode}`. Both directions: the desk writes requests and reads answers, the sandbox the other way round.
 */
import type { z } from 'zod'
import { JsonNumber, plainDecimal } from '../contract/decimal.ts'
import { type Field, fieldsOf } from '../contract/field.ts'
import type { AnswerOf, Operation } from '../contract/operation.ts'
import type { ServiceWords } from '../failure.ts'
import { isRecord, readJson, writeJson } from '../json.ts'
import type { HttpAnswer, HttpRequest } from './message.ts'

const json = { 'content-type': 'application/json' }

function numbers(fields: readonly Field[]): ReadonlySet<string> {
  return new Set(fields.filter((field) => field.json === 'number').map((field) => field.name))
}

/** The request of an operation whose values are text inside. Amounts become number tokens, digit for digit. */
export function writeRequest(
  operation: Operation,
  request: Readonly<Record<string, unknown>>,
  token: string | null,
): HttpRequest {
  const given = Object.entries(request).filter(([, value]) => value !== undefined)
  const asNumber = numbers(fieldsOf(operation.request))
  const inBody = operation.carriedIn === 'body'
  return {
    method: operation.method,
    path: operation.path,
    query: inBody ? [] : given.map(([name, value]) => [name, String(value)] as const),
    headers: {
      accept: 'application/json',
      ...(inBody ? json : {}),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: inBody
      ? writeJson(
          Object.fromEntries(
            given.map(([name, value]) => [name, asNumber.has(name) ? new JsonNumber(String(value)) : value]),
          ),
        )
      : null,
  }
}

/**
 * What arrived at the service, every value text as the contract's rules expect it. Null members count as absent. Numbers
 * are taken by value, and as text where people's clients send text. Null if the body is no readable JSON object.
 */
export function readRequest(operation: Operation, http: HttpRequest): Record<string, unknown> | null {
  const fields = fieldsOf(operation.request)
  if (operation.carriedIn === 'query') {
    const known = new Set(fields.map((field) => field.name))
    return Object.fromEntries(http.query.filter(([name]) => known.has(name)))
  }
  const asNumber = numbers(fields)
  const body = readable(http.body ?? '')
  if (!isRecord(body)) return null
  const given = Object.entries(body).filter(([, value]) => value !== null)
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      asNumber.has(name) && value instanceof JsonNumber ? (plainDecimal(value.text) ?? value) : value,
    ]),
  )
}

function readable(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}

/** The bearer token of a request, null where there is none. */
export function readToken(http: HttpRequest): string | null {
  return /^Bearer +([^\s]+)$/i.exec(http.headers.authorization ?? '')?.[1] ?? null
}

/** A successful answer in the documented shape. */
export function writeAnswer(operation: Operation, value: Readonly<Record<string, unknown>>): HttpAnswer {
  return { status: 200, headers: json, body: writeJson(operation.wrapped ? { value } : value) }
}

/** An error answer in the documented shape; more members only where a recorded shape asks for them. */
export function writeError(status: number, members: Readonly<Record<string, unknown>>): HttpAnswer {
  return { status, headers: json, body: writeJson(members) }
}

/** What an answer says, before anybody decides what it means for the payment. */
export type Reading<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** A body with a `statusCode`, whatever the HTTP status: area A is decided by code alone (observed 5). */
  | { readonly kind: 'coded'; readonly words: ServiceWords & { readonly statusCode: number } }
  | { readonly kind: 'unauthorised'; readonly words: ServiceWords }
  /** 429, or 503 with a Retry-After. `retryAfter` in seconds or an HTTP date, as it came. */
  | { readonly kind: 'busy'; readonly words: ServiceWords; readonly retryAfter: string | null }
  | { readonly kind: 'redirect'; readonly words: ServiceWords; readonly location: string | null }
  /** No definite answer: HTML, cut short, a wrong shape, a status without a refusal body. */
  | { readonly kind: 'nonsense'; readonly words: ServiceWords; readonly why: string }

function wordsOf(http: number, body: unknown): ServiceWords {
  const members = isRecord(body) ? body : {}
  const whole = (value: unknown) =>
    value instanceof JsonNumber && /^\d{1,9}$/.test(value.text) ? Number(value.text) : null
  return {
    http,
    statusCode: whole(members.statusCode),
    exceptionGroup: whole(members.exceptionGroup),
    message: typeof members.message === 'string' ? members.message : null,
  }
}

/** Reads an answer of area A, flat or wrapped in `value`. */
export function readAnswer<Op extends Operation>(operation: Op, http: HttpAnswer): Reading<AnswerOf<Op>> {
  const body = readable(http.body)
  const words = wordsOf(http.status, body)
  if (http.status >= 300 && http.status < 400) {
    return { kind: 'redirect', words, location: http.headers.location ?? null }
  }
  if (http.status === 401) return { kind: 'unauthorised', words }
  const retryAfter = http.headers['retry-after'] ?? null
  if (http.status === 429 || (http.status === 503 && retryAfter !== null)) return { kind: 'busy', words, retryAfter }
  let why = body === undefined ? 'the answer is not JSON' : `the answer has HTTP status ${http.status} and no code`
  if (http.status >= 200 && http.status < 300) {
    const read = readShape(operation, body)
    if (read.success) return { kind: 'answer', answer: read.data as AnswerOf<Op> }
    if (body !== undefined) why = `the answer has the wrong shape: ${firstIssue(read.error)}`
  }
  if (words.statusCode !== null) return { kind: 'coded', words: { ...words, statusCode: words.statusCode } }
  return { kind: 'nonsense', words, why }
}

function readShape(operation: Operation, body: unknown) {
  const wrapped = isRecord(body) && isRecord(body.value) ? body.value : undefined
  return operation.answer.safeParse(wrapped ?? body)
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue ? `${issue.path.join('.') || 'body'}: ${issue.message}` : 'unreadable'
}
