/**
 * The rest of a payout whose personal data was removed. A member that was there is null since: its name stays, nothing of it is
 * sent or compared, and people read one word in its place.
 */
import type { Members } from '../../contract/core/members.ts'
import { isRecord, readJson, writeJson } from '../../json.ts'
import type { AttemptRow, IntentRow } from '../../store/journal/schema.ts'

/** Stands where something was. */
export const removedWord = 'removed'

/** The members of a payout that tell of no person. All others go, also those that a later contract may add. */
const kept: ReadonlySet<string> = new Set(['uniqueId', 'amount', 'currency'])

/** The body (JSON text) without its personal members. */
function bodyWithout(body: string): string {
  const request = readJson(body)
  if (!isRecord(request)) return '{}'
  return writeJson(
    Object.fromEntries(Object.entries(request).map(([name, value]) => [name, kept.has(name) ? value : null])),
  )
}

function wordFor(text: string | null): string | null {
  return text === null ? null : removedWord
}

/** The columns of an intent that change. `salt`: a new one, so that no digest in the chain lets the old values be guessed. */
export function intentWithout(row: IntentRow, salt: string, now: string): Partial<IntentRow> {
  return {
    body: bodyWithout(row.body),
    payee: removedWord,
    status_description: wordFor(row.status_description),
    because: wordFor(row.because),
    operator_word: wordFor(row.operator_word),
    removed_at: now,
    salt,
  }
}

/** The columns of an attempt that change: words of the service, and ours about its answer, may name people. */
export function attemptWithout({ message, why }: AttemptRow, salt: string): Partial<AttemptRow> {
  return { message: wordFor(message), why: wordFor(why), salt }
}

/** The members of a body that are there, and the names of those that were. */
export function removedMembers(request: Members): { readonly kept: Members; readonly gone: readonly string[] } {
  const members = Object.entries(request)
  return {
    kept: Object.fromEntries(members.filter(([, value]) => value !== null)),
    gone: members.flatMap(([name, value]) => (value === null ? [name] : [])),
  }
}

/** Changes by a later read, without the service's words. */
export function stillRemoved(row: Pick<IntentRow, 'removed_at' | 'status_description'>, changes: Partial<IntentRow>) {
  if (row.removed_at === null || !('status_description' in changes)) return changes
  return { ...changes, status_description: row.status_description }
}
