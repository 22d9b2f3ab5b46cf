/** The look at a plan before its first row: it is what was agreed to, to the last row and its id. */

import { hash } from 'node:crypto'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import type { Journal } from '../journal/journal.ts'
import { isRecord, readJson } from '../json.ts'
import { rowsAfter } from '../store/batch/plan.ts'
import type { PlanRowRow } from '../store/batch/schema.ts'
import { planHash, RowIds, RowsHash } from './make-plan.ts'
import type { Plan } from './plan.ts'
import type { PlanStore } from './plans.ts'
import { ownerOf } from './rows.ts'

/** Rows that are looked at together. */
const piece = 500

/** Throws bug (1) for a plan that was changed outside paydesk: nothing of it is sent. Gives its rows as they were seen. */
export async function verifyPlan(journal: Journal, store: PlanStore, plan: Plan): Promise<AgreedRows> {
  const seen = new AgreedRows()
  const owner = ownerOf(plan, journal)
  const hash = new RowsHash()
  const ids = new RowIds(owner, plan)
  for (let after = 0; ; ) {
    const rows = await store.ask((db) => rowsAfter(db, after, piece))
    if (rows.length === 0) break
    const named = await ids.of(rows.map((row) => asked(plan, row)))
    for (const [at, { row, content, uniqueId }] of named.entries()) {
      const kept = rows[at]
      if (kept?.unique_id !== uniqueId || kept.content !== content) throw changed(plan, `its row ${row.number}`)
      hash.add(row.key, content, row.keptId)
      seen.add(kept)
    }
    after = rows.at(-1)?.number ?? after
  }
  if (planHash(owner.profile, { ...plan, content: hash.digest() }) !== plan.hash) throw changed(plan, 'it')
  return seen
}

function asked({ keepsIds = false }: Plan, { number, business_key, unique_id, request }: PlanRowRow) {
  const members = readJson(request)
  // An id that does not follow from its row is a part of what the hash of the plan was made of.
  const keptId = keepsIds && business_key === null ? unique_id : null
  return { number, key: business_key, request: isRecord(members) ? members : {}, keptId }
}

function changed({ planId, file }: Plan, what: string): Failure {
  return new Failure(
    'bug',
    `the plan ${planId} is damaged: ${what} was changed outside paydesk; nothing of it is sent`,
    {
      hints: [hint`Plan ${file} once more on a disk that is whole: rows that were sent keep their ids.`],
    },
  )
}

// The rows of a plan as they were when the plan was held against its hash. They are read again when they are sent, perhaps hours
// later: one that is another by then was agreed to by nobody. 24 bytes are kept of each.

type Sent = Pick<PlanRowRow, 'number' | 'business_key' | 'unique_id' | 'request'>

const size = 16

function digestOf({ business_key, unique_id, request }: Sent): Buffer {
  return hash('sha256', JSON.stringify([business_key, unique_id, request]), 'buffer').subarray(0, size)
}

/** The first half of an id: two of them are the same by chance in no plan of this world. */
function halfOf(uniqueId: string): bigint {
  return BigInt(`0x${uniqueId.replaceAll('-', '').slice(0, 16)}`)
}

export class AgreedRows {
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
