/** One request to the service and what its answer says; traced, never repeated. `Line` is who asks, over which transport, and how long. */
import type { Members } from '../contract/core/members.ts'
import { cardTokensIn, withoutCardTokens } from '../contract/mask.ts'
import type { AnswerOf, Operation, RequestOf } from '../contract/operation.ts'
import type { Clock, Random } from '../edge.ts'
import type { Seal } from '../envelope/scheme.ts'
import { Failure } from '../failure.ts'
import type { Naming } from '../hint.ts'
import type { SendLimits, Transmission, Transport } from '../http/client.ts'
import type { HttpAnswer, HttpRequest } from '../http/message.ts'
import { shortened } from '../text.ts'
import type { Reading } from './answer.ts'
import * as bearer from './bearer.ts'
import { requestSecrets } from './mask.ts'
import * as sealed from './sealed.ts'
import { describeAnswer, describeReading, describeRequest, maskTokens, secretOf } from './trace.ts'

export interface LineSettings {
  /** For a whole command, repeats included, from after the last question. Milliseconds. */
  readonly timeout: number
  readonly connectTimeout: number
  readonly answerTimeout: number
}

export const usualSettings: LineSettings = { timeout: 120_000, connectTimeout: 5_000, answerTimeout: 30_000 }

/** The caller's own key and the id of the thing, as far as known. */
export interface Reference {
  readonly key: string | null
  readonly id: string | null
}

/** A rest before a thing is looked at again; `status`: its last one. */
export interface Rest extends Reference {
  readonly status: string | null
}

/** One request and what came of it on the wire; holds secrets. */
export interface WireExchange {
  readonly operation: Operation
  readonly request: Members
  readonly baseUrl: string
  readonly http: HttpRequest
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly transmission: Transmission
  /** Undefined where it was not sealed, or did not open. */
  readonly opened?: unknown
}

/** A place among the writes that leave side by side. The time of a write stands still while it waits there. */
export interface PlaceInLine {
  /**
   * Does a request and its answer, when that may leave. `isCalledOff`: nothing of it will leave, so it need not wait.
   */
  within<Result>(work: () => Promise<Result>, isCalledOff: () => boolean): Promise<Result>
  /** Milliseconds waited so far. */
  readonly waited: number
  /** Called when it may have been executed, and is sent once more; `isUnanswered`: without a definite answer. */
  sentAgain(isUnanswered: boolean): void
}

interface Sender {
  readonly name: string
  readonly service: string
  readonly baseUrl: string
  readonly clientId: string
  /** Throws Failure('credentials'). */
  readonly clientSecret: () => Promise<string>
  /** Null in area A. */
  readonly seal: Seal | null
}

export interface Line {
  readonly profile: Sender
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  readonly settings: LineSettings
  readonly signal: AbortSignal
  /** Absent where every request may leave at once. */
  readonly place?: PlaceInLine
  /** What a line to paste must name to ask as this profile. */
  readonly naming: Naming
  /** Takes down every exchange. */
  readonly record?: (exchange: WireExchange) => void
  readonly tell: {
    /** A step for `--trace`; may hold secrets: it goes through the redactor. */
    readonly trace: (line: () => string) => void
    /** A remark for a person who waits. */
    readonly say: (line: string, about?: Reference) => void
    /** Gives back what is called at the end of the rest. */
    readonly rest: (rest: Rest) => () => void
    /** A secret that must be seen nowhere from now on. */
    readonly hide: (secret: string) => void
    /** Without the secrets that came up so far. */
    readonly redact: <Value>(value: Value) => Value
  }
}

export function countWaiting({ place }: Pick<Line, 'place'>): () => number {
  if (!place) return () => 0
  const before = place.waited
  return () => place.waited - before
}

/** Moves on while the line waits for its place. Milliseconds since 1970. */
export function makeDeadline(line: Pick<Line, 'place'>, deadline: number): () => number {
  const waited = countWaiting(line)
  return () => deadline + waited()
}

export type Exchanged<Answer> =
  | Reading<Answer>
  | { readonly kind: 'unsent'; readonly why: string }
  | { readonly kind: 'unanswered'; readonly why: string }

type OnConnection = { readonly isReused?: boolean }

interface Leaving extends Pick<SendLimits, 'objection' | 'isPooled'> {
  /** Of its order, where the request names none. */
  readonly currency?: string | null
  /** True if it does not leave any more. */
  readonly isPastSending?: () => boolean
  /** Done when its turn has come, before it leaves. */
  readonly ready?: () => Promise<void>
}

