/**
 * A refusal that says "not any more", beside a read of what the thing is now. A request that something on the way sent twice is
 * executed once, and its second answer is this refusal: where the read shows what was asked for, nothing is told as "not
 * executed" (money-safety.md#duplicates).
 */
import type { EvidenceRead, Subject } from '../../contract/operation.ts'
import { writeNamed } from '../../contract/operations.ts'
import { isOlder } from '../../contract/status.ts'
import { Failure } from '../../failure.ts'
import { type Intent, idAtService } from '../../journal/intent.ts'
import { isCreation, wasShown } from '../../journal/payment-end.ts'
import type { Verdict } from '../../journal/verdict.ts'
import { isRecord, readJson } from '../../json.ts'
import { otherId } from '../answer/acceptance.ts'
import type { Desk } from '../desk.ts'
import { hasLeft, readThing } from '../line/read-thing.ts'
import { isUnknownObject } from '../receipt/refusal.ts'
import { paidInSpite, writesTo } from './at-stake.ts'
import { isAbsent, questionTo } from './evidence.ts'

/** Milliseconds that a refusal waits for a read beside it. */
const timeForRead = 5_000

type Refused = Extract<Verdict, { kind: 'refused' }>

/** The thing of a write, as it is known before an attempt leaves. */
export interface Before {
  /** The end of an attempt that must not leave; null where it may. */
  readonly end: Verdict | null
  /** The status in which the thing was read; null where it was not, or shows none that is known. */
  readonly known: string | null
}

const nothingKnown: Before = { end: null, known: null }

/**
 * Reads the order of a refund before that leaves. A refund has no id: later nobody could tell whose work a status is. Where another
 * refund is known, or an earlier attempt may have arrived, nothing leaves without that read. It takes at most a quarter of the time that is
 * left until the deadline.
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
  const left = await hasLeft(desk.journal, intent, attempt)
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
  if (!isNeeded) return { end: null, known }
  // Where it has left before, whatever shows no status leaves open whether it arrived.
  if (read.failure && (left || read.isPassing)) {
    const why = `${evidence.by.name} cannot be read before it: ${read.failure.message}`
    return { end: { kind: 'unsent', why }, known: null }
  }
  if (left && read.isOlder) {
    const why = `${evidence.by.name} reads ${known}, which is older than what is known here`
    return { end: { kind: 'unsent', why }, known: null }
  }
  const { possibleIn, shows } = evidence.refusals
  if (known === null || possibleIn.includes(known) || !shows(known)) return { end: null, known }
  return { end: { kind: 'refused', words: noWords, bodyOnly: false, status: null, seen: known }, known }
}

const noWords = { http: null, statusCode: null, exceptionGroup: null, message: null }

/** The write as the journal has it now. */
async function currentOf(desk: Desk, about: Subject, intent: Intent): Promise<Intent | null> {
  const writes = await writesTo(desk, about, idAtService(intent))
  return writes.find(({ journalId }) => journalId === intent.journalId) ?? null
}

