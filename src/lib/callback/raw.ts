/** A callback as it came over the wire: its bytes, its headers, and the listeners that have forwarded it already. */
import { createHash } from 'node:crypto'
import type { ReceivedCallback } from '../store/callbacks.ts'
import type { Headers } from './mask.ts'

export interface RawCallback {
  /** Milliseconds since 1970. */
  readonly receivedAt: number
  readonly remote: string
  readonly method: string
  /** Path and query as they stood in the start line. */
  readonly target: string
  readonly headers: Headers
  /** The exact bytes. */
  readonly body: Buffer
}

export function digestOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex')
}

export function headersOf(row: Pick<ReceivedCallback, 'headers'>): Headers {
  return JSON.parse(row.headers) as Headers
}

/** The value of a header; undefined where there is none or it came twice. */
export function headerIn(headers: Headers, wanted: string): string | undefined {
  const found = headers.filter(([name]) => name.toLowerCase() === wanted)
  return found.length === 1 ? found[0]?.[1] : undefined
}

/**
 * A header on everything that a listener forwards, with an id of this listener. A callback that comes back with it has gone
 * in a circle, by a proxy, a second listener or another name of this machine: it is stored and not forwarded again. Marks of
 * other listeners stay.
 */
const markHeader = 'paydesk-listener'

export function markedBy(mark: string, headers: Headers): Headers {
  return [...headers, [markHeader, mark]]
}

/** True if the listener of this mark has forwarded it. A proxy may have put several marks into one line. */
export function isMarkedBy(mark: string, headers: Headers): boolean {
  return headers.some(
    ([name, value]) => name.toLowerCase() === markHeader && value.split(',').some((each) => each.trim() === mark),
  )
}
