/**
 * A write: submitted through the journal, step by step as design/money-safety has it. Token first; then intent and attempt
 * in one durable commit; only then the socket. Every repeat carries the same id and is recorded before it is made. After
 * the first byte may have left, nothing that goes wrong on this machine may be told as "nothing was sent".
 */
import type { WriteOperation } from '../contract/operation.ts'
import { Failure } from '../failure.ts'
import { type Draft, factsOf, type Intent } from '../journal/intent.ts'
import type { Guard } from '../journal/opening.ts'
import type { Verdict } from '../journal/verdict.ts'
import { readJson } from '../json.ts'
import { classify } from './classify.ts'
import type { Desk } from './desk.ts'
import { draftOf } from './draft.ts'
import { exchange } from './exchange.ts'
import { failureOf } from './outcome.ts'
import { type Receipt, receiptOf } from './receipt.ts'
import { nextPause } from './repeat.ts'

export interface SubmitOptions {
  readonly businessKey?: string | null
  /** The journal id of the look-alike that this payment may follow. */
  readonly allowDuplicate?: string | null
  /** Until when; the time of the command from now on, if not given. */
  readonly deadline?: number
}

/** Sends a payment, once. Throws a Failure with the exit code of design/exit-codes. */
export function submit(
  desk: Desk,
  operation: WriteOperation,
  request: Readonly<Record<string, unknown>>,
  options: SubmitOptions = {},
): Promise<Receipt> {
  const draft = draftOf(desk.profile, operation, request, options.businessKey ?? null)
  const guard: Guard = { twins: desk.profile.duplicateGuard, allowed: options.allowDuplicate ?? null }
  return send(desk, operation, draft, guard, options.deadline)
}

/** Sends an intent of the journal once more, with the same id and the same body. */
export function resubmit(desk: Desk, operation: WriteOperation, intent: Intent): Promise<Receipt> {
  return send(desk, operation, intent, { twins: 'off', allowed: null })
}

async function send(
  desk: Desk,
  operation: WriteOperation,
  draft: Draft,
  guard: Guard,
  deadline = desk.clock.now() + desk.settings.timeout,
): Promise<Receipt> {
  const { journal, settings } = desk
  const seen = await journal.look(draft, guard)
  if (seen.kind === 'settled') return receiptOf(seen.intent, true, [])
  let token: string
  try {
    token = await signedIn(desk, operation, seen.unsettled, () => desk.tokens.get(deadline))
  } catch (error) {
    // Another process may have sent the same payment in the meantime: then "nothing was sent" would be wrong.
    const now = await journal.look(draft, guard)
    if (now.kind === 'settled') return receiptOf(now.intent, true, [])
    throw now.unsettled && !seen.unsettled ? overtaken(now.unsettled) : error
  }
  const held = settings.timeout + settings.connectTimeout + settings.answerTimeout
  const begun = await journal.begin(draft, guard, held)
  if (begun.kind === 'settled') return receiptOf(begun.intent, true, [])
  const warnings = begun.twin ? [twinWarning(begun.twin)] : []
  const run = new Run(desk, operation, begun.intent, begun.unsettled !== null, token, deadline)
  try {
    const intent = await run.drive(begun.attempt)
    return receiptOf(intent, false, warnings)
  } catch (error) {
    throw error instanceof Failure ? error.with({ warnings }) : error
  } finally {
    await journal.release(begun.intent).catch(() => undefined)
  }
}

function overtaken(intent: Intent): Failure {
  return new Failure('unknown', 'another run has sent this payment meanwhile, and its outcome is unknown', {
    ...factsOf(intent),
    hints: [`Never create it anew. Settle it: \`paydesk resume ${intent.journalId}\`.`],
  })
}

function twinWarning(twin: Intent): string {
  return `the same amount went to the same payee less than 24 hours ago: ${twin.journalId} (${twin.state}, ${twin.openedAt})`
}

/** A sign-in that fails says nothing about a payment whose earlier attempts may have been executed. */
async function signedIn(
  desk: Desk,
  operation: WriteOperation,
  unsettled: Intent | null,
  signIn: () => Promise<string>,
): Promise<string> {
  try {
    return await signIn()
  } catch (error) {
    if (unsettled && desk.signal.aborted) throw interrupted(unsettled)
    if (!unsettled || !(error instanceof Failure)) throw error
    throw failureOf(operation, unsettled, { kind: 'unknown', why: error.message, words: null })
  }
}

