/**
 * The tables of plans: what was agreed to, and its rows. On one machine each plan is a store of its own, so that the journal stays
 * small; those of a team lie side by side in its store.
 */
import type { Schema } from '../engine/store.ts'
import { plan } from './migrations/001-plan.ts'
import { known } from './migrations/002-known.ts'
import { sideBySide } from './migrations/003-side-by-side.ts'
import { heldSince } from './migrations/004-held-since.ts'

/** The row about a plan itself. */
export interface PlanTableRow {
  readonly id: string
  /** JSON text of the facts, which never change. */
  readonly facts: string
  readonly planned_at: string
  readonly expires_at: string
  /** The profile, address and limits that it was planned under. */
  readonly conditions: string
  readonly discarded_at: string | null
  /** The process that runs it, and until when at the latest. */
  readonly holder: string | null
  /** The moment at which that one took it, ISO text; null of a lease that an earlier paydesk took. */
  readonly held_since: string | null
  readonly held_until: string | null
  readonly held_until_steady: string | null
  /** 0 until its last row is written: a crash in between leaves no plan. */
  readonly complete: number
}

export interface PlanRowRow {
  /** As a spreadsheet counts. */
  readonly number: number
  readonly unique_id: string
  readonly business_key: string | null
  /** Digest of the request's meaning, the id left out. */
  readonly content: string
  /** JSON text of the request, the id left out, values as they are held inside. */
  readonly request: string
  readonly payee: string
  readonly amount_minor: string
  readonly currency: string
  /** JSON list of the cells as they stood in the file. */
  readonly source: string
  /** JSON text of the original ids of a pain.001; null of other formats. */
  readonly payment: string | null
  /**
   * The moments that the row's intent had in the journal when the row was planned; null where there was none. Compared for being the same
   * only: a clock may have been set back since.
   */
  readonly known_opened_at: string | null
  readonly known_changed_at: string | null
}

export interface PlanTables {
  plans: PlanTableRow
  plan_rows: PlanRowRow & { readonly plan_id: string }
}

export const planSchema: Schema = { title: 'the plan', migrations: [plan, known, sideBySide, heldSince] }
