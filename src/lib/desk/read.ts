/**
 * Reads: called, repeated freely, never journalled. What the read of a thing shows is noted on the writes of this
 * journal about it: a later read, from a copy that lags behind, must not deny it
 * (money-safety.md#the-one-rule-for-answers).
 */
import { askedPause, doublingPause, nextPause } from '../backoff.ts'
import { type Exchanged, exchange, makeDeadline, type Reference } from '../client/exchange.ts'
import { refusal } from '../client/refusal.ts'
import { redirectFailure } from '../client/token.ts'
import { readOrderStatus } from '../contract/answer.ts'
import type { Members } from '../contract/core/members.ts'
import { normalId } from '../contract/core/text.ts'
import { type AnswerOf, identities, type ReadOperation, type RequestOf } from '../contract/operation.ts'
import { writeNamed } from '../contract/operations.ts'
import { endsRefund } from '../contract/order/status.ts'
import { isSameService } from '../contract/service.ts'
import type { End } from '../contract/status.ts'
import { about, Failure, type FailureFacts, type MoneyMoved, type ServiceWords } from '../failure.ts'
import { type Hint, hint, type PastedLine, paste } from '../hint.ts'
import { remedyFor } from '../http/explain.ts'
import type { Attempt, Intent } from '../journal/intent.ts'
import { isAttemptUnderWay } from '../journal/lease.ts'
import { timeLeft } from '../journal/moment.ts'
import { isCreation, isExecutedIn, isTrace, wasShown } from '../journal/payment-end.ts'
import type { ShownWrite } from '../journal/row.ts'
import { isExecuted, mayHaveArrived, unmoved } from '../journal/verdict.ts'
import { isRecord } from '../json.ts'
import type { Desk } from './desk.ts'
import { scopeOf } from './new-intent.ts'
import { AnotherObject, resolveIt, writesTo } from './writes.ts'

/** Throws refused (5), not-found (6), credentials (4), unsent (11), unknown (9). */
export async function call<Op extends ReadOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  deadline = desk.clock.now() + desk.settings.timeout,
): Promise<AnswerOf<Op>> {
  desk.instead?.(operation, request)
  const until = makeDeadline(desk, deadline)
  const bearer = operation.wire === 'bearer'
  let token = bearer ? await desk.tokens.get(deadline) : null
  let renewed = false
  for (let repeat = 0; ; ) {
    const read = await exchange(desk, operation, request, token, until(), { isPooled: repeat === 0 })
    if (read.kind === 'accepted') {
      mustSpeakOf(operation, request, read.answer)
      return withoutOwnMembers(read.answer)
    }
    const by = read.kind === 'turned-away' ? read.by : null
    if (read.kind === 'turned-away' && by === 'redirect') throw redirectFailure(read.location)
    if (read.kind === 'turned-away' && by === 'token') {
      if (!bearer || renewed) throw badToken(read.words)
      renewed = true
      token = await desk.tokens.renew(token ?? '', until())
      continue
    }
    if (read.kind === 'refused') throw refusal(operation, read.words, request)
    desk.signal.throwIfAborted()
    const asked = 'retryAfter' in read ? askedPause(read.retryAfter, desk.clock.now()) : null
    const isLasting = read.kind === 'unsent' && remedyFor(read.why) !== null
    const wait = isLasting ? null : nextPause(repeat, asked, desk.random, desk.clock.now(), until())
    if (wait === null) throw noAnswer(operation, read)
    repeat += 1
    await desk.clock.sleep(wait, desk.signal)
  }
}

export function badToken(words: ServiceWords): Failure {
  return new Failure('credentials', 'the service did not accept the credentials after a new sign-in', {
    service: words,
    hints: [hint`Check client id and secret of the profile: \`${paste('profile check')}\`.`],
  })
}

