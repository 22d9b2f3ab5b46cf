/**
 * The few ways to fail, each with its meaning for money and its exit code. One table for the whole program: `help
 * exit-codes`, the README and the exit status of every command come from it. Only the members of the allow-list
 * `FailureFacts` leave the program; an error object is never spread, because foreign errors carry headers and secrets.
 */
import { type Blank, filledIn, type Hint, hintInWords, type Naming, ofProfile } from './hint.ts'
import { shortened } from './text.ts'

export const failures = {
  bug: { exit: 1, means: 'a defect of paydesk, or a damaged journal', moneyMoved: 'see the journal' },
  usage: { exit: 2, means: 'wrong flag, failed validation, or missing input without a terminal', moneyMoved: 'no' },
  declined: { exit: 3, means: 'not confirmed, or the confirmation text did not match', moneyMoved: 'no' },
  credentials: {
    exit: 4,
    means:
      'no profile, no key, refused by the service (401, 5021, 5003, 6004, 6008), origin not allowed; no right in the database, or to approve',
    moneyMoved: 'no, for what it blocked',
  },
  refused: {
    exit: 5,
    means: 'the service refused it, or the payment ended in REJECTED, FAILED, DELETED, CANCELED or EXPIRED',
    moneyMoved: 'no',
  },
  'not-found': { exit: 6, means: 'not found', moneyMoved: 'no' },
  duplicate: {
    exit: 7,
    means: 'this id or payment already exists',
    moneyMoved: 'no, for what it blocked; otherwise unknown',
  },
  pending: { exit: 8, means: 'accepted, but not final before the timeout', moneyMoved: 'maybe later' },
  unknown: {
    exit: 9,
    means: 'sent, but no definite answer; do not send it again, run `paydesk resume`',
    moneyMoved: 'unknown',
  },
  partial: {
    exit: 10,
    means: 'some of several payments were not made, or a bank statement differs; the result names them',
    moneyMoved: 'partly',
  },
  unsent: {
    exit: 11,
    means: 'nothing left this machine (network or journal failed first); safe to run again',
    moneyMoved: 'no',
  },
  locked: {
    exit: 12,
    means: "another run is sending it, the plan is stale, or the team's store may lack payments",
    moneyMoved: 'no, for what it blocked; otherwise unknown',
  },
  held: {
    exit: 13,
    means: 'above a limit or waiting for an approval; stored, not sent',
    moneyMoved: 'no, for what is held',
  },
  interrupted: {
    exit: 130,
    means:
      'stopped by ^C; if a request was in flight its outcome is unknown and stderr prints the command that resolves it',
    moneyMoved: 'see the journal',
  },
  terminated: { exit: 143, means: 'by SIGTERM; as 130', moneyMoved: 'see the journal' },
} as const

export type FailureName = keyof typeof failures
export type MoneyMoved = 'no' | 'yes' | 'unknown'
export type Retry = 'never' | 'same-id' | 'after-fix'

/** The answer of the service, as far as there was one. */
export interface ServiceWords {
  readonly http: number | null
  readonly statusCode: number | null
  readonly exceptionGroup: number | null
  readonly message: string | null
}

/** Everything that may be told about a failure. */
export interface FailureFacts {
  readonly operation?: string | null
  readonly uniqueId?: string | null
  readonly transactionId?: string | null
  readonly status?: string | null
  readonly journalId?: string | null
  readonly service?: ServiceWords | null
  readonly moneyMoved?: MoneyMoved
  readonly retry?: Retry
  readonly warnings?: readonly string[]
  readonly hints?: readonly Hint[]
  /** The result that goes to stdout all the same: only `pending` and `partial` have one. */
  readonly document?: unknown
}

/** The members of the error line of `--json`, in their order. */
export interface ErrorLine {
  readonly name: FailureName
  readonly exit: number
  readonly message: string
  readonly operation: string | null
  readonly uniqueId: string | null
  readonly transactionId: string | null
  readonly status: string | null
  readonly journalId: string | null
  readonly service: ServiceWords | null
  readonly moneyMoved: MoneyMoved
  readonly retry: Retry
  readonly warnings: readonly string[]
  readonly hints: readonly string[]
}

type Usual = Pick<ErrorLine, 'moneyMoved' | 'retry'>

