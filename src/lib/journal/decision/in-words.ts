/** The decision about an attempt and its reason, in words: the same in `--trace` and in `journal show`. */
import type { ServiceWords } from '../../failure.ts'
import type { AttemptOutcome, State, Verdict } from '../verdict.ts'

/** An attempt as the journal keeps it. */
export interface Decided {
  readonly outcome: AttemptOutcome | null
  readonly http: number | null
  readonly statusCode: number | null
  readonly message: string | null
  readonly why: string | null
  /** As of an attempt. */
  readonly told?: string | null | undefined
}

/** "code 5038 (HTTP 400): no balance", as far as the service said something. */
function said({ http, statusCode, message }: Decided): string {
  const status = http === null ? null : `HTTP ${http}`
  const code = statusCode === null ? status : `code ${statusCode}${status === null ? '' : ` (${status})`}`
  return [code, message].filter((part) => part !== null && part !== '').join(': ') || 'the answer'
}

const reasons: Readonly<Record<AttemptOutcome, (decided: Decided) => string>> = {
  accepted: () => 'the answer repeats the request, in a status that the contract names as done',
  exists: (decided) =>
    `${said(decided)} says that the service has this id already, from an attempt without a definite answer`,
  refused: (decided) => `${said(decided)} says that this attempt executed nothing`,
  'turned-away': (decided) => `${said(decided)} says that this attempt was not applied`,
  unsent: ({ why }) => `nothing left this machine: ${why ?? 'the connection did not stand'}`,
  unknown: ({ told, ...decided }) =>
    `no definite answer: ${decided.why ?? said(decided)}${told ? `; it told ${told} all the same` : ''}`,
}

/** "refused, because code 5038 (HTTP 400) says that …". */
function decisionInWords(decided: Decided): string {
  const { outcome } = decided
  return outcome === null
    ? 'unknown, because no outcome was recorded: the process died before it could say'
    : `${outcome}, because ${reasons[outcome](decided)}`
}

function outcomeAt(verdict: Verdict, state: State): AttemptOutcome {
  if (verdict.kind !== 'duplicate') return verdict.kind
  return state === 'exists' || state === 'accepted' ? 'exists' : 'refused'
}

/** The same of a verdict that the journal has taken; `state`: that of the intent since. */
export function verdictInWords(verdict: Verdict, state: State): string {
  const words: ServiceWords | null = 'words' in verdict ? verdict.words : null
  return decisionInWords({
    outcome: outcomeAt(verdict, state),
    http: words?.http ?? null,
    statusCode: words?.statusCode ?? null,
    message: words?.message ?? null,
    why: 'why' in verdict ? verdict.why : null,
    told: verdict.kind === 'unknown' ? (verdict.told ?? null) : null,
  })
}

/** The members of an attempt that are not shown. */
interface Unshown {
  readonly startedSteady: unknown
  readonly bodyDigest: unknown
}

/** Attempts as they are shown: with the decision about each. */
export function decidedAttempts<Attempt extends Decided & Unshown>(attempts: readonly Attempt[]) {
  return attempts.map(({ startedSteady: _, bodyDigest: _digest, ...attempt }) => ({
    ...attempt,
    decision: decisionInWords(attempt),
  }))
}
