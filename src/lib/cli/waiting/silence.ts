/** The silence of a service, told at a terminal: how long a person has been waiting for an answer. */
import type { Transport } from '../../http/client.ts'
import type { Invocation } from '../invocation.ts'
import { ticking } from './ticking.ts'

/** Milliseconds of silence before anything is drawn: most answers come before. */
const patience = 1_000

/** The same transport, with a line on stderr while it waits; taken away before the answer is told. */
export function toldTransport(invocation: Pick<Invocation, 'edge' | 'output'>, transport: Transport): Transport {
  return async (baseUrl, request, limits) => {
    const started = performance.now()
    let stop = () => {}
    const start = setTimeout(() => {
      stop = ticking(invocation, `waiting for ${new URL(baseUrl).hostname}`, started)
    }, patience)
    try {
      return await transport(baseUrl, request, limits)
    } finally {
      clearTimeout(start)
      stop()
    }
  }
}
