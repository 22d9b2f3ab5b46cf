/**
 * Writes what a statement proves into the journal: a payout that an entry names by its key, its uniqueId or its transactionId was
 * executed. Only what is open is resolved, and nothing that something in the journal stands against. A payout that was found by its
 * sum is left to the operator.
 */
import { Failure } from '../failure.ts'
import { type Intent, isInConflict } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import type { Item } from './match.ts'
import { type BankFile, type Booking, sumInWords } from './statement.ts'

/** True for an item that may resolve its payout: an entry that names it, and agrees with it in everything that it shows. */
export function isEvidence({ kind, by, payout }: Item): boolean {
  if (kind !== 'matched' || by === null || by === 'sum' || payout === null || payout.conflict !== null) return false
  return payout.state === 'unknown' || payout.state === 'exists'
}

/** The words that the journal keeps as the reason. */
export function evidenceInWords(file: BankFile, booking: Booking, by: string): string {
  const statement = file.statements[booking.statement]?.id ?? file.name
  const day = booking.day === null ? '' : ` of ${booking.day}`
  const sum = booking.sum === null ? '' : `: ${sumInWords(booking.sum)}`
  return `bank statement ${statement}, entry ${booking.entry}${day}${sum}, found by its ${by}`
}

type OpenJournal = Pick<Journal, 'list' | 'close'>

export interface Applied {
  /** The payouts that were resolved, by their journal ids, as they are now. */
  readonly resolved: ReadonlyMap<string, Intent>
  readonly warnings: readonly string[]
}

export async function applyEvidence(
  journal: OpenJournal,
  file: BankFile,
  items: Iterable<Item>,
  signal: AbortSignal,
): Promise<Applied> {
  const resolved = new Map<string, Intent>()
  const warnings: string[] = []
  for (const item of items) {
    const booking = item.booking === null ? undefined : file.bookings[item.booking]
    if (!isEvidence(item) || !booking || item.payout === null) continue
    signal.throwIfAborted()
    const [intent] = (await journal.list({ named: item.payout.journalId })).filter(
      ({ journalId }) => journalId === item.payout?.journalId,
    )
    if (!intent) continue
    const done = await closeBy(journal, intent, booking, evidenceInWords(file, booking, item.by ?? '')).catch(
      (error: unknown) => {
        if (!(error instanceof Failure) || (error.kind !== 'locked' && error.kind !== 'duplicate')) throw error
        warnings.push(`${intent.journalId} was not resolved: ${error.message}`)
        return null
      },
    )
    if (done) resolved.set(done.journalId, done)
  }
  return { resolved, warnings }
}

/** Null where the journal knows it all already, or has changed its mind since it was read. */
async function closeBy(
  journal: OpenJournal,
  intent: Intent,
  booking: Booking,
  because: string,
): Promise<Intent | null> {
  const transactionId = booking.transactionId ?? intent.transactionId
  if ((intent.state !== 'unknown' && intent.state !== 'exists') || isInConflict(intent)) return null
  if (transactionId === null) {
    const isNews = intent.state === 'unknown' || intent.sumConfirmed !== true
    return isNews ? journal.close(intent, 'exists', because, { sumConfirmed: true }) : null
  }
  const { status, statusDescription, createdAt, answer } = intent
  const seen = { transactionId, status, statusDescription, createdAt, answer }
  return journal.close(intent, 'accepted', because, { seen, sumConfirmed: true })
}