function noAnswer(operation: ReadOperation, read: Exchanged<unknown>): Failure {
  // The question itself moved nothing. The state of the payment that it asked for is not known.
  const facts = about(operation, { moneyMoved: operation.showsPayment ? 'unknown' : 'no' })
  if (read.kind === 'unsent') {
    const mended = remedyFor(read.why)
    return new Failure('unsent', `the service could not be reached: ${read.why}`, {
      ...facts,
      hints: [mended ?? hint`Check the network and the base URL of the profile, then run it again.`],
      ...(mended && { retry: 'after-fix' as const }),
    })
  }
  const why = 'why' in read ? read.why : 'the service is busy'
  const service = 'words' in read ? read.words : null
  const message = `the service gave no definite answer: ${why}. Reading moves no money`
  return new Failure('unknown', message, { ...facts, service, hints: [hint`Ask again later.`] })
}

/** Members in which paydesk speaks for itself: no answer has them. */
const ownMembers = ['journalId', 'profile', 'environment', 'warnings', '__proto__', 'toJSON']

function withoutOwnMembers<Answer>(answer: Answer): Answer {
  if (Array.isArray(answer)) return answer.map(withoutOwnMembers) as Answer
  if (!isRecord(answer)) return answer
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !ownMembers.includes(name))) as Answer
}

// --- An answer about something else than was asked for

/** UUIDs in any case, numbers with zeros before them, texts with blanks around them. */
function isSame(told: string, asked: string): boolean {
  const digits = /^\d+$/
  if (digits.test(told) && digits.test(asked)) return BigInt(told) === BigInt(asked)
  return normalId(told.trim()) === normalId(asked.trim())
}

/** Throws unknown (9) where an id in the answer is not the one that was asked for. */
export function mustSpeakOf<Op extends ReadOperation>(operation: Op, request: RequestOf<Op>, answer: unknown): void {
  if (!isRecord(answer)) return
  const asked: Members = { ...request }
  const echoes = { ...Object.fromEntries(identities.map((name) => [name, name])), ...operation.echoes }
  for (const [name, field] of Object.entries(echoes)) {
    const told = Object.hasOwn(answer, name) ? (answer[name] ?? null) : null
    if (told === null || asked[field] === undefined || isSame(String(told), String(asked[field]))) continue
    const what = operation.thing?.about ?? name
    const message = `the answer is about another ${what}, ${told}, not ${asked[field]}. Reading moves no money`
    const moneyMoved = operation.showsPayment ? 'unknown' : 'no'
    const hints = [hint`Ask the service which is true.`]
    throw new AnotherObject(message, about(operation, { moneyMoved, hints }))
  }
}

// --- The read of an order, a wallet order or a payout

/** An answer, and the writes about its thing as the journal has them then; none where it speaks of another thing. */
interface ReadThing<Op extends ReadOperation> {
  readonly answer: AnswerOf<Op>
  readonly writes: readonly Intent[]
  /** The journal could not note it. */
  readonly isUnnoted?: true
}

interface ThingAsked {
  readonly deadline?: number | undefined
  /** A write that has not left yet: nothing of it can be shown. */
  readonly unsent?: string
  /** The id that the thing must have; null for any. */
  readonly expected?: string | null
}

/** Milliseconds that an attempt waits for a read beside it. */
export const timeForRead = 5_000

const unnoted = 'the journal could not store what was read'

/** Throws a Failure as `call`. */
export async function readObject<Op extends ReadOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  { deadline, unsent, expected = null }: ThingAsked = {},
): Promise<ReadThing<Op>> {
  const answer = await call(desk, operation, request, deadline)
  const { thing } = operation
  const told: Members = { ...request, ...(isRecord(answer) ? answer : {}) }
  const { [thing?.id ?? '']: named, status } = told
  if (thing === null || typeof named !== 'string' || typeof status !== 'string') return { answer, writes: [] }
  const id = normalId(named.trim())
  if (expected !== null && id !== expected) return { answer, writes: [] }
  const number = String(told.transactionId ?? '').trim()
  const shown: Shown = {
    status: readOrderStatus(status.trim()),
    description: typeof told.statusDescription === 'string' ? told.statusDescription : null,
    transactionId: /^\d+$/.test(number) ? number : null,
  }
  const writes = await writesTo(desk, thing.about, id).catch(() => desk.tell.say(unnoted))
  if (!writes) return { answer, writes: [], isUnnoted: true }
  const learning = writes.filter(({ journalId }) => journalId !== unsent)
  const noted = await remember(desk, learning, shown, writes)
  if (noted === null) return { answer, writes, isUnnoted: true }
  const known = new Map(noted.map((write) => [write.journalId, write]))
  return { answer, writes: writes.map((write) => known.get(write.journalId) ?? write) }
}

