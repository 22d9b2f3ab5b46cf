/**
 * A refusal that says "not any more", beside a read of what the thing is now. A request that something on the way sent twice is
 * executed once, and its second answer is this refusal: where the read shows what was asked for, nothing is told as "not
 * executed" (money-safety.md#the-one-rule-for-answers).
 */
import { minorUnits, plainDecimal } from '../../contract/core/decimal.ts'
import type { TooMuch } from '../../contract/evidence.ts'
import type { EvidenceRead } from '../../contract/operation.ts'
import { writeNamed } from '../../contract/operations.ts'
import { type Intent, idAtService } from '../../journal/intent.ts'
import { isCreation, requestIn } from '../../journal/payment-end.ts'
import type { Verdict } from '../../journal/verdict.ts'
import type { Desk } from '../desk.ts'
import { isTooMuch, refundableOf } from '../order/refundable.ts'
import { isUnknownObject } from '../receipt/refusal.ts'
import { paidInSpite, writesTo } from '../recover/at-stake.ts'
import { type Look, look } from './look.ts'
import { openBesides } from './open-besides.ts'

type Refused = Extract<Verdict, { kind: 'refused' }>

/** Known before the refusal. */
interface Before {
  /** An attempt before this one has no definite answer. */
  readonly isRepeat: boolean
  /** The status in which the thing was read before this attempt left; null where it was not. */
  readonly known: string | null
}

/** The refusal in the light of that read. */
export async function inLightOfStatus(desk: Desk, intent: Intent, refused: Refused, before: Before): Promise<Verdict> {
  const verdict = await besideStatus(desk, intent, refused, before)
  const open = verdict.kind === 'refused' ? await openBesides(desk, intent) : null
  const { words } = refused
  return open ? { kind: 'unknown', why: `the service refuses (${words.statusCode}), and ${open}`, words } : verdict
}

async function besideStatus(
  desk: Desk,
  intent: Intent,
  refused: Refused,
  { isRepeat, known }: Before,
): Promise<Verdict> {
  const { about, evidence, proof } = writeNamed(intent.operation) ?? {}
  const refusals = evidence?.refusals
  const { statusCode } = refused.words
  // Words in the place of a code speak of the status.
  const isInWords = statusCode === null && proof?.refusedInWords != null && refused.words.http !== null
  const code = isInWords ? `"${refused.words.message}"` : statusCode
  if (!evidence || !refusals || code === null) return refused
  if (typeof code === 'number' && !refusals.codes.includes(code)) {
    // Another refusal may be the second answer, too (no balance is left for it): what the read shows is noted, and counts.
    if (refusals.means === 'open') await look(desk, evidence, intent)
    return refused
  }
  const { words } = refused
  // As they were before this read.
  const writes = about ? await writesTo(desk, about, idAtService(intent)) : []
  const read = await look(desk, evidence, intent)
  const status = read.isOlder ? null : read.status
  if (status === 'absent') return await refusedUnseen(desk, intent, refused)
  if (status === null) {
    return { kind: 'unknown', why: `the service refuses (${code}), and ${evidence.by.name} cannot be read`, words }
  }
  const because = `${evidence.by.name} reads ${status}`
  if (code === refusals.ofStatus?.code && refusals.ofStatus.contradictedBy.includes(status)) {
    return { kind: 'unknown', why: `the service refuses (${code}), but ${because}, in which it is possible`, words }
  }
  if (code === refusals.ofSum?.code && mayBeLeft(refusals.ofSum, status, intent, read, writes)) {
    return {
      kind: 'unknown',
      why: `the service refuses (${code}), but ${because}, in which all of that sum may be left`,
      words,
    }
  }
  const statuses = [known, ...writes.map((write) => write.status)]
  // Known of the answer to a write that shows late, and of nothing else.
  const told = writes.filter((write) => showsLate(write, status)).map((write) => write.status)
  const later = knownSince(
    evidence,
    status,
    statuses.filter((each) => !told.includes(each)),
  )
  if (later !== null) {
    const why = `the service refuses (${code}), and ${because}, which is older than ${later}, in which it was before`
    return { kind: 'unknown', why, words }
  }
  if (!refusals.shows(status) && !(typeof code === 'number' && refusals.says.includes(code))) {
    const isDenied = code === refusals.ofPaid && evidence.by.statuses?.(status)?.end !== 'paid'
    return { ...refused, seen: refusals.possibleIn.includes(status) || isDenied ? null : status }
  }
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
      if (code === refusals.ofSum?.code && known === status && refusals.possibleIn.includes(status)) {
        if (await isExplained(desk, intent, writes)) return { ...refused, seen: null }
      }
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
  return {
    kind: 'unknown',
    why: `the service refuses (${words.statusCode ?? words.message}) and does not know it, but ${why}`,
    words,
  }
}

/** True for a write that was taken, and after which its thing may still be read in this status for a while. */
const showsLate = ({ operation, state }: Intent, status: string): boolean =>
  (state === 'accepted' || state === 'exists') && (writeNamed(operation)?.evidence?.late.includes(status) ?? false)

/** True if the thing of a write was there, by its own answer or a read. */
const isThere = ({ state, status }: Intent) => status !== null || state === 'accepted' || state === 'exists'

/** The status in which the thing was known before, where the one that is read now comes before that; null where none contradicts. */
function knownSince({ by, refusals }: EvidenceRead, status: string, known: readonly (string | null)[]): string | null {
  const isPaid = (each: string) => by.statuses?.(each)?.end === 'paid'
  // A cancellation or deletion is asked of one that is paid, too.
  const isOfMoney = refusals !== null && refusals.means !== 'done'
  const isLater = (each: string | null): each is string =>
    each !== null && ((isPaid(each) && !isPaid(status)) || (refusals?.before[each]?.includes(status) ?? false))
  return isOfMoney ? (known.find(isLater) ?? null) : null
}

/**
 * True if a refund of this journal went back before, and left less than this one asks for: then the status is its work, and this
 * one cannot have been executed. Where the sum of the order is not known, the status before and behind it decides.
 */
async function isExplained({ journal }: Desk, intent: Intent, writes: readonly Intent[]): Promise<boolean> {
  const others = writes.filter(({ journalId }) => journalId !== intent.journalId)
  const refundable = await refundableOf(journal, others)
  return refundable.refunded > 0n && (refundable.left === null || isTooMuch(refundable, requestIn(intent.body).amount))
}

/** True if all of the sum may be left by a read: by the amount that it shows, or that the thing was made for; any where that is not known. */
function mayBeLeft(
  { whole, all }: TooMuch,
  status: string,
  { body }: Intent,
  { amount }: Look,
  writes: readonly Intent[],
): boolean {
  if (!whole.includes(status)) return false
  const created = writes.find(({ operation }) => isCreation(operation))
  const [asked, shown, made] = [requestIn(body).amount, amount, created && all(requestIn(created.body))].map((sum) =>
    minorUnits(plainDecimal(String(sum)) ?? ''),
  )
  // An amount of 0 shows none.
  const left = shown || made
  return asked != null && (left ? asked <= left : created !== undefined)
}
