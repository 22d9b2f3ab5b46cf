/** One request to the service and what its answer says; traced, never repeated. */
import type { AnswerOf, Operation } from '../contract/operation.ts'
import { type Reading, readAnswer, writeRequest } from '../wire/bearer.ts'
import { type HttpAnswer, type HttpRequest, target } from '../wire/message.ts'
import type { Line } from './line.ts'

export type Exchanged<Answer> =
  | Reading<Answer>
  | { readonly kind: 'unsent'; readonly why: string }
  | { readonly kind: 'unanswered'; readonly why: string }

/** The lines of a request as they leave; the redactor hides the secrets. */
function requestLines(baseUrl: string, request: HttpRequest): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `> ${name}: ${value}`)
  return [
    `> ${request.method} ${baseUrl}${target(request)}`,
    ...headers,
    ...(request.body ? [`> ${request.body}`] : []),
  ].join('\n')
}

function answerLines(answer: HttpAnswer, milliseconds: number): string {
  const headers = Object.entries(answer.headers).map(([name, value]) => `< ${name}: ${value}`)
  return [`< HTTP ${answer.status} after ${milliseconds} ms`, ...headers, `< ${answer.body}`].join('\n')
}

/** A service that repeats the token in its message must not bring it into the journal. */
function withoutToken<Answer>(read: Reading<Answer>, token: string | null): Reading<Answer> {
  if (token === null || read.kind === 'answer' || read.words.message === null) return read
  const words = { ...read.words, message: read.words.message.replaceAll(token, '[hidden]') }
  return { ...read, words } as Reading<Answer>
}

export async function exchange<Op extends Operation>(
  line: Line,
  operation: Op,
  request: Readonly<Record<string, unknown>>,
  token: string | null,
  deadline: number,
): Promise<Exchanged<AnswerOf<Op>>> {
  const { settings, signal, profile, tell } = line
  const http = writeRequest(operation, request, token)
  const left = Math.max(1, deadline - line.clock.now())
  tell.trace(requestLines(profile.baseUrl, http))
  const delivery = await line.transport(profile.baseUrl, http, {
    connectTimeout: Math.min(settings.connectTimeout, left),
    answerTimeout: Math.min(settings.answerTimeout, left),
    signal,
  })
  if (delivery.kind !== 'answered') {
    tell.trace(`< ${delivery.kind}: ${delivery.why}`)
    return delivery
  }
  tell.trace(answerLines(delivery.answer, delivery.milliseconds))
  return withoutToken(readAnswer(operation, delivery.answer), token)
}
