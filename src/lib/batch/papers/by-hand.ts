/** Rows of unknown outcome that no run resolves, counted as they pass by. */
import { isForPerson, type PlannedRow } from '../rows/state.ts'

export class ByHand {
  /** Rows of which another sum, or two ends, were told. */
  otherSums = 0
  /** Rows whose key or id stands for another payment that is open itself. */
  otherPayments = 0

  add(row: PlannedRow): void {
    if (row.state !== 'unknown') return
    if (row.isTakenKey) this.otherPayments += 1
    else if (isForPerson(row)) this.otherSums += 1
  }

  get rows(): number {
    return this.otherSums + this.otherPayments
  }
}
