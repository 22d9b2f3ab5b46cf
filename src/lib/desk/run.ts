/**
 * The attempts of one command for one intent. Every repeat carries the same id and is recorded before it is made
 * (money-safety.md#what-may-be-repeated). Once a byte may have left, no failure of this machine is told as "nothing was sent".
 */
import type { RequestOf, WriteOperation } from '../contract/operation.ts'
import type { Repeats } from '../contract/repeats.ts'
import { FailureBeforeSending } from '../failure-before-sending.ts'
import { mendedBy } from '../http/explain.ts'
import type { Begun } from '../journal/duplicates.ts'
import { describeVerdict } from '../journal/entry.ts'
import type { Intent } from '../journal/intent.ts'
import { unmoved, type Verdict } from '../journal/verdict.ts'
import type { Desk } from './desk.ts'
import { evidenceOf } from './evidence.ts'
import { onceMore } from './guard.ts'
import { exchange } from './line/exchange.ts'
import { followedBy, tellOfRepeat } from './line/followed.ts'
import { heldThrough, objectionNow, staysHere } from './line/leaving.ts'
import { nextPause } from './line/repeat.ts'
import type { RunLimits } from './line/terms.ts'
import { failureOf, noAnswerTo } from './receipt/outcome.ts'
import { isUnrecognised, takenMeanwhile } from './recognised.ts'
import { interrupted } from './recover/in-play.ts'
import { isToldByEvidence, notRecorded } from './recover/not-recorded.ts'
import { closeBy } from './recover/resolve.ts'
import { preflightRefund } from './refund-preflight.ts'
import { signedInAgain } from './signed-in.ts'
import { besideRead, knownOf, verdictOf } from './verdict.ts'

