/**
 * The ends of rows that a run has seen itself. The journal is right about all of them but where it lacks what was sent, or an end that
 * could not be recorded.
 */
import type { ThisProcess } from '../../journal/lease.ts'
import type { RowState } from './row-states.ts'
import type { PlannedRow } from './state.ts'

/** The states in which money may have moved. */
const moved = ['accepted', 'exists', 'unknown'] as const satisfies readonly RowState[]

/** The states of a row of which nothing was executed, as far as a store knows that may be an older copy of itself. */
const unmoved: ReadonlySet<RowState> = new Set(['planned', 'unsent', 'turned-away', 'held'])

export function isUnmoved(state: RowState): boolean {
  return unmoved.has(state)
}

/** True if a store has the row as one that was not paid, which is not so: it was put back, or emptied, since the run saw this end. */
function isDenied(own: (typeof moved)[number], { state }: PlannedRow): boolean {
  // A row without an answer may have been refused since: by a repeat that proves it, or by a person's word.
  return isUnmoved(state) || (state === 'refused' && own !== 'unknown')
}

export class OwnEnds {
  readonly #holding: Pick<ThisProcess, 'self'>
  /** By the numbers of the rows, which lie close together. */
  readonly #states: (typeof moved)[number][] = []

  constructor(holding: Pick<ThisProcess, 'self'>) {
    this.#holding = holding
  }

  add({ planned, state }: PlannedRow): void {
    const end = moved.find((each) => each === state)
    // One that was paid stays so, whatever came of asking for it again.
    if (end && (end !== 'unknown' || !this.#states[planned.number])) this.#states[planned.number] = end
  }

  /** The row as it is to be counted when the run is over. */
  over(row: PlannedRow): PlannedRow {
    const { planned, intent, state } = row
    // This process is done with it: an end that could not be recorded leaves nothing on its way.
    if (state === 'sending' && intent?.holder === this.#holding.self) return { ...row, state: 'unknown' }
    const own = this.#states[planned.number]
    if (!own || !isDenied(own, row)) return row
    return { planned, intent: row.isTakenKey ? null : intent, state: own, isTakenKey: false }
  }
}
