/**
 * A line on the terminal of a person that is drawn over itself, on stderr; it leaves nothing behind. It is kept within the
 * width, so that the terminal breaks nothing, and the cursor rests at its beginning: whatever is typed or echoed is drawn
 * over.
 */
import type { Rest } from '../../client/exchange.ts'
import type { Edge } from '../../edge.ts'
import type { Transport } from '../../http/client.ts'
import type { Invocation } from '../invocation.ts'
import type { Output } from './output.ts'
import { cutToWidth, fittingParts, type LinePart, terminalColumns } from './terminal.ts'

type Screen = Edge['stderr']

const pace = 125

/** To the beginning of the line, and all of it cleared. */
const cleared = '\r\u001b[2K'

const known = new WeakMap<Output, DrawnLines>()

/** Those of a command: gone before its output writes anything. */
export function progressLines({ edge, output }: Pick<Invocation, 'edge' | 'output'>): DrawnLines {
  const lines = known.get(output) ?? new DrawnLines(edge.stderr)
  known.set(output, lines)
  output.clearing = (isLast) => (isLast ? lines.end() : lines.clear())
  return lines
}

interface DrawnLine {
  /** Draws it anew, now or soon. */
  readonly draw: () => void
  /** Takes it away, when its last figures were drawn. */
  readonly end: () => void
}

/** The newest of them is seen. */
class DrawnLines {
  readonly #screen: Screen
  readonly #lines: DrawnLine[] = []
  #isSeen = false
  #isOver = false

  constructor(screen: Screen) {
    this.#screen = screen
  }

  /** A new line; `text` gives what stands on it in so many columns. */
  begin(text: (columns: number) => string): DrawnLine {
    let drawnAt = Number.NEGATIVE_INFINITY
    let due: NodeJS.Timeout | null = null
    const drawNow = () => {
      due = null
      drawnAt = performance.now()
      if (line === this.#lines.at(-1)) this.#draw(text)
    }
    const line: DrawnLine = {
      draw: () => {
        if (due !== null || !this.#lines.includes(line)) return
        const rest = drawnAt + pace - performance.now()
        if (rest <= 0) drawNow()
        else due = setTimeout(drawNow, rest).unref()
      },
      end: () => {
        const at = this.#lines.indexOf(line)
        if (at < 0) return
        if (due !== null) {
          clearTimeout(due)
          drawNow()
        }
        this.#lines.splice(at, 1)
        this.clear()
      },
    }
    this.#lines.push(line)
    line.draw()
    return line
  }

  /** The terminal as it is without them while something else is written; what is drawn next stands below it. */
  clear(): void {
    if (this.#isSeen) this.#screen.write(cleared)
    this.#isSeen = false
  }

  /** Clears, and draws nothing any more: what is written now are last words. */
  end(): void {
    this.clear()
    this.#isOver = true
  }

  #draw(text: (columns: number) => string): void {
    if (this.#isOver) return
    // The last column stays free: some terminals break a line that fills it.
    const columns = (terminalColumns(this.#screen) ?? 80) - 1
    const drawn = cutToWidth(text(columns), columns)
    this.#isSeen = drawn !== ''
    this.#screen.write(`${cleared}${drawn}\r`)
  }
}

const frameTime = 250
const frames = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇']

/** Draws on stderr; `since`: the moment on the steady clock from which the seconds count. Gives back what takes the line away. */
function ticking(invocation: Pick<Invocation, 'edge' | 'output'>, text: string, since = performance.now()): () => void {
  const line = progressLines(invocation).begin((columns) => {
    const passed = performance.now() - since
    const frame = frames[Math.floor(passed / frameTime) % frames.length] ?? ''
    const words = `${frame} ${text}, ${Math.floor(passed / 1000)} s`
    const parts: readonly LinePart[] = [
      [1, words],
      [0, '(^C stops)'],
    ]
    return fittingParts(parts, columns)
  })
  const drawing = setInterval(() => line.draw(), frameTime)
  return () => {
    clearInterval(drawing)
    line.end()
  }
}

/** For one run of a command. What it gives back is called at the start of each rest, and gives back what ends the telling. */
export function restTeller(invocation: Pick<Invocation, 'edge' | 'output'>): (rest: Rest) => () => void {
  const { edge, output } = invocation
  const since = performance.now()
  let told: string | null = null
  return ({ status, ...subject }) => {
    const text = status ?? 'no answer yet'
    if (edge.stderr.isTTY && output.remarks)
      return ticking(invocation, `${output.redactor.clean(text)}; not final`, since)
    if (text !== told) output.say(`${text}; waiting until it is final`, subject)
    told = text
    return () => undefined
  }
}

/** Milliseconds of silence before anything is drawn: most answers come before. */
const patience = 1_000

export function tellingTransport(invocation: Pick<Invocation, 'edge' | 'output'>, transport: Transport): Transport {
  return async (baseUrl, request, limits) => {
    const started = performance.now()
    let stop = () => {}
    const start = setTimeout(() => {
      stop = ticking(invocation, `waiting for ${new URL(baseUrl).hostname}`, started)
    }, patience)
    try {
      return await transport(baseUrl, request, limits)
    } finally {
      clearTimeout(start)
      stop()
    }
  }
}
