/**
 * The courier of a running sandbox. A few times a second, and after every request, it makes the moves that the clock has
 * made due, without being asked, and sends the callbacks that are due: several at once, of one order one at a time, so
 * that two of them arrive in their order unless one had to be repeated.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../edge.ts'
import type { Transport } from '../../http/client.ts'
import { dueCallbacks } from '../../store/sandbox/callbacks.ts'
import { readUpToDate } from '../clock/due.ts'
import type { Surroundings } from '../handler.ts'
import { type Attempted, deliver } from './deliver.ts'

/** Milliseconds between two looks: another process may have moved the clock, or have caused a callback. */
const pause = 250
const mostAtOnce = 8

export interface CourierSettings {
  /** The machine's: what is waited between two looks. */
  readonly clock: Clock
  readonly transport: Transport
  /** Hears of every attempt. */
  readonly onAttempt?: ((attempted: Attempted) => void) | undefined
  /** Hears why nothing can be looked up or written at the moment; once, however often that is found. */
  readonly onTrouble?: ((why: string) => void) | undefined
}

export interface Courier {
  /** Looks at once. */
  wake(): void
  /** Breaks off what is under way: it is sent again by the next courier. */
  close(): Promise<void>
}

export function startCourier(around: () => Promise<Surroundings>, settings: CourierSettings): Courier {
  const { clock, transport, onAttempt, onTrouble } = settings
  const stop = new AbortController()
  const underWay = new Map<string, Promise<void>>()
  let nap = new AbortController()
  let trouble: string | null = null

  const troubled = (error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    if (why !== trouble) onTrouble?.(why)
    trouble = why
  }

  const send = async (order: string, id: number) => {
    try {
      const attempted = await deliver(around, id, transport, stop.signal)
      if (attempted) onAttempt?.(attempted)
      // Perhaps the next one of this order is due. Not after trouble: that would be asked again without a pause.
      nap.abort()
    } catch (error) {
      troubled(error)
    } finally {
      underWay.delete(order)
    }
  }

  const look = async () => {
    for (const { order_id, callback_id } of await readUpToDate(await around(), dueCallbacks)) {
      if (underWay.size >= mostAtOnce || stop.signal.aborted) break
      if (!underWay.has(order_id)) underWay.set(order_id, send(order_id, callback_id))
    }
  }

  const rounds = async () => {
    while (!stop.signal.aborted) {
      nap = new AbortController()
      // A store answers without a turn of the event loop, and so may a clock that does not wait: signals want theirs.
      await turn()
      await look().catch(troubled)
      await clock.sleep(pause, nap.signal).catch(() => undefined)
    }
  }

  const done = rounds()
  return {
    wake: () => nap.abort(),
    close: async () => {
      stop.abort()
      nap.abort()
      await done
      await Promise.all(underWay.values())
    },
  }
}
