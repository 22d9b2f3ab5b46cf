/** The crash matrix (money-safety.md#how-it-is-proved): every write, at every boundary, each crash, each fault. Generated. */
import {
  type AnswerFaultKind,
  answerFaultKinds,
  type FaultPlace,
  faultPlaces,
} from '../../../src/lib/sandbox/faults.ts'

import { type Write, writes } from '../answers/writes.ts'

/** The moments of a write, in their order; `after send`: the service has it and has not answered. */
export const boundaries = ['before intent', 'after intent', 'after send', 'after answer', 'after outcome'] as const
export type Boundary = (typeof boundaries)[number]

export const crashes = ['kill -9', 'full disk', 'damaged file'] as const
export type Crash = (typeof crashes)[number]

/** The fates of a team's store: a database that is killed is back at once, one that is gone when the command has ended. */
export const teamCrashes = ['kill -9', 'database killed', 'database gone'] as const
export type TeamCrash = (typeof teamCrashes)[number]

/** `null`: the service answers as documented. */
export type Fault = { readonly at: FaultPlace; readonly kind: AnswerFaultKind } | null

/** A service that executes and then turns away lies: by HTTP these two say that nothing was applied. */
const isLie = (at: FaultPlace, kind: AnswerFaultKind) => at === 'after' && (kind === '401' || kind === '429')

export const faults: readonly Fault[] = [
  null,
  ...faultPlaces.flatMap((at) => answerFaultKinds.filter((kind) => !isLie(at, kind)).map((kind) => ({ at, kind }))),
]

export interface Cell {
  readonly write: Write
  readonly boundary: Boundary
  readonly crash: Crash
  readonly fault: Fault
}

export interface TeamCell extends Omit<Cell, 'crash'> {
  readonly crash: TeamCrash
}

/** The payouts of a file: the first commit of the run, or one in its middle. */
export interface BatchCell extends Omit<Cell, 'write'> {
  readonly nth: number
}

export const batchCells: readonly BatchCell[] = faults.flatMap((fault) =>
  boundaries.flatMap((boundary) => crashes.flatMap((crash) => [1, 3].map((nth) => ({ boundary, crash, fault, nth })))),
)

export const cells: readonly Cell[] = writes.flatMap((write) =>
  faults.flatMap((fault) =>
    boundaries.flatMap((boundary) => crashes.map((crash) => ({ write, boundary, crash, fault }))),
  ),
)

export const teamCells: readonly TeamCell[] = writes.flatMap((write) =>
  faults.flatMap((fault) =>
    boundaries.flatMap((boundary) => teamCrashes.map((crash) => ({ write, boundary, crash, fault }))),
  ),
)

const told = ({ boundary, crash, fault }: Omit<Cell | TeamCell, 'write'>): string =>
  `${crash} ${boundary}, ${fault === null ? 'no fault' : `${fault.kind} ${fault.at}`}`

export function titleOf(cell: Cell | TeamCell): string {
  return `${cell.write.name}, ${told(cell)}`
}

export function batchTitleOf(cell: BatchCell): string {
  return `batch, ${told(cell)}, at its commit ${cell.nth}`
}
