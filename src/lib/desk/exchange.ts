/** One request to the service and what its answer says; traced, never repeated. */
import type { AnswerOf, Operation } from '../contract/operation.ts'
import type { Seal } from '../envelope/seal.ts'
import { Failure } from '../failure.ts'
import type { Profile } from '../profile/profile.ts'
import type { Reading } from '../wire/answer.ts'
import * as bearer from '../wire/bearer.ts'
import { type HttpAnswer, type HttpRequest, target } from '../wire/message.ts'
import * as sealed from '../wire/sealed.ts'
import type { Line } from './line.ts'
import { masked, maskedAnswer, secretsIn } from './mask.ts'

export type Exchanged<Answer> =
  | Reading<Answer>
  | { readonly kind: 'unsent'; readonly why: string }
  | { readonly kind: 'unanswered'; readonly why: string }

type Values = Readonly<Record<string, unknown>>

function sealOf({ name, seal }: Profile): Seal {
  if (seal) return seal
  throw new Failure('bug', `profile ${name} was made ready without keys`, { moneyMoved: 'no' })
}

/** The request as it leaves. Throws Failure('usage') where a payload is too long for its envelope. */
export function encode(profile: Profile, operation: Operation, request: Values, token: string | null): HttpRequest {
  if (operation.wire === 'open' || operation.wire === 'bearer') return bearer.writeRequest(operation, request, token)
  return sealed.writeRequest(operation, request, sealOf(profile))
}

function decode<Op extends Operation>(
  profile: Profile,
  operation: Op,
  answer: HttpAnswer,
): Promise<Reading<AnswerOf<Op>>> {
  if (operation.wire === 'open' || operation.wire === 'bearer') return bearer.readBearerAnswer(operation, answer)
  return sealed.readSealedAnswer(operation, answer, sealOf(profile))
}

/** The lines of a request as they leave, and what is sealed in them; the redactor hides the secrets. */
function requestLines(baseUrl: string, operation: Operation, request: Values, http: HttpRequest): string {
  const headers = Object.entries(http.headers).map(([name, value]) => `> ${name}: ${value}`)
  const inside =
    operation.wire === 'sealed' || operation.wire === 'wallet'
      ? [`> sealed in it: ${sealed.payloadText(operation, masked(operation, request))}`]
      : []
  return [
    `> ${http.method} ${baseUrl}${target(http)}`,
    ...headers,
    ...(http.body ? [`> ${http.body}`] : []),
    ...inside,
  ].join('\n')
}

function answerLines(answer: HttpAnswer, milliseconds: number): string {
  const headers = Object.entries(answer.headers).map(([name, value]) => `< ${name}: ${value}`)
  return [`< HTTP ${answer.status} after ${milliseconds} ms`, ...headers, `< ${answer.body}`].join('\n')
}

/** A service that repeats a token, of access or of a card, must not bring it into the journal. */
function withoutSecrets<Answer>(
  operation: Operation,
  read: Reading<Answer>,
  secrets: readonly string[],
): Reading<Answer> {
  if (read.kind === 'answer') return { ...read, answer: maskedAnswer(operation, read.answer) }
  const { message } = read.words
  if (message === null) return read
  const cleaned = secrets.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), message)
  return { ...read, words: { ...read.words, message: cleaned } } as Reading<Answer>
}

export async function exchange<Op extends Operation>(
  line: Line,
  operation: Op,
  request: Values,
  token: string | null,
  deadline: number,
): Promise<Exchanged<AnswerOf<Op>>> {
  const { settings, signal, profile, tell } = line
  const http = encode(profile, operation, request, token)
  const left = Math.max(1, deadline - line.clock.now())
  tell.trace(requestLines(profile.baseUrl, operation, request, http))
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
  const read = await decode(profile, operation, delivery.answer)
  return withoutSecrets(operation, read, [...(token === null ? [] : [token]), ...secretsIn(operation, request)])
}
