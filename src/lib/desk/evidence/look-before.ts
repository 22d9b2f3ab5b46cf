/**
 * The read of an order before a refund of it leaves. A refund has no id: later nobody could tell whose work a status is
 * (money-safety.md#duplicates).
 */
import type { EvidenceRead, Subject } from '../../contract/operation.ts'
import { writeNamed } from '../../contract/operations.ts'
import { isOlder } from '../../contract/status.ts'
import type { Failure } from '../../failure.ts'
import { type Attempt, type Intent, idAtService } from '../../journal/intent.ts'
import { isCreation, wasShown } from '../../journal/payment-end.ts'
import { mayHaveArrived, type Verdict } from '../../journal/verdict.ts'
import type { Desk } from '../desk.ts'
import { isUnknownObject } from '../receipt/refusal.ts'
import { writesTo } from '../recover/at-stake.ts'
import { isAbsent } from './evidence.ts'
import { type Look, look, timeForRead } from './look.ts'

/** The thing of a write, as it is known before an attempt leaves. */
export interface Before {
  /** The end of an attempt that must not leave; null where it may. */
  readonly end: Verdict | null
  /** The status in which the thing was read; null where it was not, or shows none that is known. */
  readonly known: string | null
}

const nothingKnown: Before = { end: null, known: null }

/**
 * Where another refund is known, or an earlier attempt may have arrived, nothing leaves without that read. It takes at most a quarter of
 * the time that is left until the deadline.
 */
export async function lookBefore(desk: Desk, intent: Intent, attempt: number, deadline: number): Promise<Before> {
  const operation = writeNamed(intent.operation)
  const evidence = operation?.evidence
  if (!operation || !evidence?.refusals || evidence.refusals.means !== 'open') return nothingKnown
  const writes = await writesTo(desk, operation.about, idAtService(intent))
  const isAnother = ({ operation: name, journalId }: Intent) =>
    name === operation.name && journalId !== intent.journalId
  // One that was last known on its way may have ended since.
  const before = writes.find((write) => isCreation(write.operation))?.status ?? null
  const isOnItsWay =
    before !== null && evidence.refusals.shows(before) && !evidence.refusals.possibleIn.includes(before)
  const past = (await desk.journal.attempts(intent)).filter(({ number }) => number < attempt)
  const left = past.some(mayHaveArrived)
  const isNeeded = writes.some(isAnother) || isOnItsWay || left
  const time = Math.min(timeForRead, (deadline - desk.clock.now()) / 4)
  const read = await look(desk, evidence, intent, { time, ...(left ? {} : { unsent: intent.journalId }) })
  const known = read.status === 'absent' ? null : read.status
  // The row as it is by now: another process may have read it, too.
  const own = left ? await currentOf(desk, operation.about, intent) : null
  if (own && wasShown(own)) {
    const shown = { status: `${own.status}`, because: `${evidence.by.name} reads ${own.status}`, isDone: false }
    return { end: { kind: 'duplicate', words: noWords, shown }, known: null }
  }
  const { possibleIn, shows } = evidence.refusals
  // A read that is older than what is known, or without a status in which it is possible, does not tell whether an attempt has arrived.
  const facts = (status: string | null) => (status === null ? null : (evidence.by.statuses?.(status) ?? null))
  const isDenied = async () => (await knownBefore(desk, writes)).some((before) => isOlder(facts(known), facts(before)))
  const isLate = left && (read.isOlder === true || (await isDenied()))
  const isPossible = known !== null && possibleIn.includes(known)
  const isShown = known !== null && !isPossible && shows(known)
  // It ended unpaid, and each attempt was refused: nothing is left to wait for.
  const isOver =
    facts(known)?.end === 'not-paid' && past.filter(mayHaveArrived).every(({ outcome }) => outcome === 'refused')
  if (isNeeded && (isShown || (left && isOver)) && !isLate) {
    return { end: { kind: 'refused', words: noWords, bodyOnly: false, status: null, seen: known }, known }
  }
  if (isPossible && shows(known) && past.some(isTurnedAway) && intent.operatorWord === null) {
    return { end: { kind: 'unknown', words: null, why: `${evidence.by.name} reads ${known}, ${cannotTell}` }, known }
  }
  if (!isNeeded || (isPossible && !isLate)) return { end: null, known }
  if (read.failure && left && isGone(evidence, past, read.failure)) {
    return {
      end: { kind: 'refused', words: read.failure.facts.service ?? noWords, bodyOnly: false, status: null },
      known: null,
    }
  }
  if (!left && !read.isPassing) return { end: null, known }
  return { end: { kind: 'unsent', why: notReadBefore(evidence, { ...read, isOlder: isLate }) }, known: null }
}

const isTurnedAway = ({ outcome }: Attempt) => outcome === 'turned-away'

/** Of a request that something on the way sent twice the second one may be turned away, and its order reads as it did before. */
const cannotTell = 'which does not tell whether the one that was turned away was executed'

/** The statuses in which the thing was read before attempts of its writes left. */
async function knownBefore({ journal }: Desk, writes: readonly Intent[]): Promise<readonly (string | null)[]> {
  const attempts = await Promise.all(writes.map((write) => journal.attempts(write)))
  return attempts.flat().map(({ known }) => known)
}

/** The reason for which nothing leaves: the read before it did not tell how its thing stands. */
function notReadBefore({ by }: EvidenceRead, { failure, status, isOlder: isLate = false }: Look): string {
  if (failure) return `${by.name} cannot be read before it: ${failure.message}`
  if (status === null) return `${by.name} shows no status of it`
  return `${by.name} reads ${status}, ${isLate ? 'which is older than what is known here' : 'in which it is not possible'}`
}

/** True if the service does not know the thing, and has said so to each of the attempts that reached it. */
function isGone({ by }: EvidenceRead, attempts: readonly Attempt[], failure: Failure): boolean {
  const isUnknownTo = ({ outcome, ...words }: Attempt) => outcome === 'refused' && isUnknownObject(by, words)
  return isAbsent(by, failure) && attempts.filter(mayHaveArrived).every(isUnknownTo)
}

const noWords = { http: null, statusCode: null, exceptionGroup: null, message: null }

/** The write as the journal has it now. */
async function currentOf(desk: Desk, about: Subject, intent: Intent): Promise<Intent | null> {
  const writes = await writesTo(desk, about, idAtService(intent))
  return writes.find(({ journalId }) => journalId === intent.journalId) ?? null
}
