/** The reasons for which a run ends before its last row. What was not sent stays planned. */

import { setMaxListeners } from 'node:events'
import { howMany } from '../../contract/core/text.ts'
import { Failure, type FailureName, failures } from '../../failure.ts'
import { FailureBeforeSending } from '../../failure-before-sending.ts'
import type { WithWorkers } from '../plans/plans.ts'
import type { RowState } from '../rows/row-states.ts'

export type Stop =
  /** ^C or SIGTERM. */
  | { readonly kind: 'signal' }
  /** The token is refused, the plan is stale or another's, a limit holds it, the journal cannot be written: that failure ends the run. */
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** The profile is another client by now: the failure says so. */
  | { readonly kind: 'foreign'; readonly failure: Failure }
  /** Another run has taken the plan over while this one slept: the failure says so. */
  | { readonly kind: 'taken-over'; readonly failure: Failure }
  /** Enough, for a reason of this run's; in words. `isOfHere`: the rows did not leave this machine. */
  | { readonly kind: 'enough'; readonly why: string; readonly isOfHere?: boolean }

/** The reason for which workers take no more of a plan, with the exit code that it has in every run; null while they do. */
export function stopOf({ stopped: why, stoppedKind }: Pick<WithWorkers, 'stopped' | 'stoppedKind'>): Stop | null {
  if (why === null) return null
  const kind = (Object.keys(failures) as FailureName[]).find((each) => each === stoppedKind)
  return kind ? { kind: 'failure', failure: new Failure(kind, why) } : { kind: 'enough', why }
}

/** Rows in a row, each without a definite answer or not sent, after which something is wrong with the line. */
export const mostInARow = 10

/** The code with which the service says that the balance does not cover a payout (specification A1). */
const noFunds = 5038

/** Decides, row by row, whether a run goes on. The first reason stays. */
export class Stopping {
  readonly #mostFailures: number | null
  readonly #reached = new AbortController()
  #stop: Stop | null = null
  #failures = 0
  readonly #inARow = { silent: 0, unknown: 0, lost: 0, unsent: 0, here: 0 }
  #last: Failure | null = null
  #hasSent = false
  #hasPaid = false

  /** `mostFailures`: rows that may fail; null for all of them. */
  constructor(mostFailures: number | null) {
    this.#mostFailures = mostFailures
    // Every row that waits for its turn listens to it.
    setMaxListeners(0, this.#reached.signal)
  }

  get reason(): Stop | null {
    return this.#stop
  }

  /** Fires when the run ends early. */
  get signal(): AbortSignal {
    return this.#reached.signal
  }

  /** The failure of the last row that was not sent, or has no definite answer; null where there was none. */
  get last(): Failure | null {
    return this.#last
  }

  /** False while of no row a byte is known to have left in this run. */
  get hasSent(): boolean {
    return this.#hasSent
  }

  /** True if a row may have been paid in this run. */
  get hasPaid(): boolean {
    return this.#hasPaid
  }

  because(stop: Stop): void {
    if (this.#stop) return
    this.#stop = stop
    this.#reached.abort()
  }

  /** The end of one row: the state it has now, and the failure that told it. */
  ended(state: RowState, failure: Failure | null): void {
    const isHere = state === 'unsent' || state === 'planned'
    // Another process has it: that is no failure.
    const isElsewhere = failure?.kind === 'locked'
    this.#count(saidOfLine(state, failure))
    if (!isHere || failure?.kind !== 'unsent') this.#hasSent = true
    const isPaid = state === 'accepted' || state === 'exists'
    if (!isElsewhere && (isPaid || state === 'unknown')) this.#hasPaid = true
    if (isHere || state === 'unknown') this.#last = failure
    if (!isElsewhere && !isPaid) this.#failures += 1
    if (failure && (endsAll.has(failure.kind) || isOfThisMachine(failure))) this.because({ kind: 'failure', failure })
    if (failure?.facts.service?.statusCode === noFunds)
      this.#enough('the balance does not cover the next payout (5038)')
    if (this.#mostFailures !== null && this.#failures >= this.#mostFailures) {
      this.#enough(`${howMany(this.#failures, 'row')} failed (--max-failures ${this.#mostFailures})`)
    }
    this.#lookAtLine(failure)
  }

  #count(said: SaidOfLine | null): void {
    if (said === null) return
    for (const each of inARow[said].ended) this.#inARow[each] = 0
    for (const each of inARow[said].longer) this.#inARow[each] += 1
  }

  #lookAtLine(failure: Failure | null): void {
    const { silent, unknown, lost, unsent, here } = this.#inARow
    const last = failure === null ? '' : `, the last one: ${ofThisRunInWords(failure)}`
    const all = `${howMany(unsent + lost, 'row')} in a row could not be sent`
    const both = lost === 0 ? all : `${all} (${unsent}) or had no definite answer (${lost})`
    if (unsent >= mostInARow) this.#enough(`${both}${last}`, here >= mostInARow)
    const or = unknown >= mostInARow ? '' : ' or could not be sent'
    if (silent >= mostInARow) this.#enough(`${mostInARow} rows in a row had no definite answer${or}${last}`)
  }

  #enough(why: string, isOfHere = false): void {
    this.because({ kind: 'enough', why, isOfHere })
  }
}

/**
 * The word of a row's end on the line to the service. `answered`: definitely; `away`: it was turned away, which is an answer, too;
 * `silent`: it may have been executed; `here`: it did not leave this machine, which is no answer of the service.
 */
type SaidOfLine = 'answered' | 'away' | 'silent' | 'here'

/** The rows in a row that each word makes longer, and those that it ends; `lost` are those without an answer among all of them. */
const inARow = {
  answered: { longer: [], ended: ['silent', 'unknown', 'lost', 'here', 'unsent'] },
  away: { longer: ['unsent'], ended: ['silent', 'unknown', 'here'] },
  silent: { longer: ['silent', 'unknown', 'lost'], ended: [] },
  here: { longer: ['silent', 'here', 'unsent'], ended: [] },
} as const

/** Null where the end says nothing of the line: another process has the row, or it was ended before it was sent. */
export function saidOfLine(state: RowState, failure: Failure | null): SaidOfLine | null {
  if (failure?.kind === 'locked' || state === 'held' || state === 'sending') return null
  // One that stays planned was tried: the sign-in failed, or the journal, before there was anything to record.
  if (state === 'unsent' || state === 'planned') return 'here'
  if (state === 'unknown') return 'silent'
  // Perhaps it was turned away by an earlier run.
  if (state === 'turned-away') return failure?.kind === 'unsent' ? 'here' : 'away'
  return failure instanceof FailureBeforeSending ? null : 'answered'
}

/** Failures of one row that every other row would meet, too. */
const endsAll: ReadonlySet<Failure['kind']> = new Set(['credentials', 'held', 'bug', 'usage'])

/** The journal cannot be written, or the disk under it: such a failure is about no request. Or no certificate will do. */
function isOfThisMachine({ kind, facts, retry }: Failure): boolean {
  return kind === 'unsent' && ((facts.operation ?? null) === null || retry === 'after-fix')
}

/** The reason of one row in words that are true of a run that has sent other rows. */
export function ofThisRunInWords(failure: Failure): string {
  return failure instanceof FailureBeforeSending ? failure.wordsOfThisRun : failure.message
}
