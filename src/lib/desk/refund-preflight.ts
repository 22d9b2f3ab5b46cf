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
import { isAbsent, readState, type StateRead } from './evidence.ts'
import { timeForRead } from './read.ts'
import { writesTo } from './writes.ts'

/** The thing of a write, as it is known before an attempt leaves. */
interface Before {
  /** The end of an attempt that must not leave; null where it may. */
  readonly end: Verdict | null
  /** The status in which the thing was read; null where it was not, or shows none that is known. */
  readonly known: string | null
}

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
  if (!about || !evidence || refusals?.means !== 'open') return { end: null, known: null }
  const { by } = evidence
  const { possibleIn, shows } = refusals
  const writes = await writesTo(desk, about, idAtService(intent))
  const past = (await desk.journal.attempts(intent)).filter(({ number }) => number < attempt)
  const hasLeft = past.some(mayHaveArrived)
  const time = Math.min(timeForRead, (deadline() - desk.clock.now()) / 4)
  const read = await readState(desk, evidence, intent, { time, ...(hasLeft ? {} : { unsent: intent.journalId }) })
  const known = read.status === 'absent' ? null : read.status
  // The rows as they are by now: another process may have read the thing, too.
  const since = await writesTo(desk, about, idAtService(intent))
  const isOther = (write: Intent) => write.operation === intent.operation && write.journalId !== intent.journalId
  const others = since.filter(isOther)
  const blocked = inTheWay(by, others, read, allowed)
  if (blocked) return { end: blocked, known: null }

  // By this or an earlier read the journal has it that one of the attempts was executed.
  const own = hasLeft ? since.find(({ journalId }) => journalId === intent.journalId) : undefined
  const isLost = past.some(isOpen)
  if (own && wasShown(own) && own.status !== null) {
    const because = `${by.name} reads ${own.status}`
    // As what was read before it: by the word of a person it goes out again.
    if (isLost) return { end: unknown(`${because}, ${lost}`), known: own.status }
    const shown = { status: own.status, because, isDone: false }
    return { end: { kind: 'duplicate', words: noWords, shown }, known: null }
  }

  // A refund that was last known on its way may have ended since.
  const before = writes.find((write) => isCreation(write.operation))?.status ?? null
  const isOnItsWay = before !== null && shows(before) && !possibleIn.includes(before)
  const isNeeded = others.length > 0 || isOnItsWay || hasLeft
  // A read that is older than what is known does not tell whether an attempt has arrived.
  const isLate = hasLeft && (read.isOlder === true || (await isOlderThanKnown(desk, by, known, writes)))
  const isPossible = known !== null && possibleIn.includes(known)
  if (known !== null) {
    const isShown = shows(known) && !isPossible
    // It ended unpaid, and each attempt was refused: nothing is left to wait for.
    const isRefused = past.filter(mayHaveArrived).every(({ outcome }) => outcome === 'refused')
    const isOver = hasLeft && by.statuses?.(known)?.end === 'not-paid' && isRefused
    if (isNeeded && !isLate && (isShown || isOver))
      return { end: isLost ? unknown(`${by.name} reads ${known}, ${lost}`) : refused(noWords, known), known }
    const wasTurnedAway = past.some(({ outcome }) => outcome === 'turned-away')
    const isPuzzling = isPossible && shows(known) && wasTurnedAway && intent.operatorWord === null
    if (isPuzzling) return { end: unknown(`${by.name} reads ${known}, ${turnedAway}`), known }
  }
  if (!isNeeded || (isPossible && !isLate)) return { end: null, known }
  if (read.failure && hasLeft && isGone(by, past, read.failure))
    return { end: refused(read.failure.facts.service ?? noWords), known: null }
  // The failure may be over the next time.
  const isPassing = read.failure?.kind === 'unknown' || read.failure?.kind === 'unsent'
  if (!hasLeft && !isPassing) return { end: null, known }
  return { end: { kind: 'unsent', why: notReadBefore(by, { ...read, isOlder: isLate }) }, known: null }
}

/** True if the thing was read in a later status before an attempt of its writes left. */
async function isOlderThanKnown(
  { journal }: Desk,
  { statuses }: EvidenceRead['by'],
  known: string | null,
  writes: readonly Intent[],
): Promise<boolean> {
  const facts = (status: string | null) => (status === null ? null : (statuses?.(status) ?? null))
  const attempts = await Promise.all(writes.map((write) => journal.attempts(write)))
  return attempts.flat().some((attempt) => isOlder(facts(known), facts(attempt.known)))
}

/** The end of a refund beside others of its order, where one of them is in conflict, or may be by a read that could not be noted. */
function inTheWay(
  { name }: EvidenceRead['by'],
  others: readonly Intent[],
  { status, isUnnoted }: StateRead,
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
function notReadBefore(by: EvidenceRead['by'], { failure, status, isOlder: isLate = false }: StateRead): string {
  if (failure) return `${by.name} cannot be read before it: ${failure.message}`
  if (status === null) return `${by.name} shows no status of it`
  return `${by.name} reads ${status}, ${isLate ? 'which is older than what is known here' : 'in which it is not possible'}`
}

/** True if the service does not know the thing, and has said so to each of the attempts that reached it. */
function isGone(by: EvidenceRead['by'], attempts: readonly Attempt[], failure: Failure): boolean {
  const isUnknownTo = ({ outcome, ...words }: Attempt) => outcome === 'refused' && isUnknownObject(by, words)
  return isAbsent(by, failure) && attempts.filter(mayHaveArrived).every(isUnknownTo)
}
