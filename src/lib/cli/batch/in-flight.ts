/** The requests that a command has on their way, and what is said of them when it is asked to stop and waits for them. */

import { howMany } from '../../contract/core/text.ts'
import type { Transport } from '../../http/client.ts'
import { signalInWords } from '../../signals.ts'
import type { Output } from '../output/output.ts'
import { timeInWords } from './progress/figures.ts'

export interface InFlight {
  readonly transport: Transport
  readonly count: () => number
}

/** The same transport, counting. */
export function countingInFlight(transport: Transport): InFlight {
  let count = 0
  return {
    count: () => count,
    async transport(baseUrl, request, limits) {
      count += 1
      try {
        return await transport(baseUrl, request, limits)
      } finally {
        count -= 1
      }
    },
  }
}

/** The rest that a run waits for when it is asked to stop. */
export interface Awaited {
  readonly flight: InFlight
  /** Rows that may have been executed, and are sent once more after a pause. */
  readonly pausing: number
  /** Milliseconds that a row has. */
  readonly timeout: number
  /** Milliseconds that the service still asks for before. */
  readonly pausedFor: number
}

/** Says at once that the first signal was heard: the end may take its time. */
export function sayWaited(
  output: Pick<Output, 'say'>,
  { flight, pausing, timeout, pausedFor }: Awaited,
  signal: AbortSignal,
): void {
  const count = flight.count()
  const onTheirWay = `${howMany(count, 'request on its way is', 'requests on their way are')} waited for`
  const open = `${howMany(pausing, 'row without an answer is', 'rows without an answer are')} sent once more under the same id`
  const seconds = (milliseconds: number) => timeInWords(Math.ceil(milliseconds / 1000))
  const pause = pausedFor > 0 ? `, after the ${seconds(pausedFor)} that the service asks for` : ''
  const most = `that takes ${seconds(timeout)} for each at most (--timeout)${pause}`
  const again = `a second ${signalInWords(signal.reason)} ends at once`
  const later = 'and what is unknown then can be resolved later'
  const waited = [...(count > 0 ? [onTheirWay] : []), ...(pausing > 0 ? [open] : [])]
  const told = waited.length === 0 ? ['none is on its way', again] : [...waited, most, `${again}, ${later}`]
  output.say(`${signalInWords(signal.reason)}: ${['no more rows are sent', ...told].join('; ')}.`)
}

/** The same as an event, for a command that tells its doings by them. */
export function endingEvent({ flight, pausing }: Pick<Awaited, 'flight' | 'pausing'>, signal: AbortSignal) {
  return { event: 'ending', why: `stopped by ${signalInWords(signal.reason)}`, inFlight: flight.count(), pausing }
}
