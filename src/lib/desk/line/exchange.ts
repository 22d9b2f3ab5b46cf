/** One request to the service and what its answer says; traced, never repeated. */

import type { Reading } from '../../client/answer.ts'
import * as bearer from '../../client/bearer.ts'
import * as sealed from '../../client/sealed.ts'
import type { Members } from '../../contract/core/members.ts'
import { cardTokensIn, withoutCardTokens } from '../../contract/mask.ts'
import type { AnswerOf, Operation, RequestOf } from '../../contract/operation.ts'
import type { Seal } from '../../envelope/seal.ts'
import { Failure } from '../../failure.ts'
import type { SendLimits } from '../../http/client.ts'
import type { HttpAnswer, HttpRequest } from '../../http/message.ts'
import { shortened } from '../../limits.ts'
import type { Profile } from '../../profile/profile.ts'
import type { Line } from '../desk.ts'
import { requestSecrets } from '../receipt/mask.ts'
import { moving } from './time.ts'
import { answerLines, gives, readLines, requestLines, withoutTokens } from './trace.ts'

export type Exchanged<Answer> =
  | Reading<Answer>
  | { readonly kind: 'unsent'; readonly why: string }
  | { readonly kind: 'unanswered'; readonly why: string }

/** `isReused`: the connection had carried another request before. */
export type OnConnection = { readonly isReused?: boolean }

/** The way in which a request leaves. */
export interface Leaving extends Pick<SendLimits, 'objection' | 'isPooled'> {
  /** The currency of its order, where the request names none and the journal knows it. */
  readonly currency?: string | null
  /** True if it does not leave any more, whatever is made ready when its turn comes. */
  readonly staysHere?: () => boolean
  /** Done when its turn has come, before it leaves. */
  readonly ready?: () => Promise<void>
}

function sealOf({ name, seal }: Profile): Seal {
  if (seal) return seal
  throw new Failure('bug', `profile ${name} was made ready without keys`, { moneyMoved: 'no' })
}

/** The request as it leaves. Throws Failure('usage') where a payload is too long for its envelope. */
export function encode(profile: Profile, operation: Operation, request: Members, token: string | null): HttpRequest {
  if (operation.wire === 'open' || operation.wire === 'bearer')
    return bearer.writeBearerRequest(operation, request, token)
  return sealed.writeSealedRequest(operation, request, sealOf(profile))
}

function decode<Op extends Operation>(
  profile: Profile,
  operation: Op,
  request: Members,
  answer: HttpAnswer,
): Promise<Reading<AnswerOf<Op>>> {
  if (operation.wire === 'open' || operation.wire === 'bearer')
    return bearer.readBearerAnswer(operation, request, answer)
  return sealed.readSealedAnswer(operation, request, answer, sealOf(profile))
}

/**
 * Takes the tokens out of an answer that quotes one, of access or of a card: none may come into the journal or onto a screen.
 * Members of such a name hold one; only the two operations that exist to read a token are given it.
 */
function withoutSecrets<Answer>(operation: Operation, read: Reading<Answer>, tell: Line['tell']): Reading<Answer> {
  if (read.kind !== 'accepted') {
    const { message } = read.words
    // A sign-in that is refused may quote what it would have given.
    const words =
      gives(operation) === 'access token' ? { ...read.words, message: message && withoutTokens(message) } : {}
    const cleaned = tell.redact({ ...read, words: { ...read.words, ...words } })
    // Cut only now: half a secret would not be found.
    const short = cleaned.words.message === null ? null : shortened(cleaned.words.message)
    return { ...cleaned, words: { ...cleaned.words, message: short } } as Reading<Answer>
  }
  if (gives(operation) !== null) return read
  return { ...read, answer: tell.redact(withoutCardTokens(read.answer)) as Answer }
}

/** From here on nothing shows a token that an answer has, but for an operation that is there to give it. */
function hideTokens(operation: Operation, read: Reading<unknown>, tell: Line['tell']): void {
  if (read.kind !== 'accepted' || gives(operation) !== null) return
  for (const token of cardTokensIn(read.answer)) tell.hide(token)
}

/** Does the work at once, where nothing has to wait for its place. */
const atOnce = <Result>(work: () => Promise<Result>): Promise<Result> => work()

/** `leaving`: how it leaves, as of a transport. Its time begins when it may leave. */
export async function exchange<Op extends Operation>(
  line: Line,
  operation: Op,
  request: RequestOf<Op>,
  token: string | null,
  deadline: number,
  {
    objection = () => null,
    staysHere = () => objection() !== null,
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
  const until = moving(line, deadline)
  const compared = currency === null ? request : { currency, ...request }
  let startedAt = 0
  const sent = async () => {
    await ready?.()
    startedAt = clock.now()
    const left = Math.max(1, until() - startedAt)
    tell.trace(() => requestLines(profile.baseUrl, operation, request, http))
    return line.transport(profile.baseUrl, http, {
      connectTimeout: Math.min(settings.connectTimeout, left),
      answerTimeout: Math.min(settings.answerTimeout, left),
      signal,
      objection,
      isPooled,
    })
  }
  const transmission = await place.within(sent, staysHere)
  const seen = { operation, request, baseUrl: profile.baseUrl, http, startedAt, transmission }
  if (transmission.kind !== 'answered') {
    tell.trace(() => `< ${transmission.kind}: ${transmission.why}`)
    line.record?.(seen)
    return transmission
  }
  const { answer, milliseconds, phases, isReused = false } = transmission
  const answered = await decode(profile, operation, compared, answer)
  hideTokens(operation, answered, tell)
  tell.trace(() => answerLines(operation, answer, milliseconds, phases))
  tell.trace(() => readLines(operation, answered))
  line.record?.(answered.kind === 'accepted' ? { ...seen, opened: answered.answer } : seen)
  return { ...withoutSecrets(operation, answered, tell), isReused }
}