interface Shown {
  readonly status: string
  readonly description: string | null
  /** The number of its transaction; null where none is told. */
  readonly transactionId: string | null
}

/**
 * The part of what was shown that a write learns; null for none. An open write learns whatever was shown, but for what
 * others explain while its own answer is to come. One that was not executed from here, and is there all the same, is a
 * conflict from then on, unless it ended unpaid.
 */
async function noteOnWrites(
  { journal, profile }: Desk,
  write: Intent,
  { status, transactionId }: Shown,
  writes: readonly Intent[],
): Promise<ShownWrite | null> {
  if (!isSameService(write, scopeOf(profile)) || isOfOtherTransaction(write, transactionId)) return null
  const { payment, evidence } = writeNamed(write.operation) ?? {}
  const isOwn =
    isExecutedIn(write, status) ||
    !isTrace(write.operation, status) ||
    !isExplained(await journal.attempts(write), write, status, writes)
  const isThere = isOwn && wasShown({ ...write, status })
  const isOpen = write.state === 'unknown' && (payment || evidence)
  const isUnmoved = unmoved.has(write.state)
  const isOfThing = !isUnmoved && (payment || isCreation(write.operation))
  // In a status that a person knew who called it refused, another request may have led to it.
  const isDecided = write.operatorWord !== null && write.status === status
  const hasLeft = async () => (await journal.attempts(write)).some(mayHaveArrived)
  const isDenied = isUnmoved && isThere && (isExecutedIn(write, status) || (!isDecided && (await hasLeft())))
  const learns = isOfThing || isDenied || (isOpen && (isOwn || !(await isAttemptUnderWay(journal, write))))
  return learns ? { intent: write, isThere } : null
}

/** True if both numbers are known and differ: then another payment is shown. */
export function isOfOtherTransaction({ transactionId: own }: Intent, shown: string | null): boolean {
  return own !== null && shown !== null && /^\d+$/.test(own) && BigInt(own) !== BigInt(shown)
}

/** True if the status was known before the write left, or comes of another refund. */
function isExplained(past: readonly Attempt[], write: Intent, status: string, writes: readonly Intent[]): boolean {
  const isOther = (each: Intent) => each.operation === write.operation && each.journalId !== write.journalId
  const done = writes.filter((each) => isOther(each) && isExecuted(each))
  const creation = writes.find(({ operation }) => isCreation(operation))
  // Of an order that was made elsewhere the journal knows what the newest refund was told.
  const [told] = done.toSorted((a, b) => Date.parse(b.changedAt) - Date.parse(a.changedAt))
  const read = past.findLast(({ known }) => known !== null)
  if (read?.known === status) return true
  const isOver = read && !done.some(({ changedAt }) => Date.parse(changedAt) >= Date.parse(read.startedAt))
  const known = (isOver ? read.known : (creation ?? told)?.status) ?? null
  return known === status || (done.length > 0 && endsRefund(known, status))
}

/**
 * All of the writes learn of the read, or none: one alone would explain to the others, at the next read, what they have
 * not learnt. Null where the journal could not note it.
 */
async function remember(
  desk: Desk,
  learning: readonly Intent[],
  shown: Shown,
  writes: readonly Intent[],
): Promise<readonly Intent[] | null> {
  try {
    const learnt = await Promise.all(learning.map((write) => noteOnWrites(desk, write, shown, writes)))
    return await desk.journal.noteStatus(
      learnt.filter((each) => each !== null),
      shown.status,
      shown.description,
    )
  } catch {
    desk.tell.say(unnoted)
    return null
  }
}

/** The same of a creation, by the status in the answer to a change of its thing. */
export async function noteStatusOf(desk: Desk, write: Intent, status: string): Promise<Intent> {
  const known = await remember(desk, [write], { status, description: null, transactionId: null }, [])
  return known?.[0] ?? write
}

// --- Reading again until it is final

const pauses = { base: 500, longest: 5_000 }

interface Named {
  readonly status: string
}

