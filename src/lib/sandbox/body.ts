/** Reads the body of a request that anybody may have sent: of any size, in any bytes. */
import type { IncomingMessage } from 'node:http'

/** The specification shows no limit; no payout needs a thousandth of this. */
const largestBody = 1024 * 1024

export type Body =
  | { readonly kind: 'text'; readonly text: string | null }
  | { readonly kind: 'too-large' }
  /** The client went away in the middle. */
  | { readonly kind: 'gone' }

/** Bytes that are no UTF-8 become a text that is no JSON, so that the service refuses them in its own order of checks. */
const unreadable = '\uFFFD'

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return unreadable
  }
}

/** Reads to the end even where there is too much, without keeping it: a client that still sends cannot read its answer. */
export function readBody(incoming: IncomingMessage): Promise<Body> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let size = 0
    incoming.on('data', (piece: Buffer) => {
      size += piece.length
      if (size <= largestBody) pieces.push(piece)
      else pieces.length = 0
    })
    incoming.once('end', () => {
      if (size > largestBody) resolve({ kind: 'too-large' })
      else resolve({ kind: 'text', text: size === 0 ? null : decoded(Buffer.concat(pieces)) })
    })
    incoming.once('close', () => resolve({ kind: 'gone' }))
    incoming.once('error', () => resolve({ kind: 'gone' }))
  })
}
