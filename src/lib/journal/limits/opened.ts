/**
 * Attempts are opened in the transaction that decides on what it reads: what does not fit a limit is held there, and the rest is
 * counted with its attempt.
 */

import type { Ruling } from '../../approvals/ruling.ts'
import type { Random } from '../../edge.ts'
import type { Limit } from '../../spending/limit.ts'
import type { ApprovalRow } from '../../store/journal/approval-tables.ts'
import { useApproval } from '../../store/journal/approvals.ts'
import { addAttempt, attemptsOf, recordedIntent } from '../../store/journal/journal.ts'
import type { IntentRow, JournalWriter } from '../../store/journal/schema.ts'
import type { Holding } from '../hold/holder.ts'
import { attemptOf, type Draft, type Intent, intentOf } from '../intent.ts'
import { kept, later, type Moment } from '../moment.ts'
import { takenOver } from '../objection.ts'
import { bodyOf, holdOf, type IntentChange, newAttempt, newRow, reopened, underWay } from '../row.ts'
import type { PastAttempt } from '../verdict.ts'
import { addAllCounted, addCounted, changeCounted, isCounted } from './counted.ts'
import { type Decision, decisionAbout, type HeldBack, heldBack } from './hold.ts'

/** The moment of an attempt, and the process that makes it. */
export interface Making extends Moment {
  readonly self: string
  readonly random: Random
  readonly holding: Holding
}

export interface OpenedAttempt {
  readonly kind: 'begun'
  readonly intent: Intent
  /** Its number. */
  readonly attempt: number
}

/** A draft as the journal knows it, and what holds it. */
export interface Considered {
  readonly row: IntentRow | null
  readonly past: readonly PastAttempt[]
  readonly decision: Decision
}

function isoOf({ now }: Moment): string {
  return new Date(now).toISOString()
}

/**
 * Intents and first attempts of drafts that the journal does not know, each held by this process for so many milliseconds. They
 * count as the ruling on all of them says.
 */
export async function openedAnew(
  db: JournalWriter,
  all: readonly { readonly draft: Draft; readonly heldFor: number }[],
  { counted, uses }: Ruling,
  present: Making,
): Promise<OpenedAttempt[]> {
  const now = isoOf(present)
  const rows = all.map(({ draft, heldFor }) => ({
    ...newRow(draft, present.random, now, holdOf(present.self, later(present, heldFor))),
    ...counted,
  }))
  if (uses) await useUp(db, uses, now)
  const begun: OpenedAttempt[] = []
  for (const intent of await addAllCounted(db, rows)) begun.push(await attempted(db, intent, 1, present))
  return begun
}

/** Intent and attempt of a draft, held by this process for so many milliseconds; or the intent, held back. */
export async function opened(
  db: JournalWriter,
  draft: Draft,
  { row, past, decision }: Considered,
  heldFor: number,
  present: Making,
): Promise<OpenedAttempt | HeldBack> {
  const held = await heldBack(db, draft, row, decision, present)
  if (held) return held
  const { counted, uses } = decision.ruling
  const [hold, now] = [holdOf(present.self, later(present, heldFor)), isoOf(present)]
  if (uses) await useUp(db, uses, now)
  const intent = row
    ? await changeCounted(db, row, {
        ...bodyOf(draft),
        ...hold,
        ...anew(row, past, now),
        ...underWay(row, now),
        ...counted,
      })
    : await addCounted(db, { ...newRow(draft, present.random, now, hold), ...counted })
  return attempted(db, intent, past.length + 1, present)
}

/**
 * One more attempt of an intent that this process holds. One that counts no more, because it did not leave this machine, has to fit
 * the limits anew. Throws locked (12) where another process has taken it over.
 */
export async function openedAgain(
  db: JournalWriter,
  { journalId }: Intent,
  limits: readonly Limit[],
  present: Making,
): Promise<OpenedAttempt | HeldBack> {
  const past = (await attemptsOf(db, journalId)).map(attemptOf)
  const row = await recordedIntent(db, journalId)
  const intent = intentOf(row)
  if (row.holder !== present.self) throw takenOver(intent)
  const decision = await decisionAbout(db, intent, row, { limits, sendsHeld: false, isRunning: true }, present)
  const held = await heldBack(db, intent, row, decision, present)
  if (held) return held
  const now = isoOf(present)
  const changed = await changeCounted(db, row, {
    ...anew(row, past, now),
    ...underWay(row, now),
    ...decision.ruling.counted,
  })
  return attempted(db, changed, past.length + 1, present)
}

/** An intent that counts, counts by its first attempt: that of a conflict, too, which may have been executed. */
function anew(row: IntentRow, past: readonly PastAttempt[], now: string): IntentChange {
  return isCounted(row) ? {} : reopened(row, past, now)
}

/** From the first attempt on it is used, whatever becomes of that. */
async function useUp(db: JournalWriter, approval: ApprovalRow, now: string): Promise<void> {
  if (approval.used_at === null) await useApproval(db, approval, now)
}

async function attempted(db: JournalWriter, row: IntentRow, attempt: number, present: Making): Promise<OpenedAttempt> {
  await addAttempt(db, newAttempt(row, attempt, kept(present)))
  return { kind: 'begun', intent: intentOf(row), attempt }
}
