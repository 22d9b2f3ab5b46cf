/** The effect of a fault on an answer: another one, or none. Pure; the holder of the socket applies it (`break.ts`). */

import { writeError } from '../../client/answer.ts'
import type { Area } from '../../contract/operation.ts'
import type { HttpAnswer } from '../../http/message.ts'
import { type Shape, writeGeneralFailure, writeUnauthorised } from '../shape.ts'

/** `truncate` closes the connection in the middle of the answer; `half-written` leaves it open, until the client gives up. */
export const answerFaultKinds = [
  'reset',
  'hang',
  'html502',
  'json500',
  'truncate',
  'garbage',
  '401',
  '429',
  'half-written',
] as const
export type AnswerFaultKind = (typeof answerFaultKinds)[number]

export type FaultedAnswer =
  | { readonly kind: 'answered'; readonly answer: HttpAnswer }
  /** No whole answer: `answer` is what one that comes in part would have been. */
  | {
      readonly kind: 'broken'
      readonly how: 'reset' | 'hang' | 'truncate' | 'half-written'
      readonly answer?: HttpAnswer
    }

const html =
  '<!doctype html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n'

/** The answer to a request that the service never saw: only its first half is ever sent. */
const madeUp: HttpAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"value":{"message":"this answer was cut in the middle"}}',
}

/** `answer` is null where the service never saw the request. `retryAfter`: seconds, of a 429. */
export function injectFault(
  kind: AnswerFaultKind,
  answer: HttpAnswer | null,
  shape: Shape,
  area: Area = 'A',
  retryAfter = 1,
): FaultedAnswer {
  const instead = (other: HttpAnswer): FaultedAnswer => ({ kind: 'answered', answer: other })
  switch (kind) {
    case 'reset':
    case 'hang':
      return { kind: 'broken', how: kind }
    case 'truncate':
    case 'half-written':
      return { kind: 'broken', how: kind, answer: answer ?? madeUp }
    case 'html502':
      return instead({ status: 502, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html })
    case 'json500':
      return instead(writeGeneralFailure(shape, area))
    case 'garbage':
      return instead({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '\u0000\u0007<<not json>>{"',
      })
    case '401':
      return instead(writeUnauthorised(shape, area))
    case '429': {
      const busy = writeError(429, { message: 'Too many requests' })
      return instead({ ...busy, headers: { ...busy.headers, 'retry-after': String(retryAfter) } })
    }
  }
}
