/** Payments over a limit: kept as held, and not sent. A repeat is never held, for it was counted by its first attempt. */

import { rulingOn } from '../../approvals/ask-rules.ts'
import { type Approvable, type Deciding, type Ruling, unruled } from '../../approvals/ruling.ts'
import type { Random } from '../../edge.ts'
import type { Limit } from '../../spending/limit.ts'
import { onePayout, shortagesInWords, shortagesOf } from '../../spending/shortage.ts'
import { nothingSpent } from '../../spending/spent.ts'
import type { IntentRow, JournalReader, JournalWriter } from '../../store/journal/schema.ts'
import { type Draft, type Intent, intentOf } from '../intent.ts'
import { bodyOf, newRow, noHold } from '../row.ts'
import { addCounted, changeCounted, isCounted } from './counted.ts'
import { spentNow } from './spent.ts'

/** An intent that was kept and not sent. */
export interface HeldBack {
  readonly kind: 'held'
  readonly intent: Intent
  /** The request to approve it that is open (null: none is), where it waits for an approval. */
  readonly waits: { readonly asked: string | null } | null
}

/** The part of a guard that decides whether a payment is held. */
export interface Allowed extends Approvable {
  /** The limits of the profile that sends it; none for writes that are no payouts. */
  readonly limits: readonly Limit[]
  /** True if it may send what is held already: that is asked for by its own id or key alone. */
  readonly sendsHeld: boolean
}

/** The reason for which limits, or rules that ask for approvers, hold a draft. `because` is null where nothing does. */
export interface Decision {
  readonly because: string | null
  readonly ruling: Ruling
}

/** `row` is its intent, where the journal knows it. `isRunning`: one more attempt of the run that has it. */
export async function decisionAbout(
  db: JournalReader,
  draft: Draft,
  row: IntentRow | null,
  allowed: Allowed & { readonly isRunning?: boolean },
  deciding: Deciding,
): Promise<Decision> {
  const limited = await heldBecause(db, draft, row, allowed, deciding.now)
  if (row?.state === 'held' && !allowed.sendsHeld) return { because: limited, ruling: unruled }
  const ruling = await rulingOn(db, draft, row, allowed, deciding)
  return { because: limited ?? ruling.because, ruling }
}

/** The reason for which its limits hold a draft, in words; null where they do not. */
async function heldBecause(
  db: JournalReader,
  draft: Draft,
  row: IntentRow | null,
  { limits, sendsHeld }: Allowed,
  now: number,
): Promise<string | null> {
  if (row?.state === 'held' && !sendsHeld) return row.because ?? 'over a limit'
  if (limits.length === 0 || draft.amountMinor === null || (row && isCounted(row))) return null
  return overLimits(draft, limits, now, await spentNow(db, draft, limits, now))
}

/** The limits that a draft does not fit where this is spent, in words; null where it fits. `now`: milliseconds since 1970. */
export function overLimits(
  { currency, amountMinor }: Draft,
  limits: readonly Limit[],
  now: number,
  spent = nothingSpent,
): string | null {
  if (limits.length === 0 || amountMinor === null) return null
  const shortages = shortagesOf(limits, onePayout(currency ?? '', BigInt(amountMinor)), spent, now)
  return shortages.length === 0 ? null : `over a limit: ${shortagesInWords(shortages)}`
}

/** Keeps a draft as held, for this reason; null where there is none. Nothing of it counts then, and no process has it. */
export async function heldBack(
  db: JournalWriter,
  draft: Draft,
  row: IntentRow | null,
  { because, ruling }: Decision,
  { now, random }: { readonly now: number; readonly random: Random },
): Promise<HeldBack | null> {
  if (because === null) return null
  const iso = new Date(now).toISOString()
  const held = { state: 'held', because, operator_word: null, changed_at: iso, ...noHold, ...ruling.counted }
  const waits = ruling.because === null ? null : { asked: ruling.asked }
  if (!row) return kept(await addCounted(db, { ...newRow(draft, random, iso, noHold), ...held }), waits)
  // Consent was given when it was held first, unless something was tried since.
  const opened_at = row.state === 'held' ? row.opened_at : iso
  return kept(await changeCounted(db, row, { ...bodyOf(draft), ...held, opened_at }), waits)
}

function kept(row: IntentRow, waits: HeldBack['waits']): HeldBack {
  return { kind: 'held', intent: intentOf(row), waits }
}
