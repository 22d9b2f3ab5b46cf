/**
 * The HTTP archive of a command (--har, HAR 1.2): a whole document after each exchange, so that one that is killed leaves
 * what there was. No secret stands in it. An archive that cannot be written any more stops no payment.
 */
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import type { Line, WireExchange } from '../../client/exchange.ts'
import { maskedRequest } from '../../client/mask.ts'
import { maskAnswer, maskHeaders, maskOpened, maskRequestBody } from '../../client/trace.ts'
import { mask } from '../../contract/mask.ts'
import type { Phases } from '../../http/client.ts'
import { target } from '../../http/message.ts'
import { printableJson } from '../../json.ts'
import { hideCardNumbers, isSecretHeader, mapTexts } from '../../redact.ts'
import type { Invocation } from '../invocation.ts'
import { unwritableFile } from '../output/files.ts'

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
  const body = maskRequestBody(operation, request, http)
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
  const headers = maskHeaders(operation, answer.headers)
  const text = maskAnswer(operation, answer)
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
function entryOf(exchange: WireExchange, redact: <Value>(value: Value) => Value): unknown {
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
            sealedInRequest: maskOpened(maskedRequest(operation, request)),
            openedAnswer: opened === undefined ? null : maskOpened(opened),
          },
        }
      : { _paydesk: { operation: operation.name } }),
  }
  return mapTexts(redact(entry), (text) => hideCardNumbers(text, mask))
}

type Recorder = NonNullable<Line['record']>

const end = '\n]}}\n'

function beginning(version: string): string {
  const head = { version: '1.2', creator: { name: 'paydesk', version }, comment: 'Secrets are hidden.' }
  return `{"log":${JSON.stringify(head).slice(0, -1)},"entries":[`
}

/** A new file, readable by its owner only; one that exists and a link are refused. */
function newFile(path: string): number {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW = 0 } = constants
  try {
    return openSync(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600)
  } catch (error) {
    throw unwritableFile(path, error)
  }
}

/** Never throws once the file is there: what cannot be recorded is warned of. */
function newArchive(invocation: Invocation): Recorder {
  const { output, version } = invocation
  const path = invocation.line.value('--har') ?? ''
  const file = newFile(path)
  invocation.closeAtEnd(async () => closeSync(file))
  let [at, entries, isBroken] = [0, 0, false]
  /** Writes a text in the place of the end, and the end behind it. */
  const write = (text: string) => {
    const length = Buffer.byteLength(text)
    if (writeSync(file, text + end, at) < length + end.length) throw new Error('the disk is full')
    at += length
  }
  write(beginning(version))
  return (exchange) => {
    if (isBroken) return
    try {
      const entry = entryOf(exchange, (value) => output.redactor.cleanAll(value))
      write(`${entries === 0 ? '\n' : ',\n'}${printableJson(entry)}`)
      entries += 1
    } catch (error) {
      isBroken = true
      const why = error instanceof Error ? error.message : 'it cannot be written'
      invocation.warnings.add(`the archive ${path} ends early: ${why}`)
    }
  }
}

/** The recorder of this command; made with its file when the first desk is opened. Throws usage (2). */
export const archiveOf = (invocation: Invocation): Recorder => invocation.once(newArchive)
