/**
 * Tells a window that something has changed, be it by this process, a command in another one, or the time that
 * passed. The store is asked four times a second, for as long as the window is open.
 */
import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { changeMark } from '../../store/sandbox/requests.ts'
import type { Service } from '../service.ts'

/** Milliseconds between two looks: real ones, whatever the sandbox's clock shows. */
const pause = 250
/** A line that says nothing, every so many looks: a browser that went away is noticed. */
const looksPerSign = 60

export function live(c: Context, sandbox: Service): Response {
  const look = async (stream: SSEStreamingApi) => {
    let before: string | null = null
    for (let looks = 0; !stream.aborted && !stream.closed; looks += 1) {
      const mark = await sandbox.look(changeMark)
      if (mark !== before) await stream.writeSSE({ event: 'changed', data: '' })
      else if (looks % looksPerSign === 0) await stream.writeSSE({ event: 'sign', data: '' })
      before = mark
      await stream.sleep(pause)
    }
  }
  // The sandbox was closed meanwhile: the stream ends, and the browser says so.
  return streamSSE(c, look, async () => undefined)
}
