/** The look at a plan before its first row: it is what was agreed to, to the last row and its id. */

import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import type { Journal } from '../../journal/journal.ts'
import { isRecord, readJson } from '../../json.ts'
import { type PlanRowRow, rowsAfter } from '../../store/plans.ts'
import { RowIds } from '../plan/ids.ts'
import type { Plan } from '../plan/plan.ts'
import { planHash, RowsHash } from '../plan/survey.ts'
import type { PlanStore } from '../plans/store.ts'
import { ownerOf } from '../rows/owner.ts'
import { SeenRows } from './seen.ts'

/** Rows that are looked at together. */
const piece = 500

/** Throws bug (1) for a plan that was changed outside paydesk: nothing of it is sent. Gives its rows as they were seen. */
export async function mustBeUnchanged(journal: Journal, store: PlanStore, plan: Plan): Promise<SeenRows> {
  const seen = new SeenRows()
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
      hash.add(row.key, content, row.givenId)
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
  const givenId = keepsIds && business_key === null ? unique_id : null
  return { number, key: business_key, request: isRecord(members) ? members : {}, givenId }
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
