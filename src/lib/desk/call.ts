/** A read: called, repeated freely, never journalled. `submit()` is the way of everything that can move money. */

import type { AnswerOf, ReadOperation, RequestOf } from '../contract/operation.ts'
import { Failure, type ServiceWords } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import { mendedBy } from '../http/explain.ts'
import type { Desk } from './desk.ts'
import { exchange } from './line/exchange.ts'
import { askedPause, nextPause } from './line/repeat.ts'
import { moving } from './line/time.ts'
import { redirected } from './line/token.ts'
import { inItsOwnName } from './receipt/answer-members.ts'
import { refusal } from './receipt/refusal.ts'

/**
 * Reads from the service. Throws a Failure: refused (5), not-found (6), credentials (4), unsent (11), unknown (9).
 */
export async function call<Op extends ReadOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  deadline = desk.clock.now() + desk.settings.timeout,
): Promise<AnswerOf<Op>> {
  desk.instead?.(operation, request)
  const until = moving(desk, deadline)
  const bearer = operation.wire === 'bearer'
  let token = bearer ? await desk.tokens.get(deadline) : null
  let renewed = false
  for (let repeat = 0; ; ) {
    const read = await exchange(desk, operation, request, token, until(), { isPooled: repeat === 0 })
    if (read.kind === 'accepted') return inItsOwnName(read.answer)
    const by = read.kind === 'turned-away' ? read.by : null
    if (read.kind === 'turned-away' && by === 'redirect') throw redirected(read.location)
    if (read.kind === 'turned-away' && by === 'token') {
      if (!bearer || renewed) throw badToken(read.words)
      renewed = true
      token = await desk.tokens.renew(token ?? '', until())
      continue
    }
    if (read.kind === 'refused') throw refusal(operation, read.words, request)
    desk.signal.throwIfAborted()
    const asked = 'retryAfter' in read ? askedPause(read.retryAfter, desk.clock.now()) : null
    const isLasting = read.kind === 'unsent' && mendedBy(read.why) !== null
    const wait = isLasting ? null : nextPause(repeat, asked, desk.random, desk.clock.now(), until())
    if (wait === null) throw noAnswer(operation, read)
    repeat += 1
    await desk.clock.sleep(wait, desk.signal)
  }
}

/** An answer that is none, or no answer. */
type Unread = Exclude<Awaited<ReturnType<typeof exchange>>, { kind: 'accepted' }>

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
  const why = 'why' in read ? read.why : 'the service is busy'
  return new Failure('unknown', `the service gave no definite answer: ${why}; asking moved nothing`, {
    operation: operation.name,
    service: 'words' in read ? read.words : null,
    moneyMoved,
    hints: [hint`Ask again later.`],
  })
}
