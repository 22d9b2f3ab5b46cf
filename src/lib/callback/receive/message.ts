/** A callback as it came over the wire, and the identity that it is kept under. */
import { createHash } from 'node:crypto'
import type { ReceivedCallback } from '../../store/callbacks.ts'
import type { Headers } from '../open/mask.ts'

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
