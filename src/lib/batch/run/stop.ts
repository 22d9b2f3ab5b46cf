/** The reasons for which a run ends before its last row. What was not sent stays planned. */

import { setMaxListeners } from 'node:events'
import { howMany } from '../../contract/core/count.ts'
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
  /** Enough, for a reason of this run's; in words. `isOfHere`: the rows did not leave this machine. */
  | { readonly kind: 'enough'; readonly why: string; readonly isOfHere?: boolean }

/** The reason for which workers take no more of a plan, with the exit code that it has in every run; null while they do. */
export function stopOf({ stopped: why, stoppedKind }: Pick<WithWorkers, 'stopped' | 'stoppedKind'>): Stop | null {
  if (why === null) return null
  const kind = (Object.keys(failures) as FailureName[]).find((each) => each === stoppedKind)
  return kind ? { kind: 'failure', failure: new Failure(kind, why) } : { kind: 'enough', why }
}

/** Rows in a row without a definite answer, or that did not leave this machine, after which something is wrong with the line. */
export const mostInARow = 10

/** The code with which the service says that the balance does not cover a payout (specification A1). */
const noFunds = 5038

/** Decides, row by row, whether a run goes on. The first reason stays. */
export class Stopping {
  readonly #mostFailures: number | null
  readonly #reached = new AbortController()
  #stop: Stop | null = null
  #failures = 0
  readonly #inARow = { unknown: 0, unsent: 0, here: 0 }
  #last: Failure | null = null
  #hasSent = false

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

  because(stop: Stop): void {
    if (this.#stop) return
    this.#stop = stop
    this.#reached.abort()
  }

  /** The end of one row: the state it has now, and the failure that told it. */
  ended(state: RowState, failure: Failure | null): void {
    // Another process has it: that says nothing of the line, and is no failure.
    const isElsewhere = failure?.kind === 'locked'
    if (!isElsewhere) this.#count('unknown', state === 'unknown')
    // One that stays planned was tried: the sign-in failed, or the journal, before there was anything to record.
    const isHere = state === 'unsent' || state === 'planned'
    this.#count('here', isHere)
    this.#count('unsent', isHere || state === 'turned-away')
    if (!isHere || failure?.kind !== 'unsent') this.#hasSent = true
    if (isHere || state === 'unknown') this.#last = failure
    if (!isElsewhere && state !== 'accepted' && state !== 'exists') this.#failures += 1
    if (failure && (endsAll.has(failure.kind) || isOfThisMachine(failure))) this.because({ kind: 'failure', failure })
    if (failure?.facts.service?.statusCode === noFunds)
      this.#enough('the balance does not cover the next payout (5038)')
    if (this.#mostFailures !== null && this.#failures >= this.#mostFailures) {
      this.#enough(`${howMany(this.#failures, 'row')} failed (--max-failures ${this.#mostFailures})`)
    }
    const last = failure === null ? '' : `, the last one: ${ofThisRunInWords(failure)}`
    if (this.#inARow.unknown >= mostInARow) this.#enough(`${mostInARow} rows in a row had no definite answer${last}`)
    const isOfHere = this.#inARow.here >= mostInARow
    if (this.#inARow.unsent >= mostInARow)
      this.#enough(`${mostInARow} rows in a row could not be sent${last}`, isOfHere)
  }

  #count(kind: 'unknown' | 'unsent' | 'here', isOne: boolean): void {
    this.#inARow[kind] = isOne ? this.#inARow[kind] + 1 : 0
  }

  #enough(why: string, isOfHere = false): void {
    this.because({ kind: 'enough', why, isOfHere })
  }
}

/** Failures of one row that every other row would meet, too. */
const endsAll: ReadonlySet<Failure['kind']> = new Set(['credentials', 'held', 'bug', 'usage'])

/** The journal cannot be written, or the disk under it: such a failure is about no request. */
function isOfThisMachine({ kind, facts }: Failure): boolean {
  return kind === 'unsent' && (facts.operation ?? null) === null
}

/** The reason of one row in words that are true of a run that has sent other rows. */
export function ofThisRunInWords(failure: Failure): string {
  return failure instanceof FailureBeforeSending ? failure.wordsOfThisRun : failure.message
}
