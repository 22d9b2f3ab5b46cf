import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** The whole body of a request; null where the other side broke off before its end, as a process that is killed does. */
export async function bodyOf(incoming: IncomingMessage): Promise<Buffer | null> {
  return await buffer(incoming).catch(() => null)
}
