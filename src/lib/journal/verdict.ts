/**
 * What one attempt proves, and all attempts of an intent together (money-safety.md#the-one-rule-for-answers). A refusal
 * of a repeat says nothing about the attempt whose answer was lost.
 */
import type { ServiceWords } from '../failure.ts'

export type Verdict =
  | {
      readonly kind: 'accepted'
      readonly transactionId: string | null
      readonly status: string | null
      readonly statusDescription: string | null
      readonly createdAt: string | null
      /** JSON text; null of a payout. */
      readonly answer: string | null
    }
  /** The service has this id already, which proves no sum; `sumConfirmed`: a read has shown it. */
  | {
      readonly kind: 'duplicate'
      readonly words: ServiceWords
      readonly sumConfirmed?: boolean
      /** True if an earlier request of this very attempt may have been executed. */
      readonly isOwn?: boolean
      /** What a read shows beside the refusal; null or absent where an id is taken. */
      readonly shown?: ShownBeside | null
    }
  /** A code, or a business status, says that this attempt executed nothing. */
  | {
      readonly kind: 'refused'
      readonly words: ServiceWords
      readonly bodyOnly: boolean
      /** Such as WRONG_AMOUNT; null where a code refused. */
      readonly status: string | null
      /** The status that a read shows, where that is the reason. */
      readonly seen?: string | null
    }
  /** Turned away before the payment was looked at: the token, the rate limit, a redirect. */
  | {
      readonly kind: 'turned-away'
      readonly words: ServiceWords
      readonly by: 'token' | 'rate' | 'redirect'
      readonly location?: string | null
      readonly wait: number | null
    }
  /** Not a byte left. `besides`: the journal id of another write that is the reason. */
  | { readonly kind: 'unsent'; readonly why: string; readonly besides?: string | null }
  /** No definite answer. */
  | {
      readonly kind: 'unknown'
      readonly why: string
      readonly words: ServiceWords | null
      readonly wait?: number | null
      /** The sum of an apparent acceptance differs: no repeat makes that definite. */
      readonly otherSum?: string | null
    }

/** A read that shows what a refused write asks for. `isDone`: whoever did it, nothing is left to do. */
export interface ShownBeside {
  readonly status: string
  readonly because: string
  readonly isDone: boolean
}

export type AttemptOutcome = 'accepted' | 'exists' | 'refused' | 'turned-away' | 'unsent' | 'unknown'

export type ClosedState = Extract<AttemptOutcome, 'accepted' | 'exists' | 'refused'>

export const attemptOutcomes = [
  'accepted',
  'exists',
  'refused',
  'turned-away',
  'unsent',
  'unknown',
] as const satisfies readonly AttemptOutcome[]

/**
 * An intent without a recorded outcome is unknown: that is what a crash leaves. One that is held was kept, and not
 * sent.
 */
export type State = AttemptOutcome | 'held'

/** True for a write that the service has taken. */
export const isExecuted = ({ state }: { readonly state: string }) => state === 'accepted' || state === 'exists'

/** Nothing was executed in these states, unless it is taken. */
export const unmoved: ReadonlySet<State> = new Set(['refused', 'unsent', 'turned-away', 'held'])

export const intentStates = [...attemptOutcomes, 'held'] as const satisfies readonly State[]

export interface PastAttempt {
  /** Null: the process died. */
  readonly outcome: AttemptOutcome | null
  readonly http?: number | null
  readonly statusCode?: number | null
  readonly message?: string | null
}

/** True if an attempt may have reached the service. A refusal without an HTTP status was told before anything left. */
export function mayHaveArrived({ outcome, http = null }: PastAttempt): boolean {
  return outcome !== 'unsent' && !(outcome === 'refused' && http === null)
}

export function isOpen({ outcome }: PastAttempt): boolean {
  return outcome === null || outcome === 'unknown'
}

/** A conflict once is a conflict for ever, whatever was lost since. */
function wasTaken(past: readonly PastAttempt[], { words }: { words: ServiceWords }): boolean {
  // A business status has no code: its name stands where the message does.
  const same = ({ statusCode, message }: PastAttempt) =>
    words.statusCode === null ? message === words.message : statusCode === words.statusCode
  return past.some((attempt) => attempt.outcome === 'refused' && same(attempt))
}

/** The outcome of one attempt in the light of those before it. */
export function outcomeOf(past: readonly PastAttempt[], verdict: Verdict): AttemptOutcome {
  if (verdict.kind === 'duplicate') {
    if (verdict.shown) return verdict.shown.isDone ? 'exists' : 'refused'
    // An attempt that was turned away, refused or never left is not what the service has: then the id is another's.
    return !wasTaken(past, verdict) && (verdict.isOwn || past.some(isOpen)) ? 'exists' : 'refused'
  }
  return verdict.kind
}

/** The state of an intent after one more attempt. */
export function stateAfter(past: readonly PastAttempt[], verdict: Verdict): State {
  const outcome = outcomeOf(past, verdict)
  if (outcome === 'accepted' || outcome === 'exists') return outcome
  if (past.some(isOpen)) {
    // Work that may be of another write says nothing of an attempt whose answer was lost.
    const isConflict = verdict.kind === 'duplicate' && !verdict.shown
    const speaksForAll = isConflict || (verdict.kind === 'refused' && verdict.bodyOnly)
    return speaksForAll ? 'refused' : 'unknown'
  }
  const turnedAwayBefore = past.some((attempt) => attempt.outcome === 'turned-away')
  // A known id may come from an attempt that was turned away: then it is no refusal of ours.
  const isOutweighed = outcome === 'unsent' || verdict.kind === 'duplicate'
  return isOutweighed && turnedAwayBefore ? 'turned-away' : outcome
}

/** True if another body may go out under the same id. */
export function mayBeMended(past: readonly PastAttempt[]): boolean {
  return past.every(({ outcome }) => outcome === 'refused' || outcome === 'unsent')
}
