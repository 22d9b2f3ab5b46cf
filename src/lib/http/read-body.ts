/** The body of a request from any client: of any size, and perhaps never whole. */
import type { IncomingMessage } from 'node:http'
import { largestBody } from '../limits.ts'

/** Reads to the end even where there is too much, without keeping it: a client that still sends cannot read its answer. */
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
