/** One request handed to undici: carried at most once, given up at its time, and told as it ended. */
import type { Dispatcher } from 'undici'
import { explain } from './explain.ts'
import type { HttpAnswer } from './message.ts'
import { unseen } from './phases/connecting.ts'
import type { SendLimits, Transmission } from './transport.ts'

type Handler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd' | 'onResponseError'
  >
>

/** A request in the terms of undici. */
export type Outgoing = Pick<Dispatcher.DispatchOptions, 'method' | 'headers' | 'body' | 'reset'>

class Carriage implements Handler {
  readonly #limits: SendLimits
  readonly #tell: (transmission: Transmission) => void
  readonly #started = performance.now()
  readonly #unconnected: NodeJS.Timeout
  readonly #late: NodeJS.Timeout
  readonly #stopped: () => void
  readonly #pieces: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #departed = false
  #left = 0
  #firstByte = 0
  #isOver = false
  #status = 0
  #headers: Readonly<Record<string, string>> = {}

  constructor(limits: SendLimits, tell: (transmission: Transmission) => void) {
    const { connectTimeout, answerTimeout, signal } = limits
    this.#limits = limits
    this.#tell = tell
    // undici's own limits do not cover what a proxy takes to answer.
    this.#unconnected = setTimeout(() => this.giveUp(`no connection within ${connectTimeout / 1000} s`), connectTimeout)
    this.#late = setTimeout(() => this.giveUp(`no answer within ${answerTimeout / 1000} s`), answerTimeout)
    this.#stopped = () => this.giveUp(explain(signal.reason))
    signal.addEventListener('abort', this.#stopped, { once: true })
  }

  /** Nothing that was given up leaves: undici may have it in a queue until a connection stands. */
  giveUp(why: string): void {
    this.#fail(why)
    this.#controller?.abort(new Error(why))
  }

  /** Called right before the first byte, on a connected socket (through a proxy: in the tunnel). */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    const why = this.#isOver ? 'it was given up' : (this.#limits.objection?.() ?? null)
    if (why !== null) {
      this.giveUp(why)
      return
    }
    this.#departed = true
    this.#left = performance.now()
    clearTimeout(this.#unconnected)
  }

  onResponseStart(_controller: unknown, status: number, headers: Readonly<Record<string, unknown>>): void {
    // An interim answer is none.
    if (status < 200) return
    this.#firstByte = performance.now()
    this.#status = status
    this.#headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  }

  onResponseData(_controller: unknown, piece: Buffer): void {
    this.#pieces.push(piece)
  }

  onResponseEnd(): void {
    const answer: HttpAnswer = { status: this.#status, headers: this.#headers, body: textOf(this.#pieces) }
    const now = performance.now()
    const phases = { ...unseen, firstByte: this.#firstByte - this.#left, rest: now - this.#firstByte }
    this.#end({ kind: 'answered', answer, milliseconds: Math.round(now - this.#started), phases })
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(explain(error))
  }

  #fail(why: string): void {
    this.#end(this.#departed ? { kind: 'unanswered', why } : { kind: 'unsent', why })
  }

  #end(transmission: Transmission): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#unconnected)
    clearTimeout(this.#late)
    this.#limits.signal.removeEventListener('abort', this.#stopped)
    this.#tell(transmission)
  }
}

const mark = Buffer.from([0xef, 0xbb, 0xbf])

function textOf(pieces: readonly Buffer[]): string {
  const [first = Buffer.alloc(0)] = pieces
  const whole = pieces.length > 1 ? Buffer.concat(pieces) : first
  return whole.toString('utf8', whole.subarray(0, mark.length).equals(mark) ? mark.length : 0)
}

/** Never throws: what happened is in the Transmission. */
export function carried(
  dispatcher: Dispatcher,
  address: URL,
  outgoing: Outgoing,
  limits: SendLimits,
): Promise<Transmission> {
  return new Promise((resolve) => {
    const carriage = new Carriage(limits, resolve)
    try {
      limits.signal.throwIfAborted()
      const path = `${address.pathname}${address.search}`
      dispatcher.dispatch({ ...outgoing, origin: address.origin, path }, carriage)
    } catch (error) {
      carriage.giveUp(explain(error))
    }
  })
}
