/** A read: called, repeated freely, never journalled. `submit()` is the way of everything that can move money. */

import { ranNothing } from '../contract/codes/code-book.ts'
import type { AnswerOf, ReadOperation, RequestOf } from '../contract/operation.ts'
import { Failure, type ServiceWords } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import { mendedBy } from '../http/explain.ts'
import type { Desk } from './desk.ts'
import { exchange } from './line/exchange.ts'
import { askedPause, isBusy, nextPause } from './line/repeat.ts'
import { moving } from './line/time.ts'
import { redirected } from './line/token.ts'
import { inItsOwnName } from './receipt/answer-members.ts'
import { refusal } from './receipt/refusal.ts'

/**
 * Reads from the service. `heard` is given each answer that is none. Throws a Failure: refused (5), not-found (6), credentials (4), unsent (11), unknown (9).
 */
export async function call<Op extends ReadOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  deadline = desk.clock.now() + desk.settings.timeout,
  heard: (read: Unread) => void = () => undefined,
): Promise<AnswerOf<Op>> {
  desk.instead?.(operation, request)
  const until = moving(desk, deadline)
  const bearer = operation.wire === 'bearer'
  let token = bearer ? await desk.tokens.get(deadline) : null
  let renewed = false
  for (let repeat = 0; ; ) {
    const read = await exchange(desk, operation, request, token, until(), { isPooled: repeat === 0 })
    if (read.kind === 'answer') return inItsOwnName(read.answer)
    heard(read)
    if (read.kind === 'redirect') throw redirected(read.location)
    const rejected = rejectedToken(operation, read)
    if (rejected) {
      if (!bearer || renewed) throw badToken(rejected)
      renewed = true
      token = await desk.tokens.renew(token ?? '', until())
      continue
    }
    const decided = read.kind === 'coded' && !isGeneralFailure(operation, read.words)
    if (decided) throw refusal(operation, read.words, request)
    desk.signal.throwIfAborted()
    const asked = isBusy(read) ? askedPause(read.retryAfter, desk.clock.now()) : null
    const isLasting = read.kind === 'unsent' && mendedBy(read.why) !== null
    const wait = isLasting ? null : nextPause(repeat, asked, desk.random, desk.clock.now(), until())
    if (wait === null) throw noAnswer(operation, read)
    repeat += 1
    await desk.clock.sleep(wait, desk.signal)
  }
}

/** An answer that is none, or no answer. */
export type Unread = Exclude<Awaited<ReturnType<typeof exchange>>, { kind: 'answer' }>

function rejectedToken(operation: ReadOperation, read: Unread): ServiceWords | null {
  if (read.kind === 'unauthorised') return read.words
  return operation.area === 'A' && read.kind === 'coded' && read.words.statusCode === 5021 ? read.words : null
}

/** The service failed and may not fail again. 5040 stands for an object it does not know, too (HTTP 404). */
function isGeneralFailure({ area }: ReadOperation, words: ServiceWords & { readonly statusCode: number }): boolean {
  if (area === 'A') return words.statusCode === 5040 && words.http !== 404
  return ranNothing(area, words.statusCode, words.exceptionGroup).ran === 'unknown'
}

export function badToken(words: ServiceWords): Failure {
  return new Failure('credentials', 'the service did not accept the credentials, fresh as they are', {
    service: words,
    hints: [hint`Check client id and secret of the profile: \`${paste('profile check')}\`.`],
  })
}

function noAnswer(operation: ReadOperation, read: Unread): Failure {
  // The question itself moved nothing. The state of the payment that it asked for is not known.
  const moneyMoved = operation.showsPayment ? 'unknown' : 'no'
  if (read.kind === 'unsent') {
    const mended = mendedBy(read.why)
    return new Failure('unsent', `the service could not be reached: ${read.why}`, {
      operation: operation.name,
      moneyMoved,
      hints: [mended ?? hint`Check the network and the base URL of the profile, then run it again.`],
      ...(mended && { retry: 'after-fix' as const }),
    })
  }
  const why = 'why' in read ? read.why : isBusy(read) ? 'the service is busy' : 'the service failed'
  return new Failure('unknown', `the service gave no definite answer: ${why}; asking moved nothing`, {
    operation: operation.name,
    service: 'words' in read ? read.words : null,
    moneyMoved,
    hints: [hint`Ask again later.`],
  })
}
