/**
 * The lossy network between desk and service: requests that never leave, arrive late (after the sender has given up),
 * arrive twice, are answered into the void, or are answered by something in between.
 */

import { createOrder } from '../../src/lib/contract/order/order.ts'
import { createPayout } from '../../src/lib/contract/payout/payout.ts'
import type { SendLimits, Transmission, Transport } from '../../src/lib/http/client.ts'
import type { HttpAnswer, HttpRequest } from '../../src/lib/http/message.ts'
import { type AnswerFaultKind, injectFault } from '../../src/lib/sandbox/faults.ts'
import { forged } from './forger.ts'
import { turnedAway } from './proxy.ts'
import { operationOf, type World } from './world.ts'

export interface Weather {
  /** The chance that a request meets trouble. */
  readonly trouble: number
  /** Without any trouble. */
  readonly fair: boolean
}

export const calm: Weather = { trouble: 0, fair: true }

/** The machine at the end of the network. */
export interface Outlet {
  readonly name: string
  note(line: string): void
  /** True if the answer to this request is to be lost at once. */
  loses(request: HttpRequest): boolean
}

const breaking = [
  'reset',
  'hang',
  'html502',
  'json500',
  'truncate',
  'garbage',
] as const satisfies readonly AnswerFaultKind[]
/** A token check and a rate limit stand before the service: a request that they turn away was never executed. */
const turning = ['401', '429'] as const satisfies readonly AnswerFaultKind[]

/**
 * True if the service recognises a copy, and says of a refused original that it was refused: the wallet tells both
 * with 200, and a refund has no id.
 */
function mayComeTwice(request: HttpRequest): boolean {
  const name = operationOf(request)?.name
  return name === createPayout.name || name === createOrder.name
}

type Kind = 'fine' | 'unsent' | 'late' | 'twice' | 'lost' | 'faulty' | 'turned' | 'proxy' | 'forged' | 'reset'

function kindOf({ dice, fate, weather, strikes }: World): Kind {
  const troubled = dice.chance(weather.trouble)
  const kind = troubled ? dice.pick(['unsent', 'late', 'twice', 'lost', 'faulty', 'turned', 'lost'] as const) : 'fine'
  if (strikes('turned-away') && fate.chance(0.2)) return 'proxy'
  return strikes('wrong-answers') && fate.chance(0.2) ? 'forged' : kind
}

export function lossyNetwork(world: World, { name, note, loses }: Outlet): Transport {
  const { dice, timeline, sandbox, lagging } = world
  /** `ear`: aborted when nobody hears the answer any more; null where it goes into the void in any case. */
  const deliver = async (request: HttpRequest, delay: number, ear: AbortSignal | null = null) => {
    await timeline.sleep(delay)
    const isRead = request.method === 'GET'
    if (!isRead) await lagging.before(request)
    const old = isRead ? await lagging.read(name, request) : null
    const answer = old ?? (await sandbox.answer(request))
    if (isRead && ear && !ear.aborted && !old && answer.status === 200) await lagging.heard(name, request)
    // A sealed answer is another one every time: a seed replays byte for byte without it.
    const said = answer.body.startsWith('{"encryptedData"') ? 'sealed' : answer.body.slice(0, 60)
    note(`service ${request.method} ${request.path} -> ${answer.status} ${said}`)
    return answer
  }
  const carry = async (kind: Kind, request: HttpRequest, limits: SendLimits): Promise<Transmission> => {
    const slow = 5 + dice.below(200)
    const gaveUp = async () => {
      await timeline.sleep(limits.answerTimeout)
      return { kind: 'unanswered', why: 'no answer in time' } as const
    }
    const answered = (answer: HttpAnswer) => ({ kind: 'answered', answer, milliseconds: slow }) as const
    const faultyBy = (how: AnswerFaultKind, answer: HttpAnswer | null): Transmission => {
      const faulty = injectFault(how, answer, 'documented')
      return faulty.kind === 'answered' ? answered(faulty.answer) : { kind: 'unanswered', why: faulty.how }
    }
    switch (kind) {
      case 'unsent':
        await timeline.sleep(dice.below(limits.connectTimeout))
        return { kind: 'unsent', why: 'connect ECONNREFUSED' }
      case 'late':
        void deliver(request, limits.answerTimeout + dice.below(60_000))
        return gaveUp()
      case 'twice': {
        // Nothing can be done about a copy of what has no id.
        const answer = await deliver(request, slow)
        if (answer.status !== 200 || !mayComeTwice(request)) return answered(answer)
        if (world.fate.chance(0.5)) {
          const second = await deliver(request, 1)
          return answered(saysTaken(second) ? second : answer)
        }
        void deliver(request, 1 + dice.below(5_000))
        return answered(answer)
      }
      case 'lost':
        await deliver(request, slow)
        return dice.chance(0.5) ? gaveUp() : { kind: 'unanswered', why: 'read ECONNRESET' }
      case 'reset':
        await deliver(request, dice.below(20))
        return { kind: 'unanswered', why: 'read ECONNRESET' }
      case 'faulty': {
        const before = dice.chance(0.5)
        return faultyBy(dice.pick(breaking), before ? null : await deliver(request, slow))
      }
      case 'turned':
        return faultyBy(dice.pick(turning), null)
      case 'proxy':
        return answered(await turnedAway(world, request, () => deliver(request, slow)))
      case 'forged':
        return answered(await forged(world, request, () => deliver(request, slow)))
      case 'fine':
        return answered(await deliver(request, slow, limits.signal))
    }
  }
  return (_baseUrl, request, limits) => {
    if (limits.signal.aborted) return Promise.resolve({ kind: 'unsent', why: 'stopped' })
    const kind = loses(request) ? 'reset' : kindOf(world)
    if (kind !== 'fine') note(`network ${kind}`)
    return untilStopped(kind, carry(kind, request, limits), limits.signal)
  }
}

function saysTaken({ body }: HttpAnswer): boolean {
  return /"statusCode":(?:5017|6023)\b/.test(body)
}

/** The outcome of a request on its way in a process that is told to stop. The request itself travels on. */
function untilStopped(kind: Kind, carried: Promise<Transmission>, signal: AbortSignal): Promise<Transmission> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve({ kind: kind === 'unsent' ? 'unsent' : 'unanswered', why: 'stopped' })
    signal.addEventListener('abort', stop, { once: true })
    carried.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
