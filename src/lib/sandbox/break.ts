/** Faults that only a real socket can show: a reset, silence, an answer cut in the middle. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { HttpAnswer } from '../wire/message.ts'
import type { Spoiled } from './fault.ts'

/** Resolves when nothing more will happen on the connection. */
export async function breakOff(outgoing: ServerResponse, broken: Extract<Spoiled, { kind: 'broken' }>): Promise<void> {
  if (broken.how === 'reset') {
    outgoing.socket?.resetAndDestroy()
  } else if (broken.how === 'truncate' && broken.answer) {
    await sendHalf(outgoing, broken.answer)
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
  outgoing.socket?.destroy()
}
