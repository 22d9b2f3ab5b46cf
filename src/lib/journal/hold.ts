/**
 * What is held: a draft over a limit of its profile, or one that waits for an approval. It is stored and not sent. This file decides
 * it, stores it with its reason (`because`), and words the failure. The reasons come from `spending.ts` and `approvals/decide.ts`.
 */
import { rulingOn } from '../approvals/ruling.ts'
import { type Approvable, type Deciding, type Ruling, unruled } from '../approvals/subject.ts'
import type { Random } from '../edge.ts'
import type { Failure } from '../failure.ts'
import { blank, type Hint, hint, paste } from '../hint.ts'
import { type Limit, nothingSpent, onePayout, shortagesInWords, shortagesOf } from '../spending.ts'
import type { IntentRow, JournalReader, JournalWriter } from '../store/journal/schema.ts'
import { isCounted } from '../store/journal/spent.ts'
import { type Intent, intentFailure, intentOf, type NewIntent } from './intent.ts'
import { changeCounted, insertCounted, readSpent } from './limits.ts'
import { bodyColumns, newRow, noLease } from './row.ts'

export interface HeldDraft {
  readonly kind: 'held'
  readonly intent: Intent
  /** The open request to approve it (null: none); null where it waits for no approval. */
  readonly waits: { readonly asked: string | null } | null
}

export interface Allowed extends Approvable {
  /** None for writes that are no payouts. */
  readonly limits: readonly Limit[]
  /** True if it may send what is held already, which is asked for by its own id or key. */
  readonly sendsHeld: boolean
}

/** `because`: why a draft is held; null where nothing holds it. */
export interface Decision {
  readonly because: string | null
  readonly ruling: Ruling
}

/** Whether a draft is held, and why. `isRunning`: one more attempt of the run that has it. */
export async function decideHold(
  db: JournalReader,
  newIntent: NewIntent,
  row: IntentRow | null,
  allowed: Allowed & { readonly isRunning?: boolean },
  deciding: Deciding,
): Promise<Decision> {
  const limited = await findHoldingLimit(db, newIntent, row, allowed, deciding.now)
  if (row?.state === 'held' && !allowed.sendsHeld) return { because: limited, ruling: unruled }
  const ruling = await rulingOn(db, newIntent, row, allowed, deciding)
  return { because: limited ?? ruling.because, ruling }
}

/** The limit that holds a draft, in words; null where it fits. */
async function findHoldingLimit(
  db: JournalReader,
  newIntent: NewIntent,
  row: IntentRow | null,
  { limits, sendsHeld }: Allowed,
  now: number,
): Promise<string | null> {
  if (row?.state === 'held' && !sendsHeld) return row.because ?? 'over a limit'
  if (limits.length === 0 || newIntent.amountMinor === null || (row && isCounted(row))) return null
  return describeShortage(newIntent, limits, now, await readSpent(db, newIntent, limits, now))
}

/** How a draft exceeds the limits, in words; null where it fits. `now`: milliseconds since 1970. */
export function describeShortage(
  { currency, amountMinor }: NewIntent,
  limits: readonly Limit[],
  now: number,
  spent = nothingSpent,
): string | null {
  if (limits.length === 0 || amountMinor === null) return null
  const shortages = shortagesOf(limits, onePayout(currency ?? '', BigInt(amountMinor)), spent, now)
  return shortages.length === 0 ? null : `over a limit: ${shortagesInWords(shortages)}`
}

/** Stores a draft as held; null where nothing holds it. It counts nothing, and no process has its lease. */
export async function holdNewIntent(
  db: JournalWriter,
  newIntent: NewIntent,
  row: IntentRow | null,
  { because, ruling }: Decision,
  { now, random }: { readonly now: number; readonly random: Random },
): Promise<HeldDraft | null> {
  if (because === null) return null
  const iso = new Date(now).toISOString()
  const held = { state: 'held', because, operator_word: null, changed_at: iso, ...noLease, ...ruling.counted }
  // Consent was given when it was held first, unless something was tried since.
  const opened_at = row?.state === 'held' ? row.opened_at : iso
  const kept = row
    ? await changeCounted(db, row, { ...bodyColumns(newIntent), ...held, opened_at })
    : await insertCounted(db, { ...newRow(newIntent, random, iso, noLease), ...held })
  const waits = ruling.because === null ? null : { asked: ruling.asked }
  return { kind: 'held', intent: intentOf(kept), waits }
}

/** The failure of a held draft (13). */
export function heldFailure({ intent, waits }: HeldDraft): Failure {
  const { journalId, idempotencyKey, because } = intent
  const keyed = idempotencyKey === null ? '' : ', or the same command with its --key'
  const when = waits === null ? 'it fits' : 'it is approved'
  return intentFailure('held', `not sent, held as ${journalId}: ${because ?? 'over a limit'}`, intent, {
    hints: [
      ...(waits === null ? [] : [approvalHint(journalId, waits.asked)]),
      hint`When ${when}: \`${paste('resume', journalId)}\`${keyed}.`,
      ...(waits === null ? [hint`\`${paste('profile show')}\` shows the limits and what is left of them.`] : []),
      hint`If it should not be paid: \`${paste('resume', journalId, '--settle', 'refused', '--because', blank('"…"'))}\`.`,
    ],
  })
}

/** The failure of an approval of an intent that is not held. */
export function notHeldFailure(intent: Intent): Failure {
  const { journalId, state } = intent
  return intentFailure('usage', `${journalId} is not held but ${state}, so there is nothing to approve`, intent, {
    hints: [hint`\`${paste('journal show', journalId)}\` shows the details.`],
  })
}

/** The next step towards an approval. `asked`: the open request for it; null for none. */
export function approvalHint(subjectId: string, asked: string | null): Hint {
  if (asked !== null) return hint`Another person must approve it: \`${paste('approval approve', asked)}\`.`
  return hint`Request approval: \`${paste('approval request', subjectId)}\`.`
}