/** What a failure says of the money and of a retry if its thrower says nothing. Complete: a new exit code must choose. */
const usual: Readonly<Record<FailureName, Usual>> = {
  bug: { moneyMoved: 'unknown', retry: 'never' },
  usage: { moneyMoved: 'no', retry: 'after-fix' },
  declined: { moneyMoved: 'no', retry: 'never' },
  credentials: { moneyMoved: 'no', retry: 'after-fix' },
  refused: { moneyMoved: 'no', retry: 'never' },
  'not-found': { moneyMoved: 'no', retry: 'never' },
  duplicate: { moneyMoved: 'no', retry: 'never' },
  pending: { moneyMoved: 'unknown', retry: 'never' },
  unknown: { moneyMoved: 'unknown', retry: 'same-id' },
  partial: { moneyMoved: 'yes', retry: 'never' },
  unsent: { moneyMoved: 'no', retry: 'same-id' },
  locked: { moneyMoved: 'no', retry: 'same-id' },
  held: { moneyMoved: 'no', retry: 'same-id' },
  interrupted: { moneyMoved: 'no', retry: 'never' },
  terminated: { moneyMoved: 'no', retry: 'never' },
}

/** Facts of a failure about an operation. */
export function about({ name }: { readonly name: string }, facts: FailureFacts = {}): FailureFacts {
  return { operation: name, ...facts }
}

/** Line breaks, and the blanks around them, as one blank. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks))
}

export class Failure extends Error {
  readonly kind: FailureName
  readonly facts: FailureFacts

  constructor(kind: FailureName, message: string, facts: FailureFacts = {}) {
    super(shortened(message))
    this.name = 'Failure'
    this.kind = kind
    this.facts = facts
  }

  get exit(): number {
    return failures[this.kind].exit
  }

  get moneyMoved(): MoneyMoved {
    return this.facts.moneyMoved ?? usual[this.kind].moneyMoved
  }

  get retry(): Retry {
    return this.facts.retry ?? usual[this.kind].retry
  }

  /** The same failure with more facts. Facts that it has already stay; hints and warnings add up. */
  with(more: FailureFacts): Failure {
    const facts = {
      ...more,
      ...this.facts,
      warnings: [...(this.facts.warnings ?? []), ...(more.warnings ?? [])],
      hints: [...(this.facts.hints ?? []), ...(more.hints ?? [])],
    }
    return this.as(this.kind, facts)
  }

  /** The same words as a failure of this kind, with these facts alone. */
  as(kind: FailureName, facts: FailureFacts): Failure {
    return new Failure(kind, this.message, facts)
  }

  /** The same failure, the lines of its hints run as this profile where they name none yet. */
  ofProfile(profile: string): Failure {
    const hints = this.facts.hints?.map((each) => ofProfile(each, profile))
    return hints ? this.as(this.kind, { ...this.facts, hints }) : this
  }

  /** The error line of `--json`: exactly these keys, in this order. */
  toLine(naming?: Naming): { readonly error: ErrorLine } {
    const { facts } = this
    return {
      error: {
        name: this.kind,
        exit: this.exit,
        message: onOneLine(this.message),
        operation: facts.operation ?? null,
        uniqueId: facts.uniqueId ?? null,
        transactionId: facts.transactionId ?? null,
        status: facts.status ?? null,
        journalId: facts.journalId ?? null,
        service: facts.service ? shownWords(facts.service) : null,
        moneyMoved: this.moneyMoved,
        retry: this.retry,
        warnings: facts.warnings ?? [],
        hints: (facts.hints ?? []).map((each) => hintInWords(each, naming)),
      },
    }
  }
}

function shownWords({ http, statusCode, exceptionGroup, message }: ServiceWords): ServiceWords {
  return { http, statusCode, exceptionGroup, message: message === null ? null : shortened(message) }
}

/** A failure before anything was sent: its message says so. */
export class FailureBeforeSending extends Failure {
  /** The message without that: what is true also where the same goes wrong after something was sent. */
  readonly why: string
  readonly #words: (nothingSent: string) => string

  /** `words` puts "nothing was sent" where it belongs; at the end, if not given. */
  constructor(
    kind: FailureName,
    why: string,
    facts: FailureFacts = {},
    words = (nothing: string) => `${why}; ${nothing}`,
  ) {
    super(kind, words('nothing was sent'), facts)
    this.why = why
    this.#words = words
  }

  override as(kind: FailureName, facts: FailureFacts): Failure {
    return new FailureBeforeSending(kind, this.why, facts, this.#words)
  }

  /** In words for a run of which an earlier one may have sent something. */
  get wordsOfThisRun(): string {
    return this.#words('nothing more was sent')
  }
}

/** The sentence of a hint that nothing was sent: of this run it is true, of earlier ones `afterOthers` knows. */
export const nothingWasSent: Blank = { blank: 'Nothing was sent.', fact: 'nothingWasSent' }

/** The same failure in the words of a run after others, which have sent something or may have. */
export function afterOthers(failure: Failure): Failure {
  const { kind, facts } = failure
  const hints = facts.hints?.map((each) => filledIn(each, { nothingWasSent: 'Nothing more was sent.' }))
  const told = hints ? { ...facts, hints } : facts
  return failure instanceof FailureBeforeSending
    ? new Failure(kind, failure.wordsOfThisRun, told)
    : failure.as(kind, told)
}
