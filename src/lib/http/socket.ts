/** Transport and relay over real sockets, by undici: each request on a connection of its own, and within its time. */
import { type Dispatcher, request as send } from 'undici'
import { withoutEnd } from '../ends.ts'
import { type HttpAnswer, type HttpRequest, target } from '../wire/message.ts'
import { agentFor, type TransportSettings } from './agent.ts'
import { explain } from './explain.ts'
import { noting } from './interceptor.ts'
import type { Relay, SendLimits, Transmission, Transport } from './transport.ts'

function joined(baseUrl: string, request: HttpRequest): URL {
  return new URL(withoutEnd(baseUrl, '/') + target(request))
}

/** Rejects when the signal fires: undici does not heed a signal while it still asks a proxy for a tunnel. */
function fired(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const give = () => reject(signal.reason)
    if (signal.aborted) give()
    else signal.addEventListener('abort', give, { once: true })
  })
}

/** A request in the terms of undici. */
type Outgoing = Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>

async function exchange(
  url: URL,
  outgoing: Outgoing,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const answer = await send(url, { ...outgoing, signal, dispatcher } as Parameters<typeof send>[1])
  const body = await answer.body.text()
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
  return { status: answer.statusCode, headers, body }
}

function carrier(settings: TransportSettings) {
  return async (address: () => URL, outgoing: Outgoing, limits: SendLimits): Promise<Transmission> => {
    const started = performance.now()
    let departed = false
    let agent: Dispatcher | undefined
    const late = AbortSignal.timeout(limits.answerTimeout)
    // undici's own limit does not cover what a proxy takes to answer.
    const unconnected = new AbortController()
    const connecting = setTimeout(() => unconnected.abort(), limits.connectTimeout)
    const signal = AbortSignal.any([limits.signal, late, unconnected.signal])
    try {
      agent = agentFor(settings, limits)
      const noted = agent.compose(
        noting(
          () => {
            departed = true
            clearTimeout(connecting)
          },
          limits.objection ?? (() => null),
        ),
      )
      const answer = await Promise.race([exchange(address(), outgoing, noted, signal), fired(signal)])
      return { kind: 'answered', answer, milliseconds: Math.round(performance.now() - started) }
    } catch (error) {
      const why = whyNot(error, late, unconnected.signal, limits)
      return departed ? { kind: 'unanswered', why } : { kind: 'unsent', why }
    } finally {
      clearTimeout(connecting)
      agent?.destroy().catch(() => undefined)
    }
  }
}

export function socketTransport(settings: TransportSettings = {}): Transport {
  const carry = carrier(settings)
  return (baseUrl, request, limits) => {
    const { method, body } = request
    const headers = { 'user-agent': 'paydesk', ...request.headers }
    return carry(() => joined(baseUrl, request), { method, headers, body }, limits)
  }
}

export function socketRelay(settings: TransportSettings = {}): Relay {
  const carry = carrier(settings)
  return (address, { method, headers, body }, limits) =>
    carry(() => address, { method: method as 'POST', headers: headers.flat(), body }, limits)
}

function whyNot(error: unknown, late: AbortSignal, unconnected: AbortSignal, limits: SendLimits): string {
  if (late.aborted) return `no answer within ${limits.answerTimeout / 1000} s`
  return unconnected.aborted ? `no connection within ${limits.connectTimeout / 1000} s` : explain(error)
}
