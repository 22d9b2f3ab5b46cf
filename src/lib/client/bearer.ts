/**
 * Area A on HTTP: plain JSON bodies or a query, a bearer token, errors as `{message, statusCode}`. The desk writes
 * requests and reads answers, the sandbox the other way round.
 */
import { readPayload, writePayload } from '../contract/core/field.ts'
import type { Members } from '../contract/core/members.ts'
import type { AnswerOf, Operation } from '../contract/operation.ts'
import type { HttpAnswer, HttpRequest } from '../http/message.ts'
import { isRecord, writeJson } from '../json.ts'
import { jsonHeaders, type Reading, readAnswer, readable } from './answer.ts'

/** Amounts become number tokens, digit for digit. */
export function writeBearerRequest(operation: Operation, request: Members, token: string | null): HttpRequest {
  const inBody = operation.carriedIn === 'body'
  const given = Object.entries(request).filter(([, value]) => value !== undefined)
  return {
    method: operation.method,
    path: operation.path,
    query: inBody ? [] : given.map(([name, value]) => [name, String(value)] as const),
    headers: {
      accept: 'application/json',
      ...(inBody ? jsonHeaders : {}),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: inBody ? writeJson(writePayload(operation.request, request)) : null,
  }
}

export interface PlainRequest extends Pick<HttpRequest, 'headers'> {
  /** As it came. */
  readonly payload: Record<string, unknown>
  /** Every value text, as the contract's rules expect it. */
  readonly read: Record<string, unknown>
}

/** Null if the body is no readable JSON object. */
export function readRequest(operation: Operation, http: HttpRequest): PlainRequest | null {
  if (operation.carriedIn === 'query') {
    const payload = Object.fromEntries(http.query)
    return { payload, read: payload, headers: http.headers }
  }
  const body = readable(http.body ?? '')
  return isRecord(body) ? { payload: body, read: readPayload(operation.request, body), headers: http.headers } : null
}

export function readToken(http: HttpRequest): string | null {
  return /^Bearer +([^\s]+)$/i.exec(http.headers.authorization ?? '')?.[1] ?? null
}

export function writeBearerAnswer(operation: Operation, value: unknown): HttpAnswer {
  return { status: 200, headers: jsonHeaders, body: writeJson(operation.wrapped ? { value } : value) }
}

/** Flat or wrapped in `value`. */
export function readBearerAnswer<Op extends Operation>(
  operation: Op,
  request: Members,
  http: HttpAnswer,
): Promise<Reading<AnswerOf<Op>>> {
  return readAnswer(operation, request, http, async (value) => ({ value }))
}
