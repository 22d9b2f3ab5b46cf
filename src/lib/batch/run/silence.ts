/**
 * Rows in a row without a definite answer of the service. While they are as many as end a run, no other row leaves for the first
 * time: on a line that loses every answer each would be one more to resolve.
 */
import { EventEmitter, once } from 'node:events'
import type { Failure } from '../../failure.ts'
import type { RowState } from '../rows/row-states.ts'
import { mostInARow, saidOfLine } from './stop.ts'

export class Silence {
  /** Those that are sent once more. */
  readonly #asked = new Set<object>()
  /** Those that ended so, or did not leave this machine. */
  #silent = 0
  readonly #told = new EventEmitter<{ broken: [] }>().setMaxListeners(0)

  get isLong(): boolean {
    return this.#asked.size + this.#silent >= mostInARow
  }

  /** The row was left without a definite answer, and is sent once more. */
  add(row: object): void {
    this.#asked.add(row)
  }

  /** The end of a row. One with a definite answer shows that there are answers. */
  over(row: object, state: RowState, failure: Failure | null): void {
    this.#asked.delete(row)
    const said = saidOfLine(state, failure)
    if (said === 'answered' || said === 'away') this.#forgetAll()
    else if (said === null) this.#looked()
    else this.#silent += 1
  }

  /** The row is nobody's any more. */
  forget(row: object): void {
    this.#asked.delete(row)
    this.#looked()
  }

  /** Resolves when it is over; rejects when the signal fires first. */
  async end(signal: AbortSignal): Promise<void> {
    while (this.isLong) await once(this.#told, 'broken', { signal })
  }

  #forgetAll(): void {
    this.#asked.clear()
    this.#silent = 0
    this.#looked()
  }

  #looked(): void {
    if (!this.isLong) this.#told.emit('broken')
  }
}
