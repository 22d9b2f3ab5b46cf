/** Opens what was stored, in the order it came, and goes on where a listener that was killed has left off. */
import type { Webhook } from 'standardwebhooks'
import type { Clock } from '../../edge.ts'
import type { NamedKey } from '../../envelope/envelope.ts'
import type { ReceivedCallback } from '../../store/callbacks.ts'
import type { CallbackStore, OpenedCallback } from '../callbacks.ts'
import type { CallbackEntry } from '../entry.ts'
import { headersOf } from '../receive/message.ts'
import { whenThereIsRoom } from '../receive/room.ts'
import { openBody } from './open.ts'
import { signatureInWords, verify } from './signature.ts'

const mostAtOnce = 32
/** Bytes of bodies that are opened before the next commit: in memory each of them takes many times as much. */
const bytesAtOnce = 1024 * 1024

export interface OpenerSettings {
  readonly keys: readonly NamedKey[]
  readonly webhook: Webhook | null
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onOpened: (entries: readonly CallbackEntry[]) => Promise<void>
  readonly onTrouble: (error: unknown) => void
}

export class Opener {
  readonly #callbacks: CallbackStore
  readonly #settings: OpenerSettings
  #running: Promise<void> | null = null
  #again = false

  constructor(callbacks: CallbackStore, settings: OpenerSettings) {
    this.#callbacks = callbacks
    this.#settings = settings
  }

  /** Wakes it: there may be something to open. */
  wake(): void {
    this.#again = true
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
  }

  /** Resolves when nothing is left to open. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      while (this.#again) {
        // Answers go first: they are sent before the keys are at work.
        await new Promise(setImmediate)
        this.#again = false
        const found = await this.#callbacks.unopened(mostAtOnce)
        if (found.length === 0) continue
        this.#again = true
        await this.#open(found)
      }
    } catch (error) {
      this.#settings.onTrouble(error)
    }
  }

  async #open(found: Awaited<ReturnType<CallbackStore['unopened']>>): Promise<void> {
    const opened: OpenedCallback[] = []
    let size = 0
    for (const { seq, bytes } of found) {
      size += bytes
      if (opened.length > 0 && size > bytesAtOnce) break
      const row = await this.#callbacks.received(seq)
      if (row) opened.push(await this.#opening(row))
      await new Promise(setImmediate)
    }
    const noted = await whenThereIsRoom(() => this.#callbacks.noteOpened(opened), this.#settings)
    await this.#settings.onOpened(noted)
  }

  /** Other callbacks are answered between its steps. */
  async #opening(row: ReceivedCallback): Promise<OpenedCallback> {
    const { keys, webhook } = this.#settings
    const bytes = Buffer.from(row.body)
    const body = await openBody(bytes, keys)
    await new Promise(setImmediate)
    const received = Date.parse(row.received_at)
    const signature = webhook ? signatureInWords(verify(webhook, headersOf(row), bytes, received)) : null
    return this.#callbacks.opened(row, body, signature)
  }
}
