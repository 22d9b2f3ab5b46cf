/** The doings of a worker as it tells them. */
import type { Departures } from '../batch/run/departures.ts'
import type { RowEvent } from '../batch/run/run.ts'

export type WorkerEvent =
  | { readonly event: 'row'; readonly planId: string; readonly row: RowEvent }
  | { readonly event: 'stopped'; readonly planId: string; readonly why: string }
  | { readonly event: 'waiting'; readonly why: string }
  | { readonly event: 'stored'; readonly answers: number }

type Line = Pick<Departures, 'underWay'>

/** The lines by which the rows of its chunks leave. */
export class ChunkLines {
  readonly #lines = new Set<Line>()

  /** Begins a chunk: `watch` gets its line, `end` is called when its rows are through. */
  begin(): { readonly watch: (line: Line) => void; readonly end: () => void } {
    let own: Line | null = null
    return {
      watch: (line) => {
        own = line
        this.#lines.add(line)
      },
      end: () => {
        if (own) this.#lines.delete(own)
      },
    }
  }

  /** Rows that may have been executed, and are sent once more after a pause. */
  get pausing(): number {
    return [...this.#lines].reduce((sum, { underWay }) => sum + underWay.pausing, 0)
  }
}
