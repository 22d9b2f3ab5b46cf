/**
 * The read of an order before a refund of it leaves. A refund has no id: later nobody could tell whose work a status is
 * (money-safety.md#the-one-rule-for-answers).
 */
import type { StatusRefusals } from '../../contract/evidence.ts'
import type { EvidenceRead } from '../../contract/operation.ts'
import { writeNamed } from '../../contract/operations.ts'
import { isOlder } from '../../contract/status.ts'
import { type Intent, idAtService } from '../../journal/intent.ts'
import { isCreation, wasShown } from '../../journal/payment-end.ts'
import { mayHaveArrived, type Verdict } from '../../journal/verdict.ts'
import type { Desk } from '../desk.ts'
import type { RunLimits } from '../line/terms.ts'
import { writesTo } from '../recover/at-stake.ts'
import { type Look, look, timeForRead } from './look.ts'
import { type Before, mayLeave, nothingKnown } from './may-leave.ts'

/**
 * Where another refund is known, or an earlier attempt may have arrived, nothing leaves without that read. Before a completion it is
 * only noted: it contradicts a refusal that says "not yet". The read takes at most a quarter of the time that is left.
 */
export async function lookBefore(
  desk: Desk,
  intent: Intent,
  attempt: number,
  { deadline, allowed }: Pick<RunLimits, 'deadline' | 'allowed'>,
): Promise<Before> {
  const { evidence, about } = writeNamed(intent.operation) ?? {}
  const refusals = evidence?.refusals
  if (!about || !refusals || !isReadBefore(refusals)) return nothingKnown
  const writes = await writesTo(desk, about, idAtService(intent))
  const past = (await desk.journal.attempts(intent)).filter(({ number }) => number < attempt)
  const left = past.some(mayHaveArrived)
  const time = Math.min(timeForRead, (deadline() - desk.clock.now()) / 4)
  const read = await look(desk, evidence, intent, { time, ...(left ? {} : { unsent: intent.journalId }) })
  const known = read.status === 'absent' ? null : read.status
  if (refusals.means !== 'open') return { end: null, known: laterThan(known, refusals, writes) }
  // The rows as they are by now: another process may have read the thing, too.
  const since = await writesTo(desk, about, idAtService(intent))
  const others = since.filter(
    ({ operation, journalId }) => operation === intent.operation && journalId !== intent.journalId,
  )
  const end = inTheWay(evidence.by, others, read, allowed)
  if (end) return { end, known: null }
  // One that was last known on its way may have ended since.
  const before = writes.find((write) => isCreation(write.operation))?.status ?? null
  const isOnItsWay = before !== null && refusals.shows(before) && !refusals.possibleIn.includes(before)
  const own = left ? since.find(({ journalId }) => journalId === intent.journalId) : null
  // A read that is older than what is known does not tell whether an attempt has arrived.
  const facts = (status: string | null) => (status === null ? null : (evidence.by.statuses?.(status) ?? null))
  const isDenied = async () => (await knownBefore(desk, writes)).some((status) => isOlder(facts(known), facts(status)))
  return mayLeave({
    by: evidence.by,
    refusals,
    past,
    left,
    read,
    known,
    trace: own && wasShown(own) ? own.status : null,
    isNeeded: others.length > 0 || isOnItsWay || left,
    isLate: left && (read.isOlder === true || (await isDenied())),
    isByPerson: intent.operatorWord !== null,
  })
}

/** The status that was read, or the one that is known here and comes behind it. */
function laterThan(read: string | null, { before }: StatusRefusals, writes: readonly Intent[]): string | null {
  const known = writes.map(({ status }) => status)
  return known.find((each) => each !== null && read !== null && before[each]?.includes(read)) ?? read
}

function isReadBefore({ means, before }: StatusRefusals): boolean {
  return means === 'open' || Object.keys(before).length > 0
}

/** The end of a refund beside others of its order, where one of them is in conflict, or may be by a read that could not be noted. */
function inTheWay(
  { name }: EvidenceRead['by'],
  others: readonly Intent[],
  { status, isUnnoted }: Look,
  allowed: string | null,
): Verdict | null {
  const shown = `${name} reads ${status}`
  const taken = others.find(({ isTaken, journalId }) => isTaken && journalId !== allowed)
  if (taken) {
    const how = taken.because ?? 'it may have been executed'
    const why = `another refund of the order is in conflict (${taken.journalId}: ${how}); ${shown}`
    return { kind: 'unsent', why, besides: taken.journalId }
  }
  const isBlind = isUnnoted && others.length > 0
  return isBlind ? { kind: 'unsent', why: `the journal could not note that ${shown}` } : null
}

/** The statuses in which the thing was read before attempts of its writes left. */
async function knownBefore({ journal }: Desk, writes: readonly Intent[]): Promise<readonly (string | null)[]> {
  const attempts = await Promise.all(writes.map((write) => journal.attempts(write)))
  return attempts.flat().map(({ known }) => known)
}
