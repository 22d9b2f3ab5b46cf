/** The body of a request to the sandbox as text, whatever bytes it has. */
import type { IncomingMessage } from 'node:http'
import { collectBody } from '../../http/message.ts'

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

export async function readBody(incoming: IncomingMessage): Promise<Body> {
  const bytes = await collectBody(incoming)
  if (typeof bytes === 'string') return { kind: bytes }
  return { kind: 'text', text: bytes.length === 0 ? null : decoded(bytes) }
}