function sealOf({ name, seal }: Pick<Sender, 'name' | 'seal'>): Seal {
  if (seal) return seal
  throw new Failure('bug', `profile ${name} was opened without keys`, { moneyMoved: 'no' })
}

/** Throws usage (2) where a payload is too long for its envelope. */
export function encode(
  profile: Pick<Sender, 'name' | 'seal'>,
  operation: Operation,
  request: Members,
  token: string | null,
): HttpRequest {
  if (operation.wire === 'open' || operation.wire === 'bearer')
    return bearer.writeBearerRequest(operation, request, token)
  return sealed.writeSealedRequest(operation, request, sealOf(profile))
}

function decode<Op extends Operation>(
  profile: Sender,
  operation: Op,
  request: Members,
  answer: HttpAnswer,
): Promise<Reading<AnswerOf<Op>>> {
  if (operation.wire === 'open' || operation.wire === 'bearer')
    return bearer.readBearerAnswer(operation, request, answer)
  return sealed.readSealedAnswer(operation, request, answer, sealOf(profile))
}

/** Takes tokens of access and cards out of an answer, but for the two operations that read one. */
function removeSecrets<Answer>(operation: Operation, read: Reading<Answer>, tell: Line['tell']): Reading<Answer> {
  if (read.kind !== 'accepted') {
    const { message } = read.words
    // A sign-in that is refused may quote what it would have given.
    const words =
      secretOf(operation) === 'access token' ? { ...read.words, message: message && maskTokens(message) } : {}
    const cleaned = tell.redact({ ...read, words: { ...read.words, ...words } })
    // Cut only now: half a secret would not be found.
    const short = cleaned.words.message === null ? null : shortened(cleaned.words.message)
    return { ...cleaned, words: { ...cleaned.words, message: short } } as Reading<Answer>
  }
  if (secretOf(operation) !== null) return read
  return { ...read, answer: tell.redact(withoutCardTokens(read.answer)) as Answer }
}

/** From here on nothing shows a token of the answer. */
function hideTokens(operation: Operation, read: Reading<unknown>, tell: Line['tell']): void {
  if (read.kind !== 'accepted' || secretOf(operation) !== null) return
  for (const token of cardTokensIn(read.answer)) tell.hide(token)
}

const atOnce = <Result>(work: () => Promise<Result>): Promise<Result> => work()

/** Its time begins when it may leave. */
export async function exchange<Op extends Operation>(
  line: Line,
  operation: Op,
  request: RequestOf<Op>,
  token: string | null,
  deadline: number,
  {
    objection = () => null,
    isPastSending = () => objection() !== null,
    isPooled = false,
    ready,
    currency = null,
  }: Leaving = {},
): Promise<Exchanged<AnswerOf<Op>> & OnConnection> {
  const { settings, signal, profile, tell, clock, place = { within: atOnce } } = line
  const http = encode(profile, operation, request, token)
  for (const secret of [...(token === null ? [] : [token]), ...requestSecrets(operation, request)]) tell.hide(secret)
  const late = objection()
  if (late !== null) return { kind: 'unsent', why: late }
  const until = makeDeadline(line, deadline)
  const compared = currency === null ? request : { currency, ...request }
  let startedAt = 0
  const sent = async () => {
    await ready?.()
    startedAt = clock.now()
    const left = Math.max(1, until() - startedAt)
    tell.trace(() => describeRequest(profile.baseUrl, operation, request, http))
    return line.transport(profile.baseUrl, http, {
      connectTimeout: Math.min(settings.connectTimeout, left),
      answerTimeout: Math.min(settings.answerTimeout, left),
      signal,
      objection,
      isPooled,
    })
  }
  const transmission = await place.within(sent, isPastSending)
  const seen = { operation, request, baseUrl: profile.baseUrl, http, startedAt, transmission }
  if (transmission.kind !== 'answered') {
    tell.trace(() => `< ${transmission.kind}: ${transmission.why}`)
    line.record?.(seen)
    return transmission
  }
  const { answer, milliseconds, phases, isReused = false } = transmission
  const answered = await decode(profile, operation, compared, answer)
  hideTokens(operation, answered, tell)
  tell.trace(() => describeAnswer(operation, answer, milliseconds, phases))
  tell.trace(() => describeReading(operation, answered))
  line.record?.(answered.kind === 'accepted' ? { ...seen, opened: answered.answer } : seen)
  return { ...removeSecrets(operation, answered, tell), isReused }
}
