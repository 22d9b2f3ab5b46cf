/**
 * What an answer says, whichever wire it came on: a success in the shape of the contract, an error with a code, or nothing
 * definite. What it means for the payment is decided elsewhere.
 */
import type { z } from 'zod'
import { complaint } from '../contract/complaint.ts'
import { JsonNumber } from '../contract/decimal.ts'
import type { AnswerOf, Operation } from '../contract/operation.ts'
import type { ServiceWords } from '../failure.ts'
import { isRecord, readJson, writeJson } from '../json.ts'
import type { HttpAnswer } from './message.ts'

export const jsonHeaders = { 'content-type': 'application/json' }

export type Reading<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** A body with a `statusCode`, whatever the HTTP status: it is decided by code (and group), never by HTTP (observed 5, 6). */
  | { readonly kind: 'coded'; readonly words: ServiceWords & { readonly statusCode: number } }
  | { readonly kind: 'unauthorised'; readonly words: ServiceWords }
  /** 429, or 503 with a Retry-After. `retryAfter` in seconds or an HTTP date, as it came. */
  | { readonly kind: 'busy'; readonly words: ServiceWords; readonly retryAfter: string | null }
  | { readonly kind: 'redirect'; readonly words: ServiceWords; readonly location: string | null }
  /** No definite answer: HTML, cut short, a wrong shape, an envelope that does not open, a status without a refusal body. */
  | { readonly kind: 'nonsense'; readonly words: ServiceWords; readonly why: string }

/** What stands in a successful body: the value itself, or why it cannot be read. */
export type Content = { readonly value: unknown } | { readonly why: string }

/** The value of a JSON text; undefined where it is none. */
export function readable(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}

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

/** Reads an answer; `contentOf` takes the value out of a body that came with a success. */
export async function readAnswer<Op extends Operation>(
  operation: Op,
  http: HttpAnswer,
  contentOf: (body: unknown) => Promise<Content>,
): Promise<Reading<AnswerOf<Op>>> {
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
    if (operation.emptyAnswer && http.body.trim() === '') return { kind: 'answer', answer: {} as AnswerOf<Op> }
    const read = body === undefined ? null : await readSuccess(operation, body, contentOf)
    if (read?.ok) return { kind: 'answer', answer: read.answer }
    why = read?.why ?? why
  }
  if (words.statusCode !== null) return { kind: 'coded', words: { ...words, statusCode: words.statusCode } }
  return { kind: 'nonsense', words, why }
}

async function readSuccess<Op extends Operation>(
  operation: Op,
  body: unknown,
  contentOf: (body: unknown) => Promise<Content>,
): Promise<{ readonly ok: true; readonly answer: AnswerOf<Op> } | { readonly ok: false; readonly why: string }> {
  const content = await contentOf(body)
  if ('why' in content) return { ok: false, why: content.why }
  const { value } = content
  // The documented answer of some operations stands inside `value`; both are accepted of all.
  const wrapped = isRecord(value) && isRecord(value.value) ? value.value : undefined
  const read = operation.answer.safeParse(wrapped ?? value, { error: complaint })
  if (read.success) return { ok: true, answer: read.data as AnswerOf<Op> }
  return { ok: false, why: `the answer has the wrong shape: ${firstIssue(read.error)}` }
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue ? `${issue.path.join('.') || 'body'}: ${issue.message}` : 'unreadable'
}

/** An error answer in the documented shape, never sealed; more members only where a recorded shape asks for them. */
export function writeError(status: number, members: Readonly<Record<string, unknown>>): HttpAnswer {
  return { status, headers: jsonHeaders, body: writeJson(members) }
}
