/** Why a run ends before its last row, and the failures of runs that may not begin. Rows that were not sent stay planned. */
import { setMaxListeners } from 'node:events'
import { howMany } from '../contract/core/text.ts'
import { originOf, type ServicePlace } from '../contract/service.ts'
import { Failure, FailureBeforeSending, type FailureName, failures } from '../failure.ts'
import { type Hint, hint, paste } from '../hint.ts'
import type { Count } from './count.ts'
import { type Plan, type Resumable, resumeLine } from './plan.ts'
import type { WithWorkers } from './plans.ts'
import type { RowState } from './row-state.ts'

export type Stop =
  /** ^C or SIGTERM. */
  | { readonly kind: 'signal' }
  /** A failure that every other row would meet, too: a refused token, a stale plan, a limit, a journal that cannot be written. */
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** The profile belongs to another client by now. */
  | { readonly kind: 'foreign'; readonly failure: Failure }
  /** Another run has taken the plan while this process slept. */
  | { readonly kind: 'taken-over'; readonly failure: Failure }
  /** A condition of this run is met, in words. `isOfHere`: the rows did not leave this machine. */
  | { readonly kind: 'enough'; readonly why: string; readonly isOfHere?: boolean }

/** Why workers take no more rows of a plan, with the exit code that every run has for it; null while they take rows. */
export function stopOfWorkers({
  stopped: why,
  stoppedKind,
}: Pick<WithWorkers, 'stopped' | 'stoppedKind'>): Stop | null {
  if (why === null) return null
  const kind = (Object.keys(failures) as FailureName[]).find((each) => each === stoppedKind)
  return kind ? { kind: 'failure', failure: new Failure(kind, why) } : { kind: 'enough', why }
}

/** So many rows in a row without a definite answer, or not sent, show that the connection does not work. */
export const longestOutage = 10

/** The balance does not cover a payout (specification A1). */
const noFunds = 5038

/** Decides after each row whether a run goes on. The first reason to stop stays. */
export class StopDecision {
  readonly #mostFailures: number | null
  readonly #reached = new AbortController()
  #stop: Stop | null = null
  #failures = 0
  /** How the rows have ended since the last definite answer. */
  #streak: RowAnswer[] = []
  #last: Failure | null = null
  #hasSent = false
  #hasPaid = false

