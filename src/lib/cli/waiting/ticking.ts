/** A line for a person who waits: redrawn until it is stopped, with the seconds that have passed. */
import type { Invocation } from '../invocation.ts'

/** Milliseconds between two drawings. */
const pace = 250
const frames = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇']

/** Draws on stderr; `since`: the moment on the steady clock from which the seconds count. Gives back what takes the line away. */
export function ticking(
  invocation: Pick<Invocation, 'edge' | 'output'>,
  text: string,
  since = performance.now(),
): () => void {
  const drawn: (() => void)[] = []
  let isOver = false
  const draw = async () => {
    const { drawnLines } = await import('../output/bar.ts')
    const { fittingParts } = await import('../drawing/parts.ts')
    if (isOver) return
    const line = drawnLines(invocation).begin((columns) => {
      const passed = performance.now() - since
      const frame = frames[Math.floor(passed / pace) % frames.length] ?? ''
      const words = `${frame} ${text}, ${Math.floor(passed / 1000)} s`
      return fittingParts(
        [
          [1, words],
          [0, '(^C stops)'],
        ],
        columns,
      )
    })
    const drawing = setInterval(() => line.draw(), pace)
    drawn.push(() => {
      clearInterval(drawing)
      line.end()
    })
  }
  void draw().catch(() => undefined)
  return () => {
    isOver = true
    for (const stop of drawn) stop()
  }
}
