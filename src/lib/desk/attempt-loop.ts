/**
 * The attempts of one command for one intent. Every repeat carries the same id and is recorded before it is made
 * (money-safety.md#what-may-be-repeated). Once a byte may have left, no failure of this machine is told as "nothing was sent".
 */
import { askedPause, nextPause, unlessAborted } from '../backoff.ts'
import { type Exchanged, exchange } from '../client/exchange.ts'
import { refusalInWords } from '../client/refusal.ts'
import type { Tokens } from '../client/token.ts'
import type { Members } from '../contract/core/members.ts'
import type { RequestOf, WriteOperation } from '../contract/operation.ts'
import type { RetryPolicy } from '../contract/retry-policy.ts'
import { afterOthers, Failure, FailureBeforeSending } from '../failure.ts'
import { dropClosedAttempts } from '../journal/conflict.ts'
import { type Begun, takenOverFailure } from '../journal/duplicates.ts'
import { currencyOf, describeVerdict } from '../journal/entry.ts'
import { factsOf, type Intent } from '../journal/intent.ts'
import { isLeaseOver, leaseReserve } from '../journal/lease.ts'
import { isExecuted, isOpen, unmoved, type Verdict } from '../journal/verdict.ts'
import { isRecord, writeJson } from '../json.ts'
import type { Desk } from './desk.ts'
import { confirmDuplicate, confirmRefusal, evidenceOf } from './evidence.ts'
import { failureOf, isClosedByEvidence, notRecordedFailure, outOfTurn, unknownFailure } from './outcome.ts'
import { openNextAttempt } from './preflight.ts'
import { preflightRefund } from './refund-preflight.ts'
import { closeBy } from './resolve.ts'
import { isUnrecognised, nextStep, tellOfRepeat } from './retry.ts'
import { interruption, reasonOf } from './writes.ts'

/** The end of an attempt that does not leave, because another process has read or heard that it may have been executed. */
export const conflictMeanwhile: Verdict = { kind: 'unsent', why: 'it has met a conflict meanwhile' }

export class AttemptLoop<Op extends WriteOperation> {
  readonly #desk: Desk
  readonly #operation: Op
  readonly #request: RequestOf<Op>
  readonly #retryPolicy: RetryPolicy
  readonly #until: AttemptLimits
  #intent: Intent
  #seen: string | null = null
  #token: string | null
  #renewed = false
  #unanswered = 0
  /** True while an attempt of this command may have been executed. */
  #isUnderWay = false
  /** True if some attempt, of this command or an earlier one, may have reached the service. */
  #departed: boolean

  constructor(
    desk: Desk,
    operation: Op,
    request: RequestOf<Op>,
    { intent, unresolved }: Begun,
    token: string | null,
    until: AttemptLimits,
  ) {
    this.#desk = desk
    this.#operation = operation
    this.#request = request
    this.#retryPolicy = operation.retryPolicy(request)
    this.#intent = intent
    this.#departed = unresolved !== null
    this.#token = token
    this.#until = until
  }

