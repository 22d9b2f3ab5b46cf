/**
 * A refusal that says "not any more", beside a read of what the thing is now. A request that something on the way sent twice is
 * executed once, and its second answer is this refusal: where the read shows what was asked for, nothing is told as "not
 * executed" (money-safety.md#duplicates).
 */
import { absentAfter } from '../../contract/assumed.ts'
import type { EvidenceRead } from '../../contract/operation.ts'
import { writeNamed } from '../../contract/operations.ts'
import { Failure } from '../../failure.ts'
import { type Intent, idAtService } from '../../journal/intent.ts'
import { isCreation } from '../../journal/payment-end.ts'
import type { Verdict } from '../../journal/verdict.ts'
import { isRecord, readJson } from '../../json.ts'
import { otherId } from '../answer/acceptance.ts'
import type { Desk } from '../desk.ts'
import { readThing } from '../line/read-thing.ts'
import { isUnknownObject } from '../receipt/refusal.ts'
import { paidInSpite, writesTo } from './at-stake.ts'
import { isAbsent, questionTo } from './evidence.ts'

/** Milliseconds that a refusal waits for a read beside it. */
const timeForRead = 5_000

type Refused = Extract<Verdict, { kind: 'refused' }>

/**
 * The refusal of a write that another one of this journal has made impossible for now. It is read before anything is sent,
 * because after a refusal nobody could tell whose work the status is. Null where nothing is known to be in the way.
 */
export async function refusedBefore(desk: Desk, intent: Intent): Promise<Refused | null> {
  const operation = writeNamed(intent.operation)
  const evidence = operation?.evidence
  if (!operation || !evidence?.refusals || evidence.refusals.means !== 'open') return null
  const writes = await writesTo(desk, operation.about, idAtService(intent))
  const since = desk.journal.moment.now - absentAfter * 1000
  const others = writes.filter((each) => each.operation === intent.operation && each.journalId !== intent.journalId)
  const isRecent = others.some(({ changedAt }) => Date.parse(changedAt) >= since)
  // One that was last known on its way may have ended since: later its trace could not be told from that of this one.
  const known = writes.find((write) => isCreation(write.operation))?.status ?? null
  const isOnItsWay = known !== null && evidence.refusals.shows(known) && !evidence.refusals.possibleIn.includes(known)
  if (!isRecent && !isOnItsWay) return null
  const status = await statusOf(desk, evidence, intent, intent.journalId)
  const { possibleIn, shows } = evidence.refusals
  if (status === null || status === 'absent' || possibleIn.includes(status) || !shows(status)) return null
  const words = { http: null, statusCode: null, exceptionGroup: null, message: null }
  return { kind: 'refused', words, bodyOnly: false, status: null, seen: status }
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
  if (!evidence || !refusals || code === null || !refusals.codes.includes(code)) return refused
  const { words } = refused
  const status = await statusOf(desk, evidence, intent)
  if (status === 'absent') return await refusedUnseen(desk, intent, refused)
  if (status === null) {
    return { kind: 'unknown', why: `the service refuses (${code}), and ${evidence.by.name} cannot be read`, words }
  }
  const because = `${evidence.by.name} reads ${status}`
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

/** `absent` where the service says that it knows no such thing, null where it cannot be read. */
async function statusOf(desk: Desk, { by }: EvidenceRead, { body }: Intent, unsent?: string): Promise<string | null> {
  const request = readJson(body)
  if (!isRecord(request)) return null
  const asked = questionTo(by, request)
  const deadline = desk.clock.now() + timeForRead
  const reading = readThing(desk, by, asked, { deadline, ...(unsent === undefined ? {} : { unsent }) })
  const answer: unknown = await reading.then((read) => read.answer).catch((error) => error)
  if (answer instanceof Failure) return isAbsent(by, answer) ? 'absent' : null
  if (!isRecord(answer) || otherId(asked, answer) !== null || typeof answer.status !== 'string') return null
  return by.statuses?.(answer.status) ? answer.status : null
}
