/** The time that a connection takes to stand, part by part. */
import { EventEmitter } from 'node:events'
import type { Phases } from '../transport.ts'

export const unseen: Phases = { dns: null, tcp: null, tls: null, firstByte: null, rest: null }

/** The moments of one socket; those that it has not are never seen. */
export class Connecting {
  readonly #started = performance.now()
  #named: number | null = null
  #connected: number | null = null
  #secured: number | null = null

  /** `socket`: as the connector gives it back, before it stands. */
  watch(socket: unknown): void {
    if (!(socket instanceof EventEmitter)) return
    socket.once('lookup', () => {
      this.#named = performance.now()
    })
    socket.once('connect', () => {
      this.#connected = performance.now()
    })
    socket.once('secureConnect', () => {
      this.#secured = performance.now()
    })
  }

  get phases(): Pick<Phases, 'dns' | 'tcp' | 'tls'> {
    const [named, connected] = [this.#named, this.#connected]
    return {
      dns: named === null ? null : named - this.#started,
      tcp: connected === null ? null : connected - (named ?? this.#started),
      tls: connected === null || this.#secured === null ? null : this.#secured - connected,
    }
  }
}
