/** The journal of a command: opened when it is first needed, closed at the end, and asked how money stands when that comes early. */
import { saidOf } from '../../desk/thing.ts'
import { Failure } from '../../failure.ts'
import { FailureBeforeSending } from '../../failure-before-sending.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import type { WatchedJournal } from '../../journal/open.ts'
import { UnknownProfile } from '../../profile/unknown-profile.ts'
import { BareStop, nothingSentNow, type StoppedFacts } from '../../signals.ts'
import type { Capability, Invocation } from '../invocation.ts'
import { isAboutEarlier } from './earlier.ts'
import { isNewJournal, journalPlace, openedTelling } from './journal-place.ts'
import { namedThing, type Question } from './question.ts'

export class JournalAccess implements Capability {
  readonly #invocation: Invocation
  readonly #question: Question
  #opened: Promise<Journal> | undefined
  #watched: WatchedJournal | undefined

  constructor(invocation: Invocation, question: Question = namedThing) {
    this.#invocation = invocation
    this.#question = question
    invocation.attach(this)
  }

  /** The journal of this person, or of the team. */
  open(): Promise<Journal> {
    this.#opened ??= this.#open()
    return this.#opened
  }

  async #open(): Promise<Journal> {
    const { openJournal } = await import('../../journal/open.ts')
    const { edge } = this.#invocation
    const open = () => openJournal(journalPlace(this.#invocation), edge.clock, edge.random)
    const { journal, close } = await openedTelling(this.#invocation, open)
    this.#invocation.closeAtEnd(close)
    this.#watched = journal
    return journal
  }

  readonly standing = (): StoppedFacts | null => {
    const { id, line } = this.#invocation
    return this.#watched?.standing(isAboutEarlier(id ?? '', line)) ?? null
  }

  /** A file that is missing, a wrong flag or ^C ends a command; what an earlier run of it did is not undone by that. */
  readonly placed = async (failure: Failure): Promise<Failure> => {
    const { id, line, signal } = this.#invocation
    if (failure.facts.journalId || !isAboutEarlier(id ?? '', line)) return failure
    const isAsked = this.#watched !== undefined
    const found = failure.kind === 'bug' ? null : await this.#asked(failure).catch(() => null)
    if (found === null) return unread(failure)
    const writes = found.filter(({ profile }) => !(failure instanceof UnknownProfile) || profile === failure.profile)
    if (writes.length > 0) return saidOf(failure, writes, signal)
    // Another profile has sent it, and a mistyped name may stand for that one.
    if (found.length > 0) return unread(failure)
    // A file of the request was not read: it may name a write of an earlier run.
    return failure instanceof BareStop && !isAsked && line.has('--file') ? unread(failure) : failure
  }

  async #asked(failure: Failure): Promise<readonly Intent[]> {
    return isNewJournal(this.#invocation.places) ? [] : this.#question(this.#invocation, await this.open(), failure)
  }
}

function wordsOfThisRun(failure: Failure): string {
  if (failure instanceof BareStop) return nothingSentNow.said
  return failure instanceof FailureBeforeSending ? failure.wordsOfThisRun : failure.message
}

/** The journal did not say how the payment stands: what this run knows is that it has sent nothing. */
function unread(failure: Failure): Failure {
  const { kind, facts, retry } = failure
  const { hints = [] } = nothingSentNow
  return new Failure(kind, wordsOfThisRun(failure), {
    ...facts,
    moneyMoved: 'unknown',
    retry: retry === 'same-id' ? 'after-fix' : retry,
    hints: [...(facts.hints ?? []), ...hints],
  })
}
