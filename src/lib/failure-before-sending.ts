/** A failure before anything was sent: its message says so. */
import { Failure, type FailureFacts, type FailureName } from './failure.ts'
import { type Blank, filledIn } from './hint.ts'

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
