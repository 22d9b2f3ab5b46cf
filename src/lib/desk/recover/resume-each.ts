/** Resolving several intents: what came of each, and of all together. */
import { Failure, type MoneyMoved } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import { factsOf, type Intent, moneyMovedBy } from '../../journal/intent.ts'
import { isPaidHere } from '../../journal/payment-end.ts'
import type { Desk } from '../desk.ts'
import type { Done, Receipt } from '../receipt/receipt.ts'
import { inPlay } from './in-play.ts'
import { needsConsent, resume } from './resume.ts'

/**
 * Resolves intents one after the other, the oldest first. Throws, when all were tried, the worst of what remains: unknown (9)
 * before a conflict (7), locked (12) and refused (5) before the rest; partial (10), with the receipts, where that would say that no
 * money moved and another one has moved some. Old ones are named and not sent; so is one whose profile cannot be used any more.
 */
export async function resumeEach(
  open: readonly Intent[],
  deskOf: (intent: Intent) => Promise<Desk>,
  now: number,
): Promise<(Receipt | Done)[]> {
  const receipts: (Receipt | Done)[] = []
  const resolved: Intent[] = []
  const failures: Failure[] = []
  for (const intent of open) {
    try {
      if (needsConsent(intent, now)) throw tooOld(intent)
      const desk = await deskOf(intent)
      const told = await inPlay(desk, intent, () => resume(desk, intent, { sendsHeld: false }))
      receipts.push(told)
      resolved.push({ ...intent, state: 'exists', status: told.status ?? null })
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'interrupted') throw error
      failures.push(error)
    }
  }
  const [worst] = failures.toSorted((a, b) => severity(a) - severity(b))
  if (!worst) return receipts
  if (open.length === 1) throw worst
  // A refused intent is resolved, too.
  const settled = receipts.length + failures.filter(({ kind }) => kind === 'refused').length
  const message = `${settled} of ${open.length} resolved; ${worst.message}`
  const hints = [
    ...resolved.map((intent) => hint`${intent.journalId}: ${executedInWords(intent)}`),
    ...failures.map((failure) => hint`${failure.facts.journalId ?? ''}: ${failure.message}`),
  ]
  const moved = resolved.map(movedBy)
  const moneyMoved = (['yes', 'unknown'] as const).find((each) => moved.includes(each)) ?? 'no'
  if (moneyMoved === 'no' || worst.moneyMoved !== 'no')
    throw new Failure(worst.kind, message, { ...worst.facts, hints })
  throw new Failure('partial', message, { moneyMoved, retry: 'after-fix', hints, document: receipts })
}

/** The movement of the money of a write that was executed. */
const movedBy = (intent: Intent): MoneyMoved =>
  isPaidHere(intent) ? 'yes' : intent.amountMinor === null ? 'no' : moneyMovedBy(intent)

/** Its thing may be there and not paid. */
function executedInWords(intent: Intent): string {
  if (movedBy(intent) !== 'unknown') return 'it was executed'
  return intent.status === null ? 'the service has it' : `the service has it (${intent.status})`
}

function severity({ kind }: Failure): number {
  const worstFirst: readonly Failure['kind'][] = ['unknown', 'duplicate', 'locked', 'pending', 'refused']
  const at = worstFirst.indexOf(kind)
  return at < 0 ? worstFirst.length : at
}

function tooOld(intent: Intent): Failure {
  return new Failure('unknown', 'it is older than 24 hours and was not sent again', {
    ...factsOf(intent),
    hints: [hint`${paste('resume', intent.journalId, '--confirm', blank('"<CURRENCY> <amount>"'))}`],
  })
}