function interrupted(intent: Intent): Failure {
  const open = intent.state === 'unknown'
  return new Failure('interrupted', open ? 'stopped; the payment is unknown' : 'stopped; nothing was executed', {
    ...factsOf(intent),
    moneyMoved: open ? 'unknown' : 'no',
    retry: 'same-id',
    hints: open ? [`paydesk resume ${intent.journalId}`] : [],
  })
}

/** The attempts of one command for one intent. */
class Run {
  readonly #desk: Desk
  readonly #operation: WriteOperation
  readonly #deadline: number
  #intent: Intent
  #token: string
  #renewed = false
  /** Whether some attempt, of this command or an earlier one, may have reached the service. */
  #departed: boolean

  constructor(
    desk: Desk,
    operation: WriteOperation,
    intent: Intent,
    departed: boolean,
    token: string,
    deadline: number,
  ) {
    this.#desk = desk
    this.#operation = operation
    this.#intent = intent
    this.#departed = departed
    this.#token = token
    this.#deadline = deadline
  }

  /** Tries until the intent is settled or there is nothing more to try; then throws what it means. */
  async drive(firstAttempt: number): Promise<Intent> {
    let attempt = firstAttempt
    for (let repeat = 0; ; repeat += 1) {
      const verdict = await this.#attempt(attempt)
      const { state } = this.#intent
      if (state === 'accepted' || state === 'exists') return this.#intent
      // A refusal is definite for its own attempt: asking again would get it again, whatever the first one came to.
      const decided = state === 'refused' || verdict.kind === 'refused'
      const wait = decided ? null : this.#pauseAfter(verdict, repeat)
      if (wait === null) throw failureOf(this.#operation, this.#intent, verdict)
      await this.#pause(wait, verdict)
      attempt = await this.#journalled(() => this.#desk.journal.again(this.#intent))
    }
  }

  async #attempt(number: number): Promise<Verdict> {
    const { clock, journal } = this.#desk
    const request = readJson(this.#intent.body) as Record<string, unknown>
    const read = await exchange(this.#desk, this.#operation, request, this.#token, this.#deadline)
    const { uniqueId } = this.#intent
    const verdict = classify(this.#operation, read as Parameters<typeof classify>[1], uniqueId, clock.now())
    if (verdict.kind !== 'unsent') this.#departed = true
    this.#intent = await this.#journalled(() => journal.finish(this.#intent, number, verdict), verdict)
    const { state } = this.#intent
    // What the service has is told as it is, even if somebody stopped the program in that moment.
    if (this.#desk.signal.aborted && state !== 'accepted' && state !== 'exists') throw interrupted(this.#intent)
    return verdict
  }

  /** Milliseconds before the next attempt; null if there is none to be made. */
  #pauseAfter(verdict: Verdict, repeat: number): number | null {
    const { random, clock } = this.#desk
    if (verdict.kind === 'turned-away' && verdict.by === 'redirect') return null
    if (verdict.kind === 'turned-away' && verdict.by === 'token') return this.#renewed ? null : 0
    const asked = verdict.kind === 'turned-away' ? verdict.wait : null
    return nextPause(repeat, asked, random, clock.now(), this.#deadline)
  }

  async #pause(wait: number, verdict: Verdict): Promise<void> {
    const { clock, signal, tell, tokens } = this.#desk
    if (verdict.kind === 'turned-away' && verdict.by === 'token') {
      this.#renewed = true
      const unsettled = this.#intent.state === 'unknown' ? this.#intent : null
      this.#token = await signedIn(this.#desk, this.#operation, unsettled, () =>
        tokens.renew(this.#token, this.#deadline),
      )
      return
    }
    const why = 'why' in verdict ? verdict.why : 'the service is busy'
    tell.say(`${why}; once more in ${(wait / 1000).toFixed(1)} s, with the same id`)
    try {
      await clock.sleep(wait, signal)
    } catch {
      throw interrupted(this.#intent)
    }
  }

  /** A journal that fails once something may have left must not be told as "nothing was sent". */
  async #journalled<Result>(work: () => Promise<Result>, verdict?: Verdict): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!this.#departed) throw error
      const transactionId = verdict?.kind === 'accepted' ? verdict.transactionId : null
      const got = transactionId
        ? `the service accepted it as transaction ${transactionId}`
        : 'it may have been executed'
      const why = error instanceof Error ? error.message.replace(/; nothing was sent$/, '') : String(error)
      throw new Failure('unknown', `${got}, but the journal could not record that: ${why}`, {
        ...factsOf(this.#intent),
        transactionId,
        ...(transactionId ? { moneyMoved: 'yes' } : {}),
        hints: [`Mend the disk, then \`paydesk resume ${this.#intent.journalId}\`.`],
      })
    }
  }
}