  /** Tries until the intent is resolved or there is nothing more to try; then throws what it means. */
  async drive(firstAttempt: number): Promise<Intent> {
    try {
      return await this.#attempts(firstAttempt)
    } catch (error) {
      // A journal that fails says so in words of what it knows: that it sent nothing. By now that may be wrong.
      throw this.#departed && error instanceof FailureBeforeSending
        ? notRecordedFailure(error, this.#intent, null)
        : error
    }
  }

  async #attempts(firstAttempt: number): Promise<Intent> {
    let last: Verdict | null = null
    for (let [attempt, repeat] = [firstAttempt, 0]; ; repeat += 1) {
      const { end, known } = await this.#journalled(() =>
        preflightRefund(this.#desk, this.#intent, attempt, this.#until),
      )
      this.#seen = known
      if (end) return this.#giveUp(await this.#record(attempt, end), last)
      last = await this.#record(attempt, await this.#answered(attempt))
      const wait = isExecuted(this.#intent) ? null : await this.#pauseAfter(last, repeat)
      if (isExecuted(this.#intent)) return this.#intent
      if (wait === null) return await this.#giveUp(last)
      await this.#pause(wait, last)
      if (this.#isCalledOff) return await this.#giveUp(last)
      ;({ intent: this.#intent, attempt } = await this.#journalled(() => openNextAttempt(this.#desk, this.#intent)))
      if (isUnrecognised(this.#intent, this.#retryPolicy))
        return this.#giveUp(await this.#record(attempt, conflictMeanwhile))
    }
  }

  /** True if nothing of it is on its way, nor was executed, and nothing new is to leave. */
  get #isCalledOff(): boolean {
    return unmoved.has(this.#intent.state) && (this.#desk.ending?.aborted || this.#until.timeToSend(false) <= 0)
  }

  async #answered(number: number): Promise<Verdict> {
    const [desk, operation, request] = [this.#desk, this.#operation, this.#request]
    // Asked for before anything leaves: a journal that fails after the answer would take what the answer proves with it.
    const { currency, isRepeat } = await this.#journalled(async () => ({
      currency: await currencyOf(desk.journal, this.#intent),
      isRepeat: await this.#isRepeat(number),
    }))
    const attempt = async (isPooled: boolean) => {
      const read = await exchange(desk, operation, request, this.#token, this.#until.deadline(), {
        currency,
        isPooled,
        objection: () => findObjection(desk, this.#intent, this.#until, this.#isUnderWay),
        isPastSending: () => isPastSending(this.#until, this.#isUnderWay),
        ready: async () => {
          this.#intent = await this.#journalled(() => renewLease(desk, this.#intent, this.#until, this.#isUnderWay))
        },
      })
      return { isReused: read.isReused, verdict: verdictOf(operation, read, desk.clock.now()) }
    }
    const first = await attempt(number === 1)
    if (first.verdict.kind !== 'unsent') this.#departed = true
    const isDoubtful = first.isReused && (first.verdict.kind === 'refused' || isRedirect(first.verdict))
    const verdict = isDoubtful ? verdictOnceConfirmed(first.verdict, (await attempt(false)).verdict) : first.verdict
    return this.#confirmByRead(verdict, number, isRepeat)
  }

  /** True if an attempt before this one has no definite answer. */
  async #isRepeat(number: number): Promise<boolean> {
    const all = number === 1 ? [] : await this.#desk.journal.attempts(this.#intent)
    const before = all.filter((attempt) => attempt.number !== number)
    return dropClosedAttempts(this.#intent, before).some(isOpen)
  }

  async #confirmByRead(verdict: Verdict, number: number, isRepeat: boolean): Promise<Verdict> {
    if (verdict.kind !== 'duplicate' && verdict.kind !== 'refused') return verdict
    const [desk, intent, known] = [this.#desk, this.#intent, this.#seen]
    try {
      if (verdict.kind === 'refused') return await confirmRefusal(desk, intent, verdict, { isRepeat, known })
      const isConfirmed = isRepeat && this.#retryPolicy.unanswered === 'once'
      return isConfirmed ? await confirmDuplicate(desk, intent, verdict, number) : verdict
    } catch (error) {
      const { words } = verdict
      const why = `${refusalInWords(this.#operation, words)}, and ${reasonOf(error)}`
      return { kind: 'unknown', why, words }
    }
  }

  async #record(number: number, verdict: Verdict): Promise<Verdict> {
    if (verdict.kind === 'unknown') this.#unanswered += 1
    this.#intent = await this.#journalled(
      () => this.#desk.journal.finish(this.#intent, number, verdict, this.#seen),
      verdict,
    )
    this.#isUnderWay = !unmoved.has(this.#intent.state) && (this.#isUnderWay || verdict.kind !== 'unsent')
    this.#desk.tell.trace(() => `= ${describeVerdict(verdict, this.#intent.state)}`)
    // An executed write is told as executed, even if the program was stopped in that moment.
    if (this.#desk.signal.aborted && !isExecuted(this.#intent)) throw interruption(this.#intent)
    return verdict
  }

  /** Milliseconds before the next attempt; null if there is none to be made. */
  async #pauseAfter(verdict: Verdict, repeat: number): Promise<number | null> {
    const soFar = { intent: this.#intent, hasRenewed: this.#renewed, unanswered: this.#unanswered }
    const step = nextStep(verdict, this.#retryPolicy, soFar)
    if (step === 'stop') return null
    if (step === 'renew-token') return 0
    if (step === 'read-first' && !['no-trace', 'none'].includes((await this.#look()).kind)) return null
    const [asked, now] = ['wait' in verdict ? (verdict.wait ?? null) : null, this.#desk.clock.now()]
    return nextPause(repeat, asked, this.#desk.random, now, now + this.#until.timeToSend(this.#isUnderWay))
  }

  /** Reads what the service shows. An intent that this resolves is closed, or thrown as what it means. */
  async #look() {
    try {
      const evidence = await evidenceOf(this.#desk, this.#intent, this.#until.deadline())
      const closed = await this.#journalled(() => closeBy(this.#desk, this.#intent, evidence, true))
      if (closed) this.#intent = closed
      return evidence
    } catch (error) {
      throw this.#desk.signal.aborted ? interruption(this.#intent) : error
    }
  }

  /** Sends nothing more. An intent that stays open may still be resolved by a read. */
  async #giveUp(end: Verdict, last: Verdict | null = null): Promise<Intent> {
    const verdict = end.kind === 'unsent' && !end.besides ? (last ?? end) : end
    if (this.#intent.state === 'unknown' && this.#retryPolicy.unanswered !== 'repeat') {
      const evidence = await this.#look()
      if (isExecuted(this.#intent)) return this.#intent
      if (evidence.kind === 'differs') throw unknownFailure(this.#operation, this.#intent, evidence.because)
    }
    throw failureOf(this.#operation, this.#intent, verdict)
  }

  async #pause(wait: number, verdict: Verdict): Promise<void> {
    const { clock, signal, ending } = this.#desk
    if (verdict.kind === 'turned-away' && verdict.by === 'token') {
      this.#renewed = true
      this.#token = await signInAgain(this.#desk, this.#operation, this.#intent, this.#token, this.#until.deadline())
      return
    }
    tellOfRepeat(this.#desk, this.#intent, verdict, wait)
    const wakes = ending && unmoved.has(this.#intent.state) ? AbortSignal.any([signal, ending]) : signal
    await clock.sleep(wait, wakes).catch(() => {
      if (!this.#isCalledOff || signal.aborted) throw interruption(this.#intent)
    })
  }

  async #journalled<Result>(work: () => Promise<Result>, verdict?: Verdict): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!this.#departed || isClosedByEvidence(error)) throw error
      throw notRecordedFailure(error, this.#intent, verdict ?? null)
    }
  }
}

/** Turned away for good. */
const isRedirect = (verdict: Verdict) => verdict.kind === 'turned-away' && verdict.by === 'redirect'

/**
 * What the same write proved, asked once more on a connection of its own: a refusal on a reused connection may be the
 * answer to the request before it.
 */
function verdictOnceConfirmed(first: Verdict, verdict: Verdict): Verdict {
  if (verdict.kind === 'duplicate') return { ...verdict, isOwn: true }
  if (isRedirect(first) && isRedirect(verdict)) return verdict
  if (isRedirect(first) && verdict.kind === 'refused' && !verdict.bodyOnly)
    return { kind: 'unknown', why: unconfirmed, words: verdict.words }
  if (verdict.kind === 'turned-away')
    return { kind: 'unknown', why: unconfirmed, words: verdict.words, wait: verdict.wait }
  return verdict.kind === 'unsent' ? { kind: 'unknown', why: `${unconfirmed}: ${verdict.why}`, words: null } : verdict
}

const unconfirmed = 'a refusal or a redirect on a connection that had carried other requests was not confirmed'

// --- The access token that a write goes out with

/** The token for what has not left yet; a run that sends nothing new any more does not wait for it. */
export async function waitUntilEnding({ ending }: Pick<Desk, 'ending'>, token: Promise<string>): Promise<string> {
  if (!ending) return token
  return unlessAborted(token, ending).catch((error) => {
    throw ending.aborted ? new FailureBeforeSending('unsent', outOfTurn) : error
  })
}

/** The token of an operation that needs one, else null. A failed sign-in says nothing about earlier attempts. */
export async function signIn(
  desk: Desk,
  operation: WriteOperation,
  unresolved: Intent | null,
  get: (tokens: Tokens) => Promise<string>,
): Promise<string | null> {
  if (operation.wire !== 'bearer') return null
  try {
    return await get(desk.tokens)
  } catch (error) {
    if (unresolved && desk.signal.aborted) throw interruption(unresolved)
    if (!unresolved || !(error instanceof Failure)) throw error
    throw unknownFailure(operation, unresolved, error.message)
  }
}

/** A new token after the service refused `token` for this intent, which was not executed. */
async function signInAgain(
  desk: Desk,
  operation: WriteOperation,
  intent: Intent,
  token: string | null,
  deadline: number,
): Promise<string | null> {
  const unresolved = intent.state === 'unknown' ? intent : null
  try {
    return await signIn(desk, operation, unresolved, (tokens) => {
      const renewed = tokens.renew(token ?? '', deadline)
      return unmoved.has(intent.state) ? waitUntilEnding(desk, renewed) : renewed
    })
  } catch (error) {
    if (!(error instanceof FailureBeforeSending)) throw error
    const { kind, facts } = error
    throw afterOthers(error).as(kind, { ...facts, ...factsOf(intent), retry: 'same-id' })
  }
}

// --- The moment in which a write leaves: what speaks against it by then, and the lease, which has to outlast its answer

export interface AttemptLimits {
  /** Milliseconds since 1970; moves on while the write waits for its place. */
  readonly deadline: () => number
  /** Milliseconds left for sending. `isUnderWay`: an attempt of this command may have been executed. */
  readonly timeToSend: (isUnderWay: boolean) => number
  /** True where nothing of it is to leave any more. */
  readonly calledOff: () => boolean
  /** The journal id of another write that it may follow; null for none. */
  readonly allowed: string | null
}

type LeasingDesk = Pick<Desk, 'clock' | 'journal' | 'settings'>

/** Milliseconds that an intent is held for: a request that leaves at the last moment is answered by then. */
export function leaseTime({ settings }: Pick<Desk, 'settings'>): number {
  return settings.timeout + settings.connectTimeout + settings.answerTimeout + leaseReserve
}

function longestAnswer({ clock, settings }: LeasingDesk, { deadline }: AttemptLimits): number {
  return Math.max(0, Math.min(settings.connectTimeout + settings.answerTimeout, deadline() - clock.now()))
}

function isPastSending(until: AttemptLimits, isUnderWay: boolean): boolean {
  return until.timeToSend(isUnderWay) <= 0
}

/** The objection to sending, asked right before the first byte: this process may have slept for hours. */
function findObjection(desk: LeasingDesk, intent: Intent, until: AttemptLimits, isUnderWay: boolean): string | null {
  const isCalledOff = !isUnderWay && until.calledOff()
  if (isPastSending(until, isUnderWay)) return isCalledOff ? outOfTurn : 'the time for sending it was over'
  return isLeaseOver(intent, desk.journal.moment, longestAnswer(desk, until))
    ? 'the hold on it in the journal was over'
    : null
}

/** The intent, leased until a request that leaves now is answered. Throws locked (12) where another process has it. */
async function renewLease(
  desk: LeasingDesk,
  intent: Intent,
  until: AttemptLimits,
  isUnderWay: boolean,
): Promise<Intent> {
  // Renewed half a command ahead, so that it is not over between this and the first byte.
  const needed = longestAnswer(desk, until) + desk.settings.timeout / 2
  if (isPastSending(until, isUnderWay) || !isLeaseOver(intent, desk.journal.moment, needed)) return intent
  const held = await desk.journal.renewLease(intent, leaseTime(desk))
  if (held === null) throw takenOverFailure(intent)
  return held
}

// --- The verdict of an answer

export function verdictOf(operation: WriteOperation, read: Exchanged<unknown>, now: number): Verdict {
  switch (read.kind) {
    case 'unsent':
      return { kind: 'unsent', why: read.why }
    case 'unanswered':
      return { kind: 'unknown', why: read.why, words: null }
    case 'unknown':
    case 'turned-away': {
      const { retryAfter, ...verdict } = read
      return { ...verdict, wait: askedPause(retryAfter, now) }
    }
    case 'taken':
      return { kind: 'duplicate', words: read.words }
    case 'refused': {
      const { words, bodyOnly, status } = read
      return { kind: 'refused', words, bodyOnly, status }
    }
    case 'accepted':
      return acceptance(operation, isRecord(read.answer) ? read.answer : {})
  }
}

/** The journal keeps all of an answer, or the members that the receipt of a payout has. */
function acceptance({ proof }: WriteOperation, answer: Members): Verdict {
  const text = (name: string) => (typeof answer[name] === 'string' ? String(answer[name]) : null)
  const isPayout = proof.keeps === 'payout'
  return {
    kind: 'accepted',
    transactionId: isPayout ? text('transactionId') : null,
    status: text('status'),
    statusDescription: isPayout ? text('statusDescription') : null,
    createdAt: isPayout ? text('createdAt') : null,
    answer: isPayout ? null : writeJson(answer),
  }
}
