/** One exchange on a socket: a request read, the fault that strikes it, the service's answer, all of it in the log. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Operation } from '../../contract/operation.ts'
import { collectBody, type HttpAnswer } from '../../http/message.ts'
import { largestBodyInWords } from '../../text.ts'
import {
  breakConnection,
  comesTwice,
  type Fault,
  type FaultedAnswer,
  injectFault,
  type StruckFault,
  waitUnlessGone,
} from '../faults.ts'
import type { ReceivedRequest } from '../log/facts.ts'
import type { Sandbox } from '../sandbox.ts'
import { type Shape, writeGeneralFailure, writeTurnedAway } from '../shape.ts'

/** The body of a request to the sandbox as text, whatever bytes it has. */
type Body =
  | { readonly kind: 'text'; readonly text: string | null }
  | { readonly kind: 'too-large' }
  /** The client went away in the middle. */
  | { readonly kind: 'gone' }

/** Bytes that are no UTF-8 become a text that is no JSON, so that the service refuses them in its own order of checks. */
const unreadable = '\uFFFD'

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return unreadable
  }
}

export async function readBody(incoming: IncomingMessage): Promise<Body> {
  const bytes = await collectBody(incoming)
  if (typeof bytes === 'string') return { kind: bytes }
  return { kind: 'text', text: bytes.length === 0 ? null : decodeText(bytes) }
}

/** A request on its socket, and what answers it there. */
export interface SocketExchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly method: string
  /** Decoded, and without query. */
  readonly path: string
}

function queryOf({ url = '' }: IncomingMessage): [name: string, value: string][] {
  const [, query] = /^[^?#]*(\?[^#]*)/.exec(url) ?? []
  return query === undefined ? [] : [...new URLSearchParams(query)]
}

/** The log's record of a request. */
export function receivedRequest({ incoming, method, path }: SocketExchange, body: Body): ReceivedRequest {
  return { method, path, query: queryOf(incoming), body: body.kind === 'text' ? body.text : null }
}

/** Names in small letters. A name that stands there twice has both values. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers = new Map<string, string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at]?.toLowerCase() ?? '', rawHeaders[at + 1] ?? '']
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(headers)
}

/** A text goes out in one piece with the head before it; bytes would be a second piece. */
export function sendWhole(outgoing: ServerResponse, { status, headers, body }: HttpAnswer): void {
  outgoing.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) })
  outgoing.end(body)
}

interface AnsweredRequest {
  /** Null where no whole answer is to be sent. */
  readonly answer: HttpAnswer | null
  readonly fault: Fault | null
}

/** A request as the terminal of `sandbox start` shows it. */
export interface RequestLine {
  readonly method: string
  readonly path: string
  readonly operation: string | null
  /** Null where no whole answer was sent. */
  readonly status: number | null
  readonly fault: Pick<Fault, 'at' | 'kind'> | null
}

/** What all exchanges of one server share. */
export interface ServerContext {
  readonly sandbox: Sandbox
  readonly shape: Shape
  /** The address that checkout links begin with; undefined: the address under which the request came. */
  readonly checkoutBase: string | undefined
  /** Fires when the server closes: what still lingers on its way is never executed. */
  readonly closing: AbortSignal
  readonly tell: (line: RequestLine) => void
}

/** The address of this server under the name that the client knows it by. */
function ownAddress({ headers, socket }: IncomingMessage): string {
  return `${'encrypted' in socket ? 'https' : 'http'}://${headers.host ?? '127.0.0.1'}`
}

/** The answer as the fault lets it out; null where it lets it pass as it is. */
function applyFault(
  fault: StruckFault | null,
  answer: HttpAnswer | null,
  shape: Shape,
  { area }: Operation,
): FaultedAnswer | null {
  if (!fault || fault.kind === 'slow' || comesTwice(fault.kind)) return null
  return injectFault(fault.kind, answer, shape, area, fault.retryAfter ?? undefined)
}

async function answerRequest(
  exchange: SocketExchange,
  operation: Operation,
  server: ServerContext,
): Promise<AnsweredRequest> {
  const { incoming, outgoing } = exchange
  const { sandbox, shape, checkoutBase, closing } = server
  // The body is read from the beginning: the socket says only once that the client has gone.
  const reading = readBody(incoming)
  const readContext = async () => ({
    ...(await sandbox.context()),
    shape,
    checkoutBase: checkoutBase ?? ownAddress(incoming),
  })
  let context = await readContext()
  const entry = sandbox.requests.begin(context.clock)
  const body = await reading
  const asked = receivedRequest(exchange, body)
  if (body.kind === 'gone') {
    entry.end({ asked, operation, decision: null, http: null, fault: null })
    return { answer: null, fault: null }
  }
  const fault = context.hasFaults ? await sandbox.faults.take(operation.name) : null
  const askService = async ({ record, end } = entry) => {
    if (body.kind === 'too-large') {
      return writeTurnedAway(413, `The body has more than ${largestBodyInWords}`, operation.area)
    }
    const { method, path } = operation
    const http = { method, path, query: asked.query, headers: headersOf(incoming), body: body.text }
    try {
      return await sandbox.answer(http, { ...context, record })
    } catch (error) {
      const decision = writeGeneralFailure(shape, operation.area)
      end({ asked, operation, decision, http: decision.status, fault })
      throw error
    }
  }
  if (fault?.kind === 'slow' && fault.at === 'before') {
    if (!(await waitUnlessGone(fault.delay ?? 0, closing))) {
      entry.end({ asked, operation, decision: null, http: null, fault })
      return { answer: null, fault }
    }
    context = await readContext()
  }
  const first = fault?.at === 'before' && fault.kind !== 'slow' ? null : await askService()
  const again = fault && comesTwice(fault.kind) ? sandbox.requests.begin(context.clock) : null
  const second = again && (await askService(again))
  // The client gets one of the two answers, the log gets both.
  const isSecond = fault?.kind === 'duplicate-second'
  const answer = isSecond ? second : first
  if (fault?.kind === 'slow' && fault.at === 'after') await waitUnlessGone(fault.delay ?? 0, closing, outgoing)
  const faulted = applyFault(fault, answer, shape, operation)
  const sent = faulted === null ? answer : faulted.kind === 'answered' ? faulted.answer : null
  const http = sent?.status ?? null
  entry.end({ asked, operation, decision: first, http: isSecond ? null : http, fault })
  again?.end({ asked, operation, decision: second, http: isSecond ? http : null, fault })
  if (faulted?.kind === 'broken') await breakConnection(outgoing, faulted)
  return { answer: sent, fault }
}

/** Answers a request for an operation, and tells the terminal. Never throws: a failure of the sandbox is answered with 500. */
export async function serveOperation(
  exchange: SocketExchange,
  operation: Operation,
  server: ServerContext,
): Promise<void> {
  const { method, path, outgoing } = exchange
  const tell = (status: number | null, fault: Fault | null) =>
    server.tell({ method, path, operation: operation.name, status, fault })
  try {
    const { answer, fault } = await answerRequest(exchange, operation, server)
    tell(answer?.status ?? null, fault)
    if (answer) sendWhole(outgoing, answer)
  } catch {
    tell(500, null)
    if (outgoing.headersSent) outgoing.destroy()
    else sendWhole(outgoing, writeGeneralFailure(server.shape, operation.area))
  }
}
