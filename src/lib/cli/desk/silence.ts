/** The silence of a service, told at a terminal: how long a person has been waiting for an answer. */
import type { Transport } from '../../http/transport.ts'
import type { Invocation } from '../invocation.ts'
import { plainBar } from '../output/bar.ts'

/** Milliseconds of silence before anything is drawn: most answers come before. */
const patience = 1_000
/** Milliseconds between two drawings. */
const pace = 250
const frames = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇']

/** The same transport, with a line on stderr while it waits; taken away before the answer is told. */
export function toldTransport({ edge }: Pick<Invocation, 'edge'>, transport: Transport): Transport {
  return async (baseUrl, request, limits) => {
    const started = performance.now()
    const drawn: (() => void)[] = []
    let isOver = false
    const start = setTimeout(async () => {
      const bar = await plainBar(edge, `{frame} waiting for ${new URL(baseUrl).hostname}, {seconds} s (^C stops)`)
      if (isOver) return
      const told = () => {
        const passed = performance.now() - started
        return { frame: frames[Math.floor(passed / pace) % frames.length], seconds: Math.floor(passed / 1000) }
      }
      bar.start(1, 0, told())
      const drawing = setInterval(() => bar.update(0, told()), pace)
      drawn.push(() => {
        clearInterval(drawing)
        bar.stop()
      })
    }, patience)
    try {
      return await transport(baseUrl, request, limits)
    } finally {
      isOver = true
      clearTimeout(start)
      for (const stop of drawn) stop()
    }
  }
}