/** The refusal in the light of that read. `isRepeat`: an attempt before this one has no definite answer. */
export async function inLightOfStatus(
  desk: Desk,
  intent: Intent,
  refused: Refused,
  isRepeat: boolean,
): Promise<Verdict> {
  const evidence = writeNamed(intent.operation)?.evidence
  const refusals = evidence?.refusals
  const code = refused.words.statusCode
  if (!evidence || !refusals || code === null) return refused
  if (!refusals.codes.includes(code)) {
    // Another refusal may be the second answer, too (no balance is left for it): what the read shows is noted, and counts.
    if (refusals.means === 'open') await statusOf(desk, evidence, intent)
    return refused
  }
  const { words } = refused
  const status = await statusOf(desk, evidence, intent)
  if (status === 'absent') return await refusedUnseen(desk, intent, refused)
  if (status === null) {
    return { kind: 'unknown', why: `the service refuses (${code}), and ${evidence.by.name} cannot be read`, words }
  }
  const because = `${evidence.by.name} reads ${status}`
  if (code === refusals.ofStatus && refusals.possibleIn.includes(status) && !evidence.tried.includes(status)) {
    return { kind: 'unknown', why: `the service refuses (${code}), but ${because}, in which it is possible`, words }
  }
  if (!refusals.shows(status) && !refusals.says.includes(code))
    return { ...refused, seen: refusals.possibleIn.includes(status) ? null : status }
  switch (refusals.means) {
    case 'done': {
      const paid = await paidInSpite(desk, intent)
      if (paid !== null) return { kind: 'unknown', why: `${because}, and ${paid}`, words }
      return { kind: 'duplicate', words, shown: { status, because, isDone: true } }
    }
    case 'conflict':
      // The outcome of an earlier attempt is told by the evidence of its own read.
      return isRepeat ? refused : { kind: 'duplicate', words, shown: { status, because, isDone: false } }
    case 'open':
      // Another one of this journal explains nothing: it may have failed, and a tip or a plan makes any sum possible.
      return { kind: 'unknown', why: `the service refuses (${code}), but ${because}`, words }
  }
}

/** A refusal beside a read that does not know the thing: of one that this journal made, one of the two is wrong. */
async function refusedUnseen(desk: Desk, intent: Intent, refused: Refused): Promise<Verdict> {
  const { about, evidence } = writeNamed(intent.operation) ?? {}
  const { words } = refused
  // The two agree: the thing is gone.
  if (evidence && isUnknownObject(evidence.by, words)) return refused
  const writes = about ? await writesTo(desk, about, idAtService(intent)) : []
  const made = writes.find((write) => write.journalId !== intent.journalId && isThere(write))
  const saysDone = evidence?.refusals?.says.includes(words.statusCode ?? 0) ?? false
  if (!made && !saysDone) return refused
  const why = made
    ? `this journal has its ${made.operation} (${made.journalId})`
    : 'that speaks of a thing that is there'
  return { kind: 'unknown', why: `the service refuses (${words.statusCode}) and does not know it, but ${why}`, words }
}

/** True if the thing of a write was there, by its own answer or a read. */
const isThere = ({ state, status }: Intent) => status !== null || state === 'accepted' || state === 'exists'

/** The thing of a write, as a read shows it. */
interface Look {
  /** `absent` where the service says that it knows no such thing, null where it shows none that is known. */
  readonly status: string | null
  /** It could not be asked, did not answer, or refused. */
  readonly failure?: Failure
  /** This journal knows of a newer status: a copy that lags behind has shown it. */
  readonly isOlder?: boolean
  /** The failure may be over the next time. */
  readonly isPassing?: boolean
}

const nothingSeen: Look = { status: null }

async function statusOf(desk: Desk, evidence: EvidenceRead, intent: Intent): Promise<string | null> {
  const { status, isOlder: isLate = false } = await look(desk, evidence, intent)
  return isLate ? null : status
}

async function look(
  desk: Desk,
  { by }: EvidenceRead,
  { body }: Intent,
  { time = timeForRead, ...asking }: { readonly time?: number; readonly unsent?: string } = {},
): Promise<Look> {
  const request = readJson(body)
  if (!isRecord(request)) return nothingSeen
  const asked = questionTo(by, request)
  const deadline = desk.clock.now() + time
  try {
    const read = await readThing(desk, by, asked, { deadline, ...asking })
    const answer: unknown = read.answer
    const facts = (told: string | null) => (told === null ? null : (by.statuses?.(told) ?? null))
    const status = isRecord(answer) && otherId(asked, answer) === null ? answer.status : null
    if (typeof status !== 'string' || facts(status) === null) return nothingSeen
    return { status, isOlder: read.writes.some((write) => isOlder(facts(status), facts(write.status))) }
  } catch (error) {
    if (!(error instanceof Failure)) return nothingSeen
    const isPassing = error.kind === 'unknown' || error.kind === 'unsent'
    return { status: isAbsent(by, error) ? 'absent' : null, failure: error, isPassing }
  }
}
