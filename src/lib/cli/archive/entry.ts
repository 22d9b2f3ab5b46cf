/** An exchange as an entry of an HTTP archive (HAR 1.2), without secrets. */

import type { WireExchange } from '../../client/exchange.ts'
import { maskedRequest } from '../../client/mask.ts'
import { shownAnswer, shownHeaders, shownOpened, shownRequest } from '../../client/trace.ts'
import { mask } from '../../contract/mask.ts'
import type { Phases } from '../../http/client.ts'
import { target } from '../../http/message.ts'
import { hideCardNumbers, isSecretHeader, mapTexts } from '../../redact.ts'

type Headers = Readonly<Record<string, string>>

const pairs = (headers: Headers) => Object.entries(headers).map(([name, value]) => ({ name, value }))

const typeIn = (headers: Headers) => headers['content-type'] ?? 'application/octet-stream'

/** Tenths of a millisecond; -1, as the format has it, for a part that there was not. */
const time = (milliseconds: number | null | undefined) =>
  milliseconds === null || milliseconds === undefined ? -1 : Math.round(milliseconds * 10) / 10

function timingsOf(phases: Phases | undefined, whole: number) {
  if (!phases) return { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: whole, receive: 0 }
  const { dns, tcp, tls, firstByte, rest } = phases
  // By the format `connect` has the time of `ssl` in it.
  const connect = tcp === null ? null : tcp + (tls ?? 0)
  const [wait, receive] = [Math.max(0, time(firstByte)), Math.max(0, time(rest))]
  return { blocked: -1, dns: time(dns), connect: time(connect), ssl: time(tls), send: 0, wait, receive }
}

function requestOf({ operation, request, baseUrl, http }: WireExchange) {
  const headers = Object.entries(http.headers).map(([name, value]) => ({
    name,
    value: isSecretHeader(name) ? mask : value,
  }))
  const body = shownRequest(operation, request, http)
  return {
    method: http.method,
    url: `${baseUrl}${target(http)}`,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers,
    queryString: http.query.map(([name, value]) => ({ name, value })),
    ...(body === null ? {} : { postData: { mimeType: typeIn(http.headers), text: body } }),
    headersSize: -1,
    bodySize: http.body === null ? 0 : Buffer.byteLength(http.body),
  }
}

const noAnswer = {
  status: 0,
  statusText: '',
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: [],
  content: { size: 0, mimeType: 'x-unknown' },
  redirectURL: '',
  headersSize: -1,
  bodySize: -1,
}

function responseOf({ operation, transmission }: WireExchange) {
  if (transmission.kind !== 'answered') return { ...noAnswer, comment: `${transmission.kind}: ${transmission.why}` }
  const { answer } = transmission
  const headers = shownHeaders(operation, answer.headers)
  const text = shownAnswer(operation, answer)
  const size = Buffer.byteLength(answer.body)
  return {
    ...noAnswer,
    status: answer.status,
    headers: pairs(headers),
    content: { size, mimeType: typeIn(answer.headers), text },
    redirectURL: headers.location ?? '',
    bodySize: size,
  }
}

const isSealed = ({ operation }: WireExchange) => operation.wire === 'sealed' || operation.wire === 'wallet'

/** `redact` takes out the secrets that came up so far. */
export function entryOf(exchange: WireExchange, redact: <Value>(value: Value) => Value): unknown {
  const { operation, request, startedAt, transmission, opened } = exchange
  const answered = transmission.kind === 'answered' ? transmission : null
  const whole = answered?.milliseconds ?? 0
  const timings = timingsOf(answered?.phases, whole)
  const parts = [timings.dns, timings.connect, timings.wait, timings.receive].filter((part) => part > 0)
  const entry = {
    startedDateTime: new Date(startedAt).toISOString(),
    time: time(parts.reduce((sum, part) => sum + part, 0)),
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    timings,
    ...(isSealed(exchange)
      ? {
          _paydesk: {
            operation: operation.name,
            sealedInRequest: shownOpened(maskedRequest(operation, request)),
            openedAnswer: opened === undefined ? null : shownOpened(opened),
          },
        }
      : { _paydesk: { operation: operation.name } }),
  }
  return mapTexts(redact(entry), (text) => hideCardNumbers(text, mask))
}
