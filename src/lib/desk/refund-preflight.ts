/**
 * The read of an order before a refund of it leaves. A refund has no id, and later nobody could tell whose work a status is: an attempt
 * that may have arrived is not followed by another one, unless that read denies it (money-safety.md#the-one-rule-for-answers).
 */

import { isUnknownObject } from '../client/refusal.ts'
import type { EvidenceRead } from '../contract/operation.ts'
import { writeNamed } from '../contract/operations.ts'
import { isOlder } from '../contract/status.ts'
import type { Failure } from '../failure.ts'
import { type Attempt, type Intent, idAtService } from '../journal/intent.ts'
import { isCreation, wasShown } from '../journal/payment-end.ts'
import { isOpen, mayHaveArrived, type Verdict } from '../journal/verdict.ts'
import type { Desk } from './desk.ts'
import { isAbsent, type Look, look } from './evidence.ts'
import { timeForRead } from './read.ts'
import { writesTo } from './thing.ts'

/**
 * Where another refund is known, or an earlier attempt may have arrived, nothing leaves without that read. It takes at most a quarter of
 * the time that is left.
 */
export async function preflightRefund(
  desk: Desk,
  intent: Intent,
  attempt: number,
  { deadline, allowed }: { readonly deadline: () => number; readonly allowed: string | null },
): Promise<Before> {
  const { evidence, about } = writeNamed(intent.operation) ?? {}
  const refusals = evidence?.refusals
  if (!about || !evidence || refusals?.means !== 'open') return nothingKnown
  const writes = await writesTo(desk, about, idAtService(intent))
  const past = (await desk.journal.attempts(intent)).filter(({ number }) => number < attempt)
  const left = past.some(mayHaveArrived)
  const time = Math.min(timeForRead, (deadline() - desk.clock.now()) / 4)
  const read = await look(desk, evidence, intent, { time, ...(left ? {} : { unsent: intent.journalId }) })
  const known = read.status === 'absent' ? null : read.status
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

/** The thing of a write, as it is known before an attempt leaves. */
interface Before {
  /** The end of an attempt that must not leave; null where it may. */
  readonly end: Verdict | null
  /** The status in which the thing was read; null where it was not, or shows none that is known. */
  readonly known: string | null
}

const nothingKnown: Before = { end: null, known: null }

/** The facts for the decision. */
interface Basis {
  readonly by: EvidenceRead['by']
  readonly refusals: NonNullable<EvidenceRead['refusals']>
  /** The attempts before this one. */
  readonly past: readonly Attempt[]
  /** One of them may have arrived. */
  readonly left: boolean
  readonly read: Look
  /** The status that was read; null where it tells none. */
  readonly known: string | null
  /** A status by which the journal has it that one of them was executed, by this or an earlier read; null for none. */
  readonly trace: string | null
  /** Nothing leaves without a read that shows the thing. */
  readonly isNeeded: boolean
  /** The read is older than what is known, and an attempt may have arrived. */
  readonly isLate: boolean
  /** A person has said how the attempts before ended. */
  readonly isByPerson: boolean
}

/** The end of the attempt where it must not leave (money-safety.md#the-one-rule-for-answers). Throws nothing. */
function mayLeave(basis: Basis): Before {
  const { by, past, left, read, known, isNeeded } = basis
  const shown = endBy(basis)
  if (shown) return shown
  const isPossible = known !== null && basis.refusals.possibleIn.includes(known)
  if (!isNeeded || (isPossible && !basis.isLate)) return { end: null, known }
  if (read.failure && left && isGone(by, past, read.failure)) {
    return { end: refused(read.failure.facts.service ?? noWords), known: null }
  }
  if (!left && !read.isPassing) return { end: null, known }
  return { end: { kind: 'unsent', why: notReadBefore(by, { ...read, isOlder: basis.isLate }) }, known: null }
}

/** The end by the status that is shown; null where that decides nothing. */
function endBy({ by, refusals, past, left, known, trace, isNeeded, isLate, isByPerson }: Basis): Before | null {
  const isLost = past.some(isOpen)
  if (trace !== null) {
    const because = `${by.name} reads ${trace}`
    // As what was read before it: by the word of a person it goes out again.
    if (isLost) return { end: unknown(`${because}, ${lost}`), known: trace }
    return { end: { kind: 'duplicate', words: noWords, shown: { status: trace, because, isDone: false } }, known: null }
  }
  if (known === null) return null
  const { possibleIn, shows } = refusals
  const isPossible = possibleIn.includes(known)
  // It ended unpaid, and each attempt was refused: nothing is left to wait for.
  const isOver = by.statuses?.(known)?.end === 'not-paid' && past.filter(mayHaveArrived).every(isRefused)
  const isShown = shows(known) && !isPossible
  if (isNeeded && !isLate && (isShown || (left && isOver))) {
    return { end: isLost ? unknown(`${by.name} reads ${known}, ${lost}`) : refused(noWords, known), known }
  }
  const isPuzzling = isPossible && shows(known) && past.some(isTurnedAway) && !isByPerson
  return isPuzzling ? { end: unknown(`${by.name} reads ${known}, ${turnedAway}`), known } : null
}

const isRefused = ({ outcome }: Attempt) => outcome === 'refused'

const isTurnedAway = ({ outcome }: Attempt) => outcome === 'turned-away'

/** Of a request that something on the way sent twice the second one may be turned away, and its order reads as it did before. */
const turnedAway = 'which does not tell whether the one that was turned away was executed'

/** Though it was told as not executed since: the status may be its work, or that of another refund. */
const lost = 'which does not tell whether the one whose answer was lost was executed'

const noWords = { http: null, statusCode: null, exceptionGroup: null, message: null }

const unknown = (why: string): Verdict => ({ kind: 'unknown', words: null, why })

function refused(words: NonNullable<Failure['facts']['service']>, seen?: string): Verdict {
  return { kind: 'refused', words, bodyOnly: false, status: null, ...(seen === undefined ? {} : { seen }) }
}

/** The reason for which nothing leaves: the read before it did not tell how its thing stands. */
function notReadBefore(by: EvidenceRead['by'], { failure, status, isOlder: isLate = false }: Look): string {
  if (failure) return `${by.name} cannot be read before it: ${failure.message}`
  if (status === null) return `${by.name} shows no status of it`
  return `${by.name} reads ${status}, ${isLate ? 'which is older than what is known here' : 'in which it is not possible'}`
}

/** True if the service does not know the thing, and has said so to each of the attempts that reached it. */
function isGone(by: EvidenceRead['by'], attempts: readonly Attempt[], failure: Failure): boolean {
  const isUnknownTo = ({ outcome, ...words }: Attempt) => outcome === 'refused' && isUnknownObject(by, words)
  return isAbsent(by, failure) && attempts.filter(mayHaveArrived).every(isUnknownTo)
}
