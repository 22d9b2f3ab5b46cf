/** HTTP messages as plain data. */
import type { IncomingMessage } from 'node:http'
import { largestBody } from '../text.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base URL, with a leading slash, without query. */
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface HttpAnswer {
  readonly status: number
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function target(request: HttpRequest): string {
  const query = request.query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return query.length > 0 ? `${request.path}?${query.join('&')}` : request.path
}

/** Reads to the end even where there is too much: a client that still sends cannot read its answer. */
export function collectBody(incoming: IncomingMessage): Promise<Buffer | 'too-large' | 'gone'> {
  return new Promise((resolve) => {
    // It left before it was listened to: nothing more is heard of it.
    if (incoming.destroyed) resolve('gone')
    const pieces: Buffer[] = []
    let size = 0
    incoming.on('data', (piece: Buffer) => {
      size += piece.length
      if (size <= largestBody) pieces.push(piece)
      else pieces.length = 0
    })
    incoming.once('end', () => resolve(size > largestBody ? 'too-large' : Buffer.concat(pieces)))
    incoming.once('close', () => resolve('gone'))
    incoming.once('error', () => resolve('gone'))
  })
}
