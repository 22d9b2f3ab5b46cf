/**
 * The rows of a plan as they were when the plan was held against its hash. They are read again when they are sent, perhaps hours
 * later: one that is another by then was agreed to by nobody. 16 bytes are kept of each.
 */
import { hash } from 'node:crypto'
import type { PlanRowRow } from '../../store/batch/schema.ts'

type Sent = Pick<PlanRowRow, 'number' | 'business_key' | 'unique_id' | 'request'>

const size = 16

function digestOf({ business_key, unique_id, request }: Sent): Buffer {
  return hash('sha256', JSON.stringify([business_key, unique_id, request]), 'buffer').subarray(0, size)
}

export class SeenRows {
  #digests = Buffer.alloc(64 * size)

  add(row: Sent): void {
    const at = row.number * size
    if (at + size > this.#digests.length) {
      this.#digests = Buffer.concat([this.#digests], Math.max(at + size, 2 * this.#digests.length))
    }
    digestOf(row).copy(this.#digests, at)
  }

  /** True if the row is as it was. */
  has(row: Sent): boolean {
    const at = row.number * size
    return digestOf(row).equals(this.#digests.subarray(at, at + size))
  }
}
