/**
 * Asks the rules of the store about a write, in the transaction that opens it. A store without rules is asked one thing, and
 * nothing else of this is loaded for it.
 */

import { ruledOperations } from '../contract/operation.ts'
import { rulesIn } from '../store/journal/approvals.ts'
import type { IntentRow, JournalReader, RuleRow } from '../store/journal/schema.ts'
import { isCounted } from '../store/journal/spent.ts'
import { type Approvable, type Asking, type Deciding, type Ruling, unruled } from './ruling.ts'
import type { Payment } from './subject.ts'

function mayBeRuled({ operation, amountMinor }: Payment, row: IntentRow | null): boolean {
  return ruledOperations.includes(operation) && amountMinor !== null && !(row && isCounted(row))
}

/** True where the store has a rule. */
export async function hasRules(db: JournalReader): Promise<boolean> {
  return (await rulesIn(db)).some(({ removed_at }) => removed_at === null)
}

/** Of one write. `isRunning`: it is tried again by the run that opened it. */
export async function rulingOn(
  db: JournalReader,
  draft: Payment,
  row: IntentRow | null,
  guard: Approvable & { readonly isRunning?: boolean },
  deciding: Deciding,
): Promise<Ruling> {
  if (!mayBeRuled(draft, row)) return unruled
  return ruled(db, [draft], { ...guard, row }, deciding)
}

/** Of drafts that the journal does not know, all together: they are of one client and one plan, or of none. */
export async function rulingOnAll(
  db: JournalReader,
  drafts: readonly Payment[],
  guard: Approvable,
  deciding: Deciding,
): Promise<Ruling> {
  const about = drafts.filter((draft) => mayBeRuled(draft, null))
  return about.length === 0 ? unruled : ruled(db, about, { ...guard, row: null }, deciding)
}

async function ruled(
  db: JournalReader,
  drafts: readonly Payment[],
  asking: Asking,
  deciding: Deciding,
): Promise<Ruling> {
  const rules: readonly RuleRow[] = await rulesIn(db)
  if (rules.length === 0) return unruled
  const { decideByRules } = await ruleDecision()
  return decideByRules(db, rules, drafts, asking, deciding)
}

let loading: Promise<typeof import('./decide.ts')> | undefined

/** Loads how rules decide, once: the transactions after the first one that asks wait for nothing. */
export function ruleDecision(): Promise<typeof import('./decide.ts')> {
  loading ??= import('./decide.ts')
  return loading
}