export class Run<Op extends WriteOperation> {
  readonly #desk: Desk
  readonly #operation: Op
  readonly #request: RequestOf<Op>
  readonly #repeats: Repeats
  readonly #until: RunLimits
  #intent: Intent
  /** The status in which its thing was read before it left. */
  #seen: string | null = null
  #token: string | null
  #renewed = false
  /** The number of attempts of this command without a definite answer. */
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
    until: RunLimits,
  ) {
    this.#desk = desk
    this.#operation = operation
    this.#request = request
    this.#repeats = operation.repeats(request)
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
      throw this.#departed && error instanceof FailureBeforeSending ? notRecorded(error, this.#intent, null) : error
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
      const wait = this.#isExecuted ? null : await this.#pauseAfter(last, repeat)
      if (this.#isExecuted) return this.#intent
      if (wait === null) return await this.#giveUp(last)
      await this.#pause(wait, last)
      if (this.#isCalledOff) return await this.#giveUp(last)
      ;({ intent: this.#intent, attempt } = await this.#journalled(() => onceMore(this.#desk, this.#intent)))
      if (isUnrecognised(this.#intent, this.#repeats)) return this.#giveUp(await this.#record(attempt, takenMeanwhile))
    }
  }

  get #isExecuted(): boolean {
    return this.#intent.state === 'accepted' || this.#intent.state === 'exists'
  }

  /** True if nothing of it is on its way, nor was executed, and nothing new is to leave. */
  get #isCalledOff(): boolean {
    return unmoved.has(this.#intent.state) && (this.#desk.ending?.aborted || this.#until.timeToSend(false) <= 0)
  }

  /** Makes one attempt. */
  async #answered(number: number): Promise<Verdict> {
    const [desk, operation, request] = [this.#desk, this.#operation, this.#request]
    // Asked for before anything leaves: a journal that fails after the answer would take what the answer proves with it.
    const { currency, isRepeat } = await this.#journalled(() => knownOf(desk, this.#intent, number))
    const leaving = {
      currency,
      objection: () => objectionNow(desk, this.#intent, this.#until, this.#isUnderWay),
      staysHere: () => staysHere(this.#until, this.#isUnderWay),
      ready: async () => {
        this.#intent = await this.#journalled(() => heldThrough(desk, this.#intent, this.#until, this.#isUnderWay))
      },
    }
    const attempt = async (isPooled: boolean) => {
      const read = await exchange(desk, operation, request, this.#token, this.#until.deadline(), {
        ...leaving,
        isPooled,
      })
      return { isReused: read.isReused, verdict: verdictOf(operation, read, desk.clock.now()) }
    }
    const first = await attempt(number === 1)
    if (first.verdict.kind !== 'unsent') this.#departed = true
    const isDoubtful = first.verdict.kind === 'refused' && first.isReused
    const verdict = isDoubtful ? confirmRefusal((await attempt(false)).verdict) : first.verdict
    const [known, repeats] = [this.#seen, this.#repeats]
    return besideRead(desk, operation, this.#intent, verdict, { isRepeat, number, known, repeats })
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
    if (this.#desk.signal.aborted && !this.#isExecuted) throw interrupted(this.#intent)
    return verdict
  }

  /** Milliseconds before the next attempt; null if there is none to be made. */
  async #pauseAfter(verdict: Verdict, repeat: number): Promise<number | null> {
    const follows = followedBy(verdict, this.#repeats, this.#intent.state === 'refused', this.#renewed)
    if (isUnrecognised(this.#intent, this.#repeats)) return null
    if (verdict.kind === 'unsent' && mendedBy(verdict.why)) return null
    if (follows !== 'a-pause') return follows === 'at-once' ? 0 : null
    if (this.#intent.state === 'unknown' && !(await this.#mayRepeatUnanswered(verdict))) return null
    const [asked, now] = ['wait' in verdict ? (verdict.wait ?? null) : null, this.#desk.clock.now()]
    return nextPause(repeat, asked, this.#desk.random, now, now + this.#until.timeToSend(this.#isUnderWay))
  }

  /** True if a write that may have been executed may be sent once more. */
  async #mayRepeatUnanswered(verdict: Verdict): Promise<boolean> {
    const { unanswered } = this.#repeats
    if (unanswered === 'repeat' || unanswered === 'stop') return unanswered === 'repeat'
    if (unanswered === 'once') return this.#unanswered <= 1
    if (verdict.kind !== 'unknown') return true
    return ['no-trace', 'none'].includes((await this.#look()).kind)
  }

  /** Reads what the service shows; an intent that is thereby resolved is resolved, or thrown as what it means. */
  async #look() {
    try {
      const evidence = await evidenceOf(this.#desk, this.#intent, this.#until.deadline())
      const closed = await this.#journalled(() => closeBy(this.#desk, this.#intent, evidence, true))
      if (closed) this.#intent = closed
      return evidence
    } catch (error) {
      throw this.#desk.signal.aborted ? interrupted(this.#intent) : error
    }
  }

  /** Sends nothing more, and tells what it heard `last`. An intent that stays open may still be resolved by a read. */
  async #giveUp(end: Verdict, last: Verdict | null = null): Promise<Intent> {
    const verdict = end.kind === 'unsent' && !end.besides ? (last ?? end) : end
    if (this.#intent.state === 'unknown' && this.#repeats.unanswered !== 'repeat') {
      const evidence = await this.#look()
      if (this.#isExecuted) return this.#intent
      if (evidence.kind === 'differs') throw noAnswerTo(this.#operation, this.#intent, evidence.because)
    }
    throw failureOf(this.#operation, this.#intent, verdict)
  }

  async #pause(wait: number, verdict: Verdict): Promise<void> {
    const { clock, signal, ending } = this.#desk
    if (verdict.kind === 'turned-away' && verdict.by === 'token') {
      this.#renewed = true
      this.#token = await signedInAgain(this.#desk, this.#operation, this.#intent, this.#token, this.#until.deadline())
      return
    }
    tellOfRepeat(this.#desk, this.#intent, verdict, wait)
    const wakes = ending && unmoved.has(this.#intent.state) ? AbortSignal.any([signal, ending]) : signal
    await clock.sleep(wait, wakes).catch(() => {
      if (!this.#isCalledOff || signal.aborted) throw interrupted(this.#intent)
    })
  }

  async #journalled<Result>(work: () => Promise<Result>, verdict?: Verdict): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!this.#departed || isToldByEvidence(error)) throw error
      throw notRecorded(error, this.#intent, verdict ?? null)
    }
  }
}

/**
 * A refusal on a reused connection may be the second answer to the request before it, so the write was asked once more, under the same
 * id and on a connection of its own: what that proves. Until then the first request counts as unknown.
 */
function confirmRefusal(verdict: Verdict): Verdict {
  if (verdict.kind === 'duplicate') return { ...verdict, isOwn: true }
  if (verdict.kind === 'turned-away')
    return { kind: 'unknown', why: unconfirmed, words: verdict.words, wait: verdict.wait }
  return verdict.kind === 'unsent' ? { kind: 'unknown', why: `${unconfirmed}: ${verdict.why}`, words: null } : verdict
}

const unconfirmed = 'a refusal on a connection that had carried other requests was not confirmed'
