/** Verifies before the first row that a plan is the one that was agreed to, with every row and id. */

import { hash } from 'node:crypto'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import type { Journal } from '../journal/journal.ts'
import { isRecord, readJson } from '../json.ts'
import type { PlanRowRow } from '../store/plans.ts'
import { planHash, RowIds, RowsHash } from './make-plan.ts'
import type { Plan } from './plan.ts'
import { type PlanStore, storedRows } from './plans.ts'
import { ownerOf } from './rows.ts'

/** Throws bug (1) for a plan that was changed outside paydesk: nothing of it is sent. Gives its rows as they were seen. */
export async function verifyPlan(journal: Journal, store: PlanStore, plan: Plan): Promise<AgreedRows> {
  const seen = new AgreedRows()
  const owner = ownerOf(plan, journal)
  const hash = new RowsHash()
  const ids = new RowIds(owner, plan)
  for await (const rows of storedRows(store)) {
    const named = await ids.of(rows.map((row) => asked(plan, row)))
    for (const [at, { row, content, uniqueId }] of named.entries()) {
      const kept = rows[at]
      if (kept?.unique_id !== uniqueId || kept.content !== content) throw changed(plan, `its row ${row.number}`)
      hash.add(row.key, content, row.keptId)
      seen.add(kept)
    }
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
    `the plan ${planId} is damaged: ${what} was changed outside paydesk. Nothing of it is sent`,
    {
      hints: [hint`Plan ${file} again on an undamaged disk: rows that were sent keep their ids.`],
    },
  )
}

type AgreedRow = Pick<PlanRowRow, 'number' | 'business_key' | 'unique_id' | 'request'>

function digestOf({ business_key, unique_id, request }: AgreedRow): string {
  return hash('sha256', JSON.stringify([business_key, unique_id, request]), 'base64').slice(0, 22)
}

/**
 * The rows of a plan as they were when its hash was verified. They are read again when they are sent, perhaps hours later: nobody
 * agreed to a row that was changed meanwhile.
 */
export class AgreedRows {
  readonly #digests = new Map<number, string>()
  readonly #ids = new Set<string>()

  add(row: AgreedRow): void {
    this.#digests.set(row.number, digestOf(row))
    this.#ids.add(row.unique_id)
  }

  /** True if the row is as it was. */
  has(row: AgreedRow): boolean {
    return this.#digests.get(row.number) === digestOf(row)
  }

  hasId(uniqueId: string): boolean {
    return this.#ids.has(uniqueId)
  }
}
