/**
 * The decision whether one more attempt of a refund leaves, by what the read of its order before it has shown. An attempt that may have
 * arrived is not followed by another one, unless that read denies it.
 */
import type { EvidenceRead } from '../../contract/operation.ts'
import type { Failure } from '../../failure.ts'
import type { Attempt } from '../../journal/intent.ts'
import { isOpen, mayHaveArrived, type Verdict } from '../../journal/verdict.ts'
import { isUnknownObject } from '../receipt/refusal.ts'
import { isAbsent } from './evidence.ts'
import type { Look } from './look.ts'

/** The thing of a write, as it is known before an attempt leaves. */
export interface Before {
  /** The end of an attempt that must not leave; null where it may. */
  readonly end: Verdict | null
  /** The status in which the thing was read; null where it was not, or shows none that is known. */
  readonly known: string | null
}

export const nothingKnown: Before = { end: null, known: null }

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
export function mayLeave(basis: Basis): Before {
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
