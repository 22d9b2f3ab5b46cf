/** Payouts that look like one another. */
import type { Intent } from '../../journal/intent.ts'

const sent: ReadonlySet<string> = new Set(['accepted', 'exists', 'turned-away', 'unknown'])

/** True for a payout that was sent, and for a conflict: the service has its id, and perhaps its money. */
export function mayHaveRun({ state, isTaken }: Pick<Intent, 'state' | 'isTaken'>): boolean {
  return sent.has(state) || isTaken
}

/** The words by which a payout looks like another one. `units`: minor units as text. */
export function sumTo(payee: string, units: string | null, currency: string | null): string {
  return JSON.stringify([payee, units, currency])
}
