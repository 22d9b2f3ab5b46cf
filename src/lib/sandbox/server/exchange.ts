/** One exchange on a socket: a request read, the fault that strikes it, the service's answer, all of it in the log. */
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Operation } from '../../contract/operation.ts'
import { largestBodyInWords } from '../../limits.ts'
import type { HttpAnswer } from '../../wire/message.ts'
import { breakConnection, linger } from '../faults/connection.ts'
import type { Fault } from '../faults/fault.ts'
import { type FaultedAnswer, injectFault } from '../faults/inject.ts'
import { comesTwice } from '../faults/kinds.ts'
import type { ReceivedRequest } from '../log/exchange.ts'
import type { Service } from '../service.ts'
import { type Shape, writeGeneralFailure, writeTurnedAway } from '../shape.ts'
import { type Body, readBody } from './body.ts'

export type Env = { Bindings: HttpBindings }

/** The log's record of a request. */
export function askedOf(c: Context<Env>, body: Body): ReceivedRequest {
  const mayAsk = c.env.incoming.url?.includes('?') && URL.canParse(c.req.url)
  const query = mayAsk ? [...new URL(c.req.url).searchParams] : []
  return { method: c.req.method, path: c.req.path, query, body: body.kind === 'text' ? body.text : null }
}

/** Straight to the socket: an answer that is a whole text needs no stream around it. */
export function sendWhole(outgoing: Env['Bindings']['outgoing'], { status, headers, body }: HttpAnswer): void {
  const bytes = Buffer.from(body, 'utf8')
  outgoing.writeHead(status, { ...headers, 'content-length': String(bytes.length) })
  outgoing.end(bytes)
}

export interface AnsweredRequest {
  /** Null where no whole answer is to be sent. */
  readonly answer: HttpAnswer | null
  readonly fault: Fault | null
}

/** The surroundings of exchanges. */
interface Place {
  readonly sandbox: Service
  readonly shape: Shape
  /** Host and port that addresses for payers name; that of the request if not given. */
  readonly payersAt: string | undefined
  /** Fires when the server closes: what still lingers on its way is never executed. */
  readonly closing: AbortSignal
}

/** The answer as the fault lets it out; null where it lets it pass as it is. */
function faultedBy(
  fault: Fault | null,
  answer: HttpAnswer | null,
  shape: Shape,
  { area }: Operation,
): FaultedAnswer | null {
  if (!fault || fault.kind === 'slow' || comesTwice(fault.kind)) return null
  return injectFault(fault.kind, answer, shape, area)
}

export async function answerRequest(c: Context<Env>, operation: Operation, place: Place): Promise<AnsweredRequest> {
  const { sandbox, shape, payersAt, closing } = place
  // Listened to from the beginning: a client that has gone is not told of twice.
  const reading = readBody(c.env.incoming)
  let context = await sandbox.requestContext()
  const entry = sandbox.requests.begin(context.clock)
  const body = await reading
  const asked = askedOf(c, body)
  if (body.kind === 'gone') {
    entry.end({ asked, operation, decision: null, http: null, fault: null })
    return { answer: null, fault: null }
  }
  const fault = context.faultsWait ? await sandbox.faults.take(operation.name) : null
  const seen = async ({ record, end } = entry) => {
    if (body.kind === 'too-large') {
      return writeTurnedAway(413, `The body has more than ${largestBodyInWords}`, operation.area)
    }
    const { method, path } = operation
    const headers = { ...c.req.header(), ...(payersAt === undefined ? {} : { host: payersAt }) }
    const http = { method, path, query: asked.query, headers, body: body.text }
    try {
      return await sandbox.answer(http, shape, record, context)
    } catch (error) {
      const decision = writeGeneralFailure(shape, operation.area)
      end({ asked, operation, decision, http: decision.status, fault })
      throw error
    }
  }
  if (fault?.kind === 'slow' && fault.at === 'before') {
    if (!(await linger(fault.delay ?? 0, closing))) {
      entry.end({ asked, operation, decision: null, http: null, fault })
      return { answer: null, fault }
    }
    context = await sandbox.requestContext()
  }
  const first = fault?.at === 'before' && fault.kind !== 'slow' ? null : await seen()
  const again = fault && comesTwice(fault.kind) ? sandbox.requests.begin(context.clock) : null
  const second = again && (await seen(again))
  // Only the log hears what the other one comes to.
  const isSecond = fault?.kind === 'duplicate-second'
  const answer = isSecond ? second : first
  if (fault?.kind === 'slow' && fault.at === 'after') await linger(fault.delay ?? 0, closing, c.env.outgoing)
  const end = faultedBy(fault, answer, shape, operation)
  const sent = end === null ? answer : end.kind === 'answered' ? end.answer : null
  const http = sent?.status ?? null
  entry.end({ asked, operation, decision: first, http: isSecond ? null : http, fault })
  again?.end({ asked, operation, decision: second, http: isSecond ? http : null, fault })
  if (end?.kind === 'broken') await breakConnection(c.env.outgoing, end)
  return { answer: sent, fault }
}
