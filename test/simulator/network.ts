/**
 * The lossy network between desk and service: requests that never leave, arrive late (after the sender has given up),
 * arrive twice, are answered into the void, or are answered by something in between.
 */
import { createOrder } from '../../src/lib/contract/order.ts'
import { createPayout } from '../../src/lib/contract/payout.ts'
import type { Transport } from '../../src/lib/http/transport.ts'
import type { Sandbox } from '../../src/lib/sandbox/sandbox.ts'
import { type SpoilingKind, spoil } from '../../src/lib/sandbox/spoil.ts'
import type { HttpRequest } from '../../src/lib/wire/message.ts'
import type { Dice } from './dice.ts'
import type { Timeline } from './timeline.ts'
import { operationOf } from './world.ts'

export interface Weather {
  /** How likely a request meets trouble. */
  readonly trouble: number
}

const breaking = [
  'reset',
  'hang',
  'html502',
  'json500',
  'truncate',
  'garbage',
] as const satisfies readonly SpoilingKind[]
/** A token check and a rate limit stand before the service: who is turned away by them was never executed. */
const turning = ['401', '429'] as const satisfies readonly SpoilingKind[]

export interface Observer {
  /** A request is about to leave. */
  departing(request: HttpRequest): Promise<void>
  note(line: string): void
}

/**
 * Whether the service recognises a copy, and says of a refused original that it was refused: the wallet tells both with 200,
 * and a refund has no id.
 */
function mayComeTwice(request: HttpRequest): boolean {
  const name = operationOf(request)?.name
  return name === createPayout.name || name === createOrder.name
}

export function lossyNetwork(
  sandbox: Sandbox,
  dice: Dice,
  timeline: Timeline,
  weather: () => Weather,
  observer: Observer,
): Transport {
  const deliver = async (request: HttpRequest, delay: number) => {
    await timeline.sleep(delay)
    const answer = await sandbox.answer(request)
    // A sealed answer is another one every time: a seed replays byte for byte without it.
    const said = answer.body.startsWith('{"encryptedData"') ? 'sealed' : answer.body.slice(0, 60)
    observer.note(`service ${request.method} ${request.path} -> ${answer.status} ${said}`)
    return answer
  }
  return async (_baseUrl, request, limits) => {
    const troubled = dice.chance(weather().trouble)
    const kind = troubled
      ? dice.pick(['unsent', 'late', 'twice', 'lost', 'spoiled', 'turned', 'lost'] as const)
      : 'fine'
    await observer.departing(request)
    if (troubled) observer.note(`network ${kind}`)
    const slow = 5 + dice.below(200)
    const gaveUp = async () => {
      await timeline.sleep(limits.answerTimeout)
      return { kind: 'unanswered', why: 'no answer in time' } as const
    }
    const answered = (answer: Awaited<ReturnType<typeof deliver>>) =>
      ({ kind: 'answered', answer, milliseconds: slow }) as const
    switch (kind) {
      case 'unsent':
        await timeline.sleep(dice.below(limits.connectTimeout))
        return { kind: 'unsent', why: 'connect ECONNREFUSED' }
      case 'late':
        void deliver(request, limits.answerTimeout + dice.below(60_000))
        return gaveUp()
      case 'twice': {
        // Nothing can be done about a copy of what has no id. The copy comes after the original, and only of one that was
        // taken: overtaken by its own copy a first attempt is
        // answered 5017, and the copy of a refused one may find a better balance. No client can see either.
        const answer = await deliver(request, slow)
        if (answer.status === 200 && mayComeTwice(request)) void deliver(request, 1 + dice.below(5_000))
        return answered(answer)
      }
      case 'lost':
        await deliver(request, slow)
        return dice.chance(0.5) ? gaveUp() : { kind: 'unanswered', why: 'read ECONNRESET' }
      case 'spoiled': {
        const before = dice.chance(0.5)
        const spoiled = spoil(dice.pick(breaking), before ? null : await deliver(request, slow), 'documented')
        return spoiled.kind === 'answered' ? answered(spoiled.answer) : { kind: 'unanswered', why: spoiled.how }
      }
      case 'turned': {
        const spoiled = spoil(dice.pick(turning), null, 'documented')
        return spoiled.kind === 'answered' ? answered(spoiled.answer) : { kind: 'unanswered', why: spoiled.how }
      }
      case 'fine':
        return answered(await deliver(request, slow))
    }
  }
}