  /** `mostFailures`: the run stops after so many failed rows; null for no limit. */
  constructor(mostFailures: number | null) {
    this.#mostFailures = mostFailures
    // Every waiting row listens to it.
    setMaxListeners(0, this.#reached.signal)
  }

  get reason(): Stop | null {
    return this.#stop
  }

  get signal(): AbortSignal {
    return this.#reached.signal
  }

  /** The failure of the last row that was not sent, or has no definite answer. */
  get last(): Failure | null {
    return this.#last
  }

  /** False if certainly no byte of a row has left in this run. */
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

  ended(state: RowState, failure: Failure | null): void {
    const isHere = state === 'unsent' || state === 'planned'
    // Another process has the row: that is no failure.
    const isElsewhere = failure?.kind === 'locked'
    const said = answerOf(state, failure)
    if (said === 'answered') this.#streak = []
    else if (said !== null) this.#streak.push(said)
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
    this.#checkLine(failure)
  }

  #checkLine(failure: Failure | null): void {
    const count = (rows: readonly RowAnswer[], ...wanted: readonly RowAnswer[]) =>
      rows.filter((each) => wanted.includes(each)).length
    const [unsent, lost] = [count(this.#streak, 'away', 'here'), count(this.#streak, 'silent')]
    // A row that was turned away had an answer: the service is there.
    const unanswered = this.#streak.slice(this.#streak.lastIndexOf('away') + 1)
    const last = failure === null ? '' : `, the last one: ${reasonInThisRun(failure)}`
    const all = `${howMany(unsent + lost, 'row')} in a row could not be sent`
    const both = lost === 0 ? all : `${all} (${unsent}) or had no definite answer (${lost})`
    if (unsent >= longestOutage) this.#enough(`${both}${last}`, count(unanswered, 'here') >= longestOutage)
    const or = count(unanswered, 'silent') >= longestOutage ? '' : ' or could not be sent'
    if (unanswered.length >= longestOutage) {
      this.#enough(`${longestOutage} rows in a row had no definite answer${or}${last}`)
    }
  }

  #enough(why: string, isOfHere = false): void {
    this.because({ kind: 'enough', why, isOfHere })
  }
}

/**
 * What the end of a row says about the connection. `answered`: a definite answer. `away`: turned away, which is an answer, too.
 * `silent`: no answer, and it may have been executed. `here`: it did not leave this machine, which says nothing of the service.
 */
type RowAnswer = 'answered' | 'away' | 'silent' | 'here'

/** Null if the end says nothing: another process has the row, or it was refused before it was sent. */
export function answerOf(state: RowState, failure: Failure | null): RowAnswer | null {
  if (failure?.kind === 'locked' || state === 'held' || state === 'sending') return null
  // A row that stays planned was tried: the sign-in failed, or the journal, before an intent was stored.
  if (state === 'unsent' || state === 'planned') return 'here'
  if (state === 'unknown') return 'silent'
  // The row may have been turned away by an earlier run.
  if (state === 'turned-away') return failure?.kind === 'unsent' ? 'here' : 'away'
  return failure instanceof FailureBeforeSending ? null : 'answered'
}

/** Failures of one row that every other row would meet, too. */
const endsAll: ReadonlySet<Failure['kind']> = new Set(['credentials', 'held', 'bug', 'usage'])

/** A failure without an operation: the journal or the disk cannot be written. Or no repeat helps: the certificate does not verify. */
function isOfThisMachine({ kind, facts, retry }: Failure): boolean {
  return kind === 'unsent' && ((facts.operation ?? null) === null || retry === 'after-fix')
}

/** The failure of one row in words that are true of a run that has sent other rows. */
export function reasonInThisRun(failure: Failure): string {
  return failure instanceof FailureBeforeSending ? failure.wordsOfThisRun : failure.message
}

// Failures of runs that may not begin.

/** The workers of a team have the plan: locked (12). They may be about to pay a row. */
export function heldByWorkers({ planId }: Plan): Failure {
  return new Failure('locked', `the team's workers are paying the plan ${planId}`, {
    moneyMoved: 'unknown',
    hints: [
      hint`\`${paste('batch status', planId)}\` shows the progress; \`${paste('batch discard', planId)}\` takes it back.`,
    ],
  })
}

/** The plan may send no new row: locked (12). Unknown rows are resolved all the same. */
export function stalePlanFailure(plan: Plan, why: string): Failure {
  return new Failure('locked', `the plan ${plan.planId} sends no more rows: ${why}`, {
    retry: 'after-fix',
    hints: [replanHint(plan)],
  })
}

/** How a plan may send new rows again. */
export function replanHint({ file, discardedAt }: Pick<Plan, 'file' | 'discardedAt'>): Hint {
  const renewed = 'the plan and its rows keep their ids'
  return discardedAt === null
    ? hint`Plan ${file} again: ${renewed}.`
    : hint`To pay it after all, plan ${file} again: ${renewed}.`
}

/** A plan that sends no new row resolves unknown rows, too. */
export function resolveHint(plan: Resumable): Hint {
  return hint`\`${resumeLine(plan)}\` resolves rows whose outcome is unknown.`
}

/** Why a run stops when another process has taken its plan: locked (12). */
export function stopTakenOver(plan: Plan | null): Stop {
  if (plan?.discardedAt) return { kind: 'failure', failure: stalePlanFailure(plan, 'it was discarded') }
  return { kind: 'taken-over', failure: new Failure('locked', 'another run has taken over the plan') }
}

/** A row differs from the row whose hash was verified: bug (1). The run stops before it. */
export function changedRowFailure({ planId, file }: Plan, number: number): Failure {
  return new Failure(
    'bug',
    `the plan ${planId} is damaged: its row ${number} was changed outside paydesk during the run, and was not sent`,
    {
      hints: [hint`Plan ${file} again on an undamaged disk: rows that were sent keep their ids.`],
    },
  )
}

/**
 * The profile of the plan is another client, or names another service, by now: locked (12). No row is sent or asked for, because
 * ids belong to the client that sent them.
 */
export function foreignPlanFailure(plan: Plan, now: ServicePlace & { readonly name: string }, count: Count): Failure {
  const { planId, file, profile } = plan
  const executed = count.of('accepted') + count.of('exists')
  const open = count.of('unknown') + count.of('sending')
  const message = `the plan ${planId} sends no more rows: it belongs to ${clientInWords(plan)}, but the profile ${profile} is now ${clientInWords(now)}`
  if (plan.environment === 'sandbox') {
    return new Failure('locked', message, { hints: [hint`The sandbox was reset since. Plan ${file} again.`] })
  }
  const address =
    originOf(plan.service) === originOf(now.service) ? [] : ['--base-url', plan.service, '--another-service']
  const client = plan.clientId === now.clientId.toLowerCase() ? [] : ['--client-id', plan.clientId]
  const back = paste('profile add', profile, ...client, ...address, '--replace')
  const resolves = open === 0 ? '' : `, which alone can resolve its ${howMany(open, 'unknown row')}`
  return new Failure('locked', message, {
    moneyMoved: count.moneyMoved,
    hints: [
      hint`Set the profile back to the client of the plan${resolves}: \`${back}\`, then \`${resumeLine(plan)}\`.`,
      hint`Planning ${file} with the profile as it is now gives its rows OTHER ids and pays executed rows again: in this plan ${howMany(executed, 'row was', 'rows were')} accepted and ${open} ${open === 1 ? 'is' : 'are'} unknown.`,
    ],
  })
}

function clientInWords({ clientId, service, environment }: ServicePlace): string {
  return `the client ${clientId} of ${originOf(service)} (${environment})`
}
