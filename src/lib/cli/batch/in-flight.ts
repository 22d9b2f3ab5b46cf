/** The requests that a command has on their way, and what is said of them when it is asked to stop and waits for them. */
import type { Transport } from '../../http/transport.ts'
import { signalInWords } from '../../signals.ts'
import type { Output } from '../output/output.ts'

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

/** Says that the first signal was heard, where the end may take its time. */
export function sayWaited(output: Pick<Output, 'say'>, { count }: InFlight, signal: AbortSignal): void {
  const waited =
    count() === 1 ? '1 request on its way is waited for' : `${count()} requests on their way are waited for`
  const again = `a second ${signalInWords(signal.reason)} ends at once, and what is unknown then can be resolved later`
  if (count() > 0) output.say(`${signalInWords(signal.reason)}: no more rows are sent; ${waited}; ${again}.`)
}

/** The same as an event, for a command that tells its doings by them. */
export function endingEvent({ count }: InFlight, signal: AbortSignal) {
  return { event: 'ending', why: `stopped by ${signalInWords(signal.reason)}`, inFlight: count() }
}
