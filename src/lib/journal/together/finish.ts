/** The outcomes of attempts that become known at the same time, recorded in one transaction. */
import { Failure } from '../../failure.ts'
import * as rows from '../../store/journal/journal.ts'
import { type FoundIntent, intentsFound, wholeIntent } from '../../store/journal/many.ts'
import type { IntentRow, JournalWriter } from '../../store/journal/schema.ts'
import { asTaken, isDoubted } from '../doubt/known-sum.ts'
import { withoutClosed } from '../doubt/refused-body.ts'
import { attemptOf, type Intent, intentOf } from '../intent.ts'
import { changeCounted } from '../limits/counted.ts'
import { endBy, kept, type Moment } from '../moment.ts'
import { wasShown } from '../payment-end.ts'
import { attemptEnd, type IntentChange, noHold, statusBy, sumAndReason } from '../row.ts'
import { isOpen, mayHaveArrived, type PastAttempt, stateAfter, unmoved, type Verdict } from '../verdict.ts'
import { decisionOf, type Ending } from './gathering.ts'

/** An attempt, and what its answer proves. */
export interface ToFinish {
  readonly intent: Intent
  readonly number: number
  readonly verdict: Verdict
  /** The status in which its thing was read before it left; null or absent where it was not read. */
  readonly known?: string | null
}

/**
 * Records what came of attempts, and what that makes of their intents: one that was executed is free from then on. `self` is this
 * process. Gives the intents as they are now.
 */
export async function finishTogether(
  db: JournalWriter,
  all: readonly ToFinish[],
  present: Moment,
  self: string,
): Promise<readonly Ending<Intent>[]> {
  const { iso: now } = kept(present)
  const known = await intentsFound(
    db,
    all.map(({ intent }) => intent.journalId),
  )
  const ends: Ending<Intent>[] = []
  for (const each of all) {
    const { journalId } = each.intent
    const found = await decisionOf(async () => attemptIn(known.get(journalId), each))
    if ('failure' in found) {
      ends.push(found)
      continue
    }
    const { before, attempt, others } = found.result
    const past = withoutClosed(intentOf(before), others.map(attemptOf))
    const { known: seen = null } = each
    const start = { iso: attempt.started_at, steady: attempt.started_steady }
    const end = { ended_at: endBy(start, present), known: seen, ...attemptEnd(past, each.verdict) }
    const ended = await rows.changeAttempt(db, attempt, end)
    const changes = changeBy(before, past, each, self)
    const after = changes === null ? before : await changeCounted(db, before, { ...changes, changed_at: now })
    known.set(journalId, { row: after, attempts: [...others, ended] })
    ends.push({ result: intentOf(after) })
  }
  return ends
}

function attemptIn(found: FoundIntent | undefined, { intent, number }: ToFinish) {
  const { row: before, attempts = [] } = found ? wholeIntent(found) : {}
  const attempt = attempts.find((each) => each.number === number)
  if (before && attempt) return { before, attempt, others: attempts.filter((each) => each !== attempt) }
  throw new Failure('bug', `attempt ${number} of ${intent.journalId} is not in the journal`)
}

/** Null where nothing changes: an execution that another run recorded after this one's lease had ended stays, nothing takes it back. */
function changeBy(
  before: IntentRow,
  past: readonly PastAttempt[],
  { verdict, known: seen = null }: ToFinish,
  self: string,
): IntentChange | null {
  const state = stateAfter(past, verdict)
  if (rows.isExecuted(before) && state !== 'accepted')
    return isOfNobodyHere(before, past, verdict) ? takenAfter(before, self) : null
  const known = sumAndReason(before, state, verdict)
  // This very request, sent twice on its way: a read told of the first of the two, and the answer of the second.
  // A read shows nothing of a write that never left, and a status from before it is another's work.
  const hasLeft = [...past, attemptEnd(past, verdict)].some(mayHaveArrived)
  const isShown = before.status !== seen && wasShown(intentOf(before))
  const wasTold = past.some(({ outcome, told }) => outcome === 'unknown' && told != null)
  const isThere = isDoubted(before) || wasTold || (hasLeft && isShown)
  const isNew = unmoved.has(state) && known.sum_confirmed !== 'taken'
  const taken = isNew && isThere ? asTaken(before, state) : null
  return {
    state,
    ...known,
    ...taken,
    ...statusBy(before, known, verdict),
    // Nothing more is sent for it, so it is given free at once.
    ...(rows.isExecuted({ state }) && before.holder === self ? noHold : {}),
  }
}

/**
 * True for one that is there by its taken id alone, and whose last open attempt is refused now, or was turned away: an answer that
 * comes late, from another machine. Then the id is another's.
 */
function isOfNobodyHere(before: IntentRow, past: readonly PastAttempt[], verdict: Verdict): boolean {
  const { transaction_id: number, status, answer, operator_word: word, sum_confirmed: sum } = before
  const isById =
    before.state === 'exists' && sum === 'no' && [number, status, answer, word].every((each) => each === null)
  return isById && verdict.kind !== 'unknown' && !past.some(isOpen)
}

function takenAfter(before: IntentRow, self: string): IntentChange {
  return { state: 'refused', ...asTaken(before, 'refused'), ...(before.holder === self ? noHold : {}) }
}
