/** Exports the journal as lines of JSON: every payment with its attempts, and a last line that shows that the export is complete. */

import { describeAttempts, journalEntry, withCurrency } from '../journal/entry.ts'
import type { JournalFilter } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import type { exportEndResult, journalShownResult } from '../journal/result.ts'
import type { ResultOf } from '../result.ts'

export type ExportEnd = ResultOf<typeof exportEndResult>

/** Intents of one query. */
const atOnce = 500

/** The payments of a filter, the newest first, and the last line. */
export async function* exported(
  journal: Journal,
  filter: Pick<JournalFilter, 'profile' | 'since' | 'until'>,
): AsyncGenerator<ResultOf<typeof journalShownResult> | ExportEnd> {
  let entries = 0
  let after: JournalFilter['after']
  for (;;) {
    const page = await journal.list({ ...filter, limit: atOnce, ...(after ? { after } : {}) })
    for (const intent of await withCurrency(journal, page)) {
      const attempts = describeAttempts(await journal.attempts(intent))
      entries += 1
      yield { ...journalEntry(intent), attempts }
    }
    const last = page.at(-1)
    if (page.length < atOnce || !last) break
    after = { opened_at: last.openedAt, id: last.journalId }
  }
  // Read after the last payment, so that the head covers all payments.
  const journalHead = await journal.headNow()
  yield { entries, journalHead, exportedAt: new Date(journal.moment.now).toISOString() }
}
