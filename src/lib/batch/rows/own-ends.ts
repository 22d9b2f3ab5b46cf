/**
 * The ends of rows that a run has seen itself. The journal is right about all of them but where it lacks what was sent, or an end that
 * could not be recorded.
 */
import type { Holding } from '../../journal/hold/holder.ts'
import type { RowState } from './row-states.ts'
import type { PlannedRow } from './state.ts'

/** The states in which money may have moved. */
const moved = ['accepted', 'exists', 'unknown'] as const satisfies readonly RowState[]

export class OwnEnds {
  readonly #holding: Pick<Holding, 'self'>
  /** By the numbers of the rows, which lie close together. */
  readonly #states: (typeof moved)[number][] = []

  constructor(holding: Pick<Holding, 'self'>) {
    this.#holding = holding
  }

  add({ planned, state }: PlannedRow): void {
    const end = moved.find((each) => each === state)
    if (end) this.#states[planned.number] = end
  }

  /** The row as it is to be counted when the run is over. */
  over(row: PlannedRow): PlannedRow {
    const { planned, intent, state } = row
    // This process is done with it: an end that could not be recorded leaves nothing on its way.
    if (state === 'sending' && intent?.holder === this.#holding.self) return { ...row, state: 'unknown' }
    const own = this.#states[planned.number]
    // A store that was put back or emptied meanwhile denies nothing that has left.
    return own && state === 'planned' && intent === null ? { ...row, state: own } : row
  }
}
