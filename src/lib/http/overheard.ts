/** A connection that is listened to behind its answer, when its reader is done: what comes then was not asked for. */
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** Milliseconds to listen behind an answer whose connection the service does not end, though it was asked to. */
const listening = { least: 1_000, most: 5_000 }

/** A socket for one request. Its reader may destroy it as soon as it has the answer; the other side is heard until `hangUp`. */
export class Overheard extends Duplex {
  readonly #socket: Socket
  #saidMore = false
  #isOver = false
  #changed: () => void = () => undefined

  constructor(socket: Socket) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    socket.on('data', (bytes: Buffer) => {
      if (this.destroyed) this.#hear(bytes)
      else if (!this.push(bytes)) socket.pause()
    })
    socket.on('end', () => {
      this.push(null)
      this.#end()
    })
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => {
      this.#end()
      this.destroy()
    })
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(bytes: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, encoding, done)
  }

  /** Head and body of a request leave together. */
  override _writev(pieces: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#socket.write(Buffer.concat(pieces.map(({ chunk }) => chunk)), done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // From now on it is heard, and no longer read.
    this.#socket.resume()
    done(error)
  }

  /** undici gives back what stands behind the answer that it has read, after it destroyed its socket. */
  override unshift(bytes: Buffer): void {
    if (this.destroyed) this.#hear(bytes)
    else super.unshift(bytes)
  }

  /**
   * Listens until the other side ends the connection, or for twice the milliseconds that its answer took: true if it says more than
   * its answer. Throws the reason of the signal.
   */
  saysMore(took: number, signal: AbortSignal): Promise<boolean> {
    const milliseconds = Math.min(Math.max(listening.least, 2 * took), listening.most)
    return new Promise((resolve, reject) => {
      // Bytes that came while this process was busy or asleep are read before the time counts as over.
      const late = setTimeout(() => setImmediate(tell), milliseconds)
      const stop = () => tell(signal.reason)
      const tell = (reason?: unknown) => {
        clearTimeout(late)
        signal.removeEventListener('abort', stop)
        if (reason === undefined) resolve(this.#saidMore)
        else reject(reason)
      }
      this.#changed = () => tell()
      if (this.#saidMore || this.#isOver) tell()
      else if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
  }

  hangUp(): void {
    this.#socket.destroy()
  }

  #hear(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#saidMore = true
    this.#changed()
  }

  #end(): void {
    this.#isOver = true
    this.#changed()
  }
}
