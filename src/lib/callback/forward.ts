/** A callback sent on as it came: method, bytes and headers, without those that belong to one connection. */
import type { ForeignRequest, Relay, SendLimits, Transmission } from '../http/client.ts'
import { Secrets } from '../redact.ts'
import { type Headers, maskedText } from './mask.ts'

/** RFC 9110, 7.6.1; and what the next connection says for itself. */
const ofOneConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
])

/** The callback's own headers, in their order. */
export function ownHeaders(headers: Headers): Headers {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((each) => each.trim().toLowerCase()))
  const dropped = new Set([...ofOneConnection, ...named])
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()))
}

/** The address with the query of the callback behind its own. */
export function addressFor(target: string, callbackTarget: string): URL {
  const address = new URL(target)
  const at = callbackTarget.indexOf('?')
  const query = at < 0 ? '' : callbackTarget.slice(at + 1)
  if (query !== '') address.search = address.search === '' ? query : `${address.search}&${query}`
  return address
}

/** The states of forwarding a callback. */
export const forwardStates = ['pending', 'delivered', 'given-up'] as const
export type ForwardState = (typeof forwardStates)[number]

export const outcomes = ['delivered', 'refused', 'unanswered', 'unsent'] as const
export type ForwardOutcome = (typeof outcomes)[number]

export interface Forwarded {
  /** `delivered`: 2xx. `refused`: another answer. `unanswered`: sent, and no whole answer came. */
  readonly outcome: ForwardOutcome
  readonly http: number | null
  readonly why: string | null
}

const longestWords = 200
/**
 * The part of an answer that is masked. Far more than is kept, because the sign that hides a token may stand behind it; an
 * answer may have any length.
 */
const longestMasked = 8 * 1024

/** The words of a failing target. They may quote what it was sent, so tokens are masked. */
function wordsOf(body: string, secrets: readonly string[]): string | null {
  // Masked before it is cut to what is kept: a part of a token is one, too.
  return (
    maskedText(body.trimStart().slice(0, longestMasked), new Secrets(secrets)).trim().slice(0, longestWords) || null
  )
}

type SecretsOf = () => Promise<readonly string[] | null>

async function outcomeOf(delivery: Transmission, secretsOf: SecretsOf): Promise<Forwarded> {
  if (delivery.kind !== 'answered') return { outcome: delivery.kind, http: null, why: delivery.why }
  const { status, body } = delivery.answer
  if (status >= 200 && status < 300) return { outcome: 'delivered', http: status, why: null }
  const secrets = body === '' ? null : await secretsOf()
  return { outcome: 'refused', http: status, why: secrets && wordsOf(body, secrets) }
}

export interface Sent extends ForeignRequest {
  /** Path and query that it came with. */
  readonly target: string
}

/** Sends it and says what came of it; `secretsOf` are tokens and numbers of cards that its target must not be quoted with; null: it is not quoted at all. */
export async function forward(
  relay: Relay,
  to: string,
  sent: Sent,
  limits: SendLimits,
  secretsOf: SecretsOf,
): Promise<Forwarded> {
  const address = addressFor(to, sent.target)
  return outcomeOf(await relay(address, { ...sent, headers: ownHeaders(sent.headers) }, limits), secretsOf)
}
