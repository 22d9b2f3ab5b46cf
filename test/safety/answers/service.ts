/**
 * The service of the fault table: a real HTTP server on the loopback that opens every request with its own keys,
 * executes it or not, counts what it executed, and then says what the table tells it to say.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { keyPair } from '../../kit/key-pairs.ts'
import { freePort } from '../../kit/tools.ts'
import { openText, sealed, sealText } from './sealing.ts'
import { id, type Write } from './writes.ts'

export type Members = Readonly<Record<string, unknown>>

export type Reply =
  | {
      readonly http: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Buffer
      /** Only this many bytes of the body leave before the connection is cut. */
      readonly cutAfter?: number
      /** The same, but the connection stays open. */
      readonly stopAfter?: number
    }
  | 'reset'
  | 'hang'
  | 'close'

/** The parts of an answer. */
export interface Saying {
  readonly write: Write
  /** The documented success of this write: its members. */
  readonly success: Members
  /** Members as the body of a success: sealed to the integrator, or as they are in area A. */
  readonly sealed: (members: unknown) => string
}

export type Say = (saying: Saying) => Reply

/** The behaviour of the service for now. `execute`: a write is executed before its answer; `say` null: as documented. */
export interface Conduct {
  readonly execute: boolean
  readonly say: Say | null
}

const jsonHeaders = { 'content-type': 'application/json' }

export function plain(http: number, members: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { http, headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(members) }
}

export function coded(http: number, statusCode: number, exceptionGroup: number | null): Reply {
  return plain(http, {
    message: `code ${statusCode}`,
    statusCode,
    ...(exceptionGroup === null ? {} : { exceptionGroup }),
  })
}

const html: Reply = { http: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad Gateway</html>' }

export class HostileService {
  readonly #write: Write
  readonly #keys: { readonly own: string; readonly integrator: string }
  #server: Server
  readonly #port: number
  /** The behaviour at the n-th arrival of the write; the last one stays. */
  #conduct: readonly Conduct[] = []
  #arrivals = 0
  /** The number of executions of the write, and of its arrivals. */
  executed = 0
  sent = 0
  /** Another machine has used the id already. */
  foreign = false
  readsAnswer = true
  /** Called when a write has been executed, or not, and before it is answered. */
  onWrite: (() => void) | null = null

  private constructor(write: Write, keys: { own: string; integrator: string }, port: number) {
    this.#port = port
    this.#write = write
    this.#keys = keys
    this.#server = createServer((request, response) => this.#meet(request, response))
  }

  static async start(write: Write): Promise<HostileService> {
    const [own, integrator] = [(await keyPair(2048, 0)).privateKey, (await keyPair(2048, 1)).publicKey]
    const service = new HostileService(write, { own, integrator }, await freePort())
    await service.listen()
    return service
  }

  get port(): number {
    return this.#port
  }

  /** From now on the arrivals of the write meet these, one after the other. */
  behave(...conduct: readonly Conduct[]): void {
    this.#conduct = conduct
    this.#arrivals = 0
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(this.#port, '127.0.0.1', resolve)
    })
  }

  /** Connections are refused from now on. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }

  async #meet(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(incoming.url ?? '/', 'http://localhost')
      const body = await text(incoming)
      this.#utter(this.#answerTo(incoming.method ?? '', url, body), incoming, response)
    } catch (error) {
      this.#utter(plain(599, { message: String(error) }), incoming, response)
    }
  }

  #answerTo(method: string, url: URL, body: string): Reply {
    if (url.pathname === '/api/auth') {
      return plain(200, { value: { access_token: 'token', expires_in: 1800, token_type: 'Bearer' } })
    }
    const request = this.#opened(url, body)
    if (method === this.#write.method && url.pathname === this.#write.path) return this.#take(request)
    return this.readsAnswer ? this.#show(url.pathname, request) : html
  }

  #opened(url: URL, body: string): Members {
    if (this.#write.area === 'A') return body === '' ? {} : (JSON.parse(body) as Members)
    const given: unknown = body === '' ? Object.fromEntries(url.searchParams) : JSON.parse(body)
    return JSON.parse(openText(sealed.parse(given), this.#keys.own)) as Members
  }

  #sealed(members: unknown): string {
    const text = JSON.stringify(members)
    return this.#write.area === 'A' ? text : JSON.stringify(sealText(text, this.#keys.integrator))
  }

  /** A write came in: executed or not, and then answered. */
  #take(request: Members): Reply {
    const { echo } = this.#write
    if (echo !== null && request[echo] !== id) throw new Error(`${echo} is ${request[echo]}`)
    this.sent += 1
    const conduct = this.#conduct[Math.min(this.#arrivals, this.#conduct.length - 1)]
    this.#arrivals += 1
    const isRepeat = this.foreign || (this.executed > 0 && this.#write.recognised !== null)
    if ((conduct?.execute ?? true) && !isRepeat) this.executed += 1
    this.onWrite?.()
    const success = { ...(echo === null ? {} : { [echo]: id }), ...this.#write.success }
    const saying = { write: this.#write, success, sealed: (members: unknown) => this.#sealed(members) }
    if (conduct?.say) return conduct.say(saying)
    if (!isRepeat) return { http: 200, headers: jsonHeaders, body: saying.sealed(success) }
    return this.#recognise(success)
  }

  #recognise(success: Members): Reply {
    const { recognised, area } = this.#write
    if (recognised === null || recognised === 'same') {
      return { http: 200, headers: jsonHeaders, body: this.#sealed(success) }
    }
    if ('code' in recognised) return coded(400, recognised.code, recognised.group)
    const body = this.#sealed({ ...success, status: recognised.status })
    return area === 'A' ? plain(400, {}) : { http: 200, headers: jsonHeaders, body }
  }

  /** The honest reads: the status of an order or a wallet order. */
  #show(path: string, request: Members): Reply {
    const { reads, echo, area } = this.#write
    if (reads === null || echo === null || request[echo] !== id) return coded(404, area === 'C' ? 6045 : 6005, 5)
    if (!path.endsWith(area === 'C' ? '/order/details' : '/order/status')) return coded(404, 6053, 1)
    const status = this.executed > 0 || this.foreign ? reads.after : reads.before
    if (status === null) return coded(404, area === 'C' ? 6045 : 6005, 5)
    return { http: 200, headers: jsonHeaders, body: this.#sealed({ [echo]: id, status }) }
  }

  #utter(reply: Reply, incoming: IncomingMessage, response: ServerResponse): void {
    if (reply === 'hang') return
    if (reply === 'reset') return void incoming.socket.resetAndDestroy()
    if (reply === 'close') return void incoming.socket.destroy()
    const body = Buffer.from(reply.body ?? '')
    const length = body.length > 0 || reply.http !== 204 ? { 'content-length': String(body.length) } : {}
    response.writeHead(reply.http, { connection: 'close', ...length, ...reply.headers })
    if (reply.stopAfter !== undefined) return void response.write(body.subarray(0, reply.stopAfter))
    if (reply.cutAfter === undefined) return void response.end(body)
    response.write(body.subarray(0, reply.cutAfter), () => incoming.socket.destroy())
  }
}
