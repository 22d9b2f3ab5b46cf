/**
 * The read of an order before a refund of it leaves. A refund has no id: later nobody could tell whose work a status is
 * (money-safety.md#duplicates).
 */
import { writeNamed } from '../../contract/operations.ts'
import { isOlder } from '../../contract/status.ts'
import { type Intent, idAtService } from '../../journal/intent.ts'
import { isCreation, wasShown } from '../../journal/payment-end.ts'
import { mayHaveArrived } from '../../journal/verdict.ts'
import type { Desk } from '../desk.ts'
import { writesTo } from '../recover/at-stake.ts'
import { look, timeForRead } from './look.ts'
import { type Before, mayLeave, nothingKnown } from './may-leave.ts'

/**
 * Where another refund is known, or an earlier attempt may have arrived, nothing leaves without that read. It takes at most a quarter of
 * the time that is left until the deadline.
 */
export async function lookBefore(desk: Desk, intent: Intent, attempt: number, deadline: number): Promise<Before> {
  const operation = writeNamed(intent.operation)
  const evidence = operation?.evidence
  if (!operation || !evidence?.refusals || evidence.refusals.means !== 'open') return nothingKnown
  const { refusals } = evidence
  const writes = await writesTo(desk, operation.about, idAtService(intent))
  const isAnother = ({ operation: name, journalId }: Intent) =>
    name === operation.name && journalId !== intent.journalId
  // One that was last known on its way may have ended since.
  const before = writes.find((write) => isCreation(write.operation))?.status ?? null
  const isOnItsWay = before !== null && refusals.shows(before) && !refusals.possibleIn.includes(before)
  const past = (await desk.journal.attempts(intent)).filter(({ number }) => number < attempt)
  const left = past.some(mayHaveArrived)
  const time = Math.min(timeForRead, (deadline - desk.clock.now()) / 4)
  const read = await look(desk, evidence, intent, { time, ...(left ? {} : { unsent: intent.journalId }) })
  const known = read.status === 'absent' ? null : read.status
  // The rows as they are by now: another process may have read the thing, too.
  const since = await writesTo(desk, operation.about, idAtService(intent))
  const late = foundSince(writes.filter(isAnother), since)
  if (late !== null) {
    const why = `${evidence.by.name} reads ${known}, by which another refund of it (${late.journalId}) was executed after all`
    return { end: { kind: 'unsent', why }, known: null }
  }
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
    isNeeded: writes.some(isAnother) || isOnItsWay || left,
    isLate: left && (read.isOlder === true || (await isDenied())),
    isByPerson: intent.operatorWord !== null,
  })
}

/** One of these writes that was told as not executed, and is there by a read of its thing since. */
function foundSince(before: readonly Intent[], since: readonly Intent[]): Intent | null {
  const wasDenied = ({ journalId }: Intent) => before.some((write) => write.journalId === journalId && !write.isTaken)
  return since.find((write) => write.isTaken && wasDenied(write)) ?? null
}

/** The statuses in which the thing was read before attempts of its writes left. */
async function knownBefore({ journal }: Desk, writes: readonly Intent[]): Promise<readonly (string | null)[]> {
  const attempts = await Promise.all(writes.map((write) => journal.attempts(write)))
  return attempts.flat().map(({ known }) => known)
}
