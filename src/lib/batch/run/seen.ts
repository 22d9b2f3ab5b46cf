/**
 * The rows of a plan as they were when the plan was held against its hash. They are read again when they are sent, perhaps hours
 * later: one that is another by then was agreed to by nobody. 24 bytes are kept of each.
 */
import { hash } from 'node:crypto'
import type { PlanRowRow } from '../../store/plans.ts'

type Sent = Pick<PlanRowRow, 'number' | 'business_key' | 'unique_id' | 'request'>

const size = 16

function digestOf({ business_key, unique_id, request }: Sent): Buffer {
  return hash('sha256', JSON.stringify([business_key, unique_id, request]), 'buffer').subarray(0, size)
}

/** The first half of an id: two of them are the same by chance in no plan of this world. */
function halfOf(uniqueId: string): bigint {
  return BigInt(`0x${uniqueId.replaceAll('-', '').slice(0, 16)}`)
}

export class SeenRows {
  #digests = Buffer.alloc(64 * size)
  #ids = new BigUint64Array(64)
  #count = 0
  #areSorted = true

  add(row: Sent): void {
    if (this.#count === this.#ids.length) {
      const more = new BigUint64Array(2 * this.#count)
      more.set(this.#ids)
      this.#ids = more
    }
    this.#ids[this.#count] = halfOf(row.unique_id)
    this.#count += 1
    this.#areSorted = false
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

  /** True for the id of one of its rows. */
  hasId(uniqueId: string): boolean {
    const ids = this.#ids.subarray(0, this.#count)
    if (!this.#areSorted) ids.sort()
    this.#areSorted = true
    const wanted = halfOf(uniqueId)
    let [low, high] = [0, ids.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ids[middle] ?? 0n) < wanted) low = middle + 1
      else high = middle
    }
    return ids[low] === wanted
  }
}