/** A thing that is waited for. */
export interface Watched<Read extends Named> {
  readonly about: 'payout' | 'order'
  readonly subject: Reference
  readonly wait: PastedLine
  read(deadline: number): Promise<Read>
  /** Null while it has not ended. */
  end(status: string): End
  ended(last: Read): Failure
  /** The failure of a thing in doubt; null where nothing contradicts. */
  doubt(last: Read): Failure | null
  /** Words that follow "when the time is up; it". */
  outlook(status: string): string
  /** Advice in the place of "Wait on"; null for none. */
  next(status: string): Hint | null
  /** Its ids. */
  facts(last: Read | null): FailureFacts
  /** A write of it whose outcome is unknown. */
  open(): Intent | null
  /** The movement of its money while it cannot be read. */
  moneyMoved(isRefused: boolean): MoneyMoved
}

/** Returns when it was paid. Throws: ended (5), not final (8), never read (9; 11 if no question left). */
export async function waitUntilFinal<Read extends Named>(
  desk: Desk,
  watched: Watched<Read>,
  deadline: number,
): Promise<Read> {
  const left = timeLeft(desk.clock, deadline)
  let last: Read | null = null
  let failed: Failure | null = null
  for (let looks = 0; ; looks += 1) {
    const pause = doublingPause(looks, pauses)
    try {
      last = await watched.read(deadline)
    } catch (error) {
      if (desk.signal.aborted) throw stopped(watched)
      if (error instanceof Failure && error.kind === 'refused') {
        // That the service refuses to show it says nothing about its end.
        const facts = { ...error.facts, ...watched.facts(null), moneyMoved: watched.moneyMoved(true) }
        throw new Failure('unknown', `its status cannot be read: ${error.message}`, facts)
      }
      if (!isPassing(error)) throw error
      // A question that was sent and not answered outweighs one that never left.
      if (failed?.kind !== 'unknown') failed = error
    }
    const end = last ? watched.end(last.status) : null
    if (last && end === 'paid') return last
    if (last && end === 'not-paid') throw watched.ended(last)
    if (left() <= pause) throw last ? notFinal(watched, last) : neverRead(watched, failed)
    const rested = desk.tell.rest({ ...watched.subject, status: last?.status ?? null })
    const sleep = desk.clock.sleep(pause, desk.signal).finally(rested)
    await sleep.catch((error: unknown) => {
      throw desk.signal.aborted ? stopped(watched) : error
    })
  }
}

/** True if a failed reading may be followed by another one before the time is up. */
function isPassing(error: unknown): error is Failure {
  if (!(error instanceof Failure)) return false
  return (error.kind === 'unknown' || error.kind === 'unsent') && error.retry !== 'after-fix'
}

function notFinal<Read extends Named>(watched: Watched<Read>, last: Read): Failure {
  const { status } = last
  const doubt = watched.doubt(last)
  if (doubt) return doubt
  const told = `the ${watched.about} was still ${status} when the time was up; it ${watched.outlook(status)}`
  const hints = [watched.next(status) ?? hint`Wait longer: \`${watched.wait}\`.`]
  return new Failure('pending', told, { ...watched.facts(last), status, document: last, hints })
}

function neverRead(watched: Watched<Named>, last: Failure | null): Failure {
  const open = watched.open()
  const hints = [...(open ? [resolveIt(open)] : []), hint`Read it again: \`${watched.wait}\`.`]
  const facts = { moneyMoved: watched.moneyMoved(false), ...watched.facts(null), hints }
  if (last?.kind === 'unsent') return new Failure('unsent', last.message, facts)
  const why = last === null ? 'reading moves no money' : `at last, ${last.message}`
  const told = `the status could not be read before the time was up; ${why}`
  return new Failure('unknown', told, { ...facts, service: last?.facts.service ?? null })
}

function stopped(watched: Watched<Named>): Failure {
  return new Failure('interrupted', `stopped waiting; the ${watched.about} goes on`, {
    ...watched.facts(null),
    // It may have read what is no end since the journal was told of one.
    moneyMoved: 'unknown',
    retry: 'same-id',
    hints: [hint`Wait longer: \`${watched.wait}\`.`],
  })
}
