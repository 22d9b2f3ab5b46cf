/** A line for a person who waits: redrawn until it is stopped, with the seconds that have passed. */
import type { Edge } from '../../edge.ts'
import { plainBar } from '../output/bar.ts'

/** Milliseconds between two drawings. */
const pace = 250
const frames = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇']

/** Draws on stderr; `since`: the moment on the steady clock from which the seconds count. Gives back what takes the line away. */
export function ticking({ stderr }: Pick<Edge, 'stderr'>, text: string, since = performance.now()): () => void {
  const drawn: (() => void)[] = []
  let isOver = false
  const draw = async () => {
    const bar = await plainBar({ stderr }, `{frame} ${text}, {seconds} s (^C stops)`)
    if (isOver) return
    const told = () => {
      const passed = performance.now() - since
      return { frame: frames[Math.floor(passed / pace) % frames.length], seconds: Math.floor(passed / 1000) }
    }
    bar.start(1, 0, told())
    const drawing = setInterval(() => bar.update(0, told()), pace)
    drawn.push(() => {
      clearInterval(drawing)
      bar.stop()
    })
  }
  void draw().catch(() => undefined)
  return () => {
    isOver = true
    for (const stop of drawn) stop()
  }
}
