/** Faults that only a real socket can show: a reset, silence, an answer of which half comes, or all of it late. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { HttpAnswer } from '../../http/message.ts'
import type { FaultedAnswer } from './inject.ts'

/** Resolves when nothing more will happen on the connection. */
export async function breakConnection(
  outgoing: ServerResponse,
  broken: Extract<FaultedAnswer, { kind: 'broken' }>,
): Promise<void> {
  if (broken.how === 'reset') {
    // Node resets no connection that carries TLS: it breaks off, without the words that TLS ends with.
    if (outgoing.socket && 'encrypted' in outgoing.socket) outgoing.socket.destroy()
    else outgoing.socket?.resetAndDestroy()
    return
  }
  if (broken.answer) await sendHalf(outgoing, broken.answer)
  if (broken.how === 'truncate') {
    outgoing.socket?.destroy()
  } else if (!outgoing.closed) {
    // Silence until the client leaves or the server closes.
    await once(outgoing, 'close').catch(() => undefined)
  }
}

async function sendHalf(outgoing: ServerResponse, answer: HttpAnswer): Promise<void> {
  const body = Buffer.from(answer.body, 'utf8')
  outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': String(body.length) })
  await new Promise<void>((resolve) => {
    outgoing.once('close', resolve)
    outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => resolve())
  })
}

/** Lets so many milliseconds pass; false if it ended early, because the server closed or the client left. */
export async function linger(milliseconds: number, closing: AbortSignal, outgoing?: ServerResponse): Promise<boolean> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  outgoing?.once('close', leave)
  try {
    await wait(milliseconds, undefined, { signal: AbortSignal.any([closing, gone.signal]) })
    return true
  } catch {
    return false
  } finally {
    outgoing?.off('close', leave)
  }
}
