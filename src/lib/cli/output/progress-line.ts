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
import { cutToWidth, fittingParts, terminalColumns } from './terminal.ts'

type Screen = Edge['stderr']

/** Milliseconds between two drawings. */
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

/** The lines that are drawn over themselves on a terminal: the newest is seen. */
class DrawnLines {
  readonly #screen: Screen
  readonly #lines: DrawnLine[] = []
  #seen = ''
  #isOver = false

  constructor(screen: Screen) {
    this.#screen = screen
  }

  /** A new line; `text` gives what stands on it in so many columns. */
  begin(text: (columns: number) => string): DrawnLine {
    const line = new DrawnLine(
      () => this.#draw(line, text),
      () => this.#remove(line),
    )
    this.#lines.push(line)
    line.draw()
    return line
  }

  /** The terminal as it is without them while something else is written; what is drawn next stands below it. */
  clear(): void {
    if (this.#seen !== '') this.#screen.write(cleared)
    this.#seen = ''
  }

  /** Clears, and draws nothing any more: what is written now are last words. */
  end(): void {
    this.clear()
    this.#isOver = true
  }

  #draw(line: DrawnLine, text: (columns: number) => string): void {
    if (this.#isOver || line !== this.#lines.at(-1)) return
    // The last column stays free: some terminals break a line that fills it.
    const columns = (terminalColumns(this.#screen) ?? 80) - 1
    const drawn = cutToWidth(text(columns), columns)
    this.#seen = drawn
    this.#screen.write(`${cleared}${drawn}\r`)
  }

  #remove(line: DrawnLine): void {
    const at = this.#lines.indexOf(line)
    if (at >= 0) this.#lines.splice(at, 1)
    this.clear()
  }
}

class DrawnLine {
  readonly #draw: () => void
  readonly #remove: () => void
  #drawnAt = Number.NEGATIVE_INFINITY
  #due: NodeJS.Timeout | null = null
  #isOver = false

  constructor(draw: () => void, remove: () => void) {
    this.#draw = draw
    this.#remove = remove
  }

  /** Draws it anew, now or soon. */
  draw(): void {
    if (this.#isOver || this.#due !== null) return
    const rest = this.#drawnAt + pace - performance.now()
    if (rest <= 0) this.#now()
    else this.#due = setTimeout(() => this.#now(), rest).unref()
  }

  /** Takes it away, when its last figures were drawn. */
  end(): void {
    if (this.#isOver) return
    if (this.#due !== null) {
      clearTimeout(this.#due)
      this.#now()
    }
    this.#isOver = true
    this.#remove()
  }

  #now(): void {
    this.#due = null
    this.#drawnAt = performance.now()
    this.#draw()
  }
}

/** Milliseconds between two drawings. */
const frameTime = 250
const frames = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇']

/** Draws on stderr; `since`: the moment on the steady clock from which the seconds count. Gives back what takes the line away. */
function ticking(invocation: Pick<Invocation, 'edge' | 'output'>, text: string, since = performance.now()): () => void {
  const line = progressLines(invocation).begin((columns) => {
    const passed = performance.now() - since
    const frame = frames[Math.floor(passed / frameTime) % frames.length] ?? ''
    const words = `${frame} ${text}, ${Math.floor(passed / 1000)} s`
    return fittingParts(
      [
        [1, words],
        [0, '(^C stops)'],
      ],
      columns,
    )
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

/** The same transport, with a line on stderr while it waits; taken away before the answer is told. */
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
