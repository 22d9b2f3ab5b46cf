/** The journal of a command: opened when it is first needed, closed at the end, and asked how money stands when that comes early. */
import { existsSync } from 'node:fs'
import { told } from '../../desk/recover/in-play.ts'
import type { Failure } from '../../failure.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import type { WatchedJournal } from '../../journal/watched.ts'
import type { StoppedFacts } from '../../signals.ts'
import type { Capability, Invocation } from '../invocation.ts'

/** Finds the payment that a command is about whatever ends it; null where it is about none, or a new one. */
export type PaymentInQuestion = (failure: Failure) => ((journal: Journal) => Promise<Intent | null>) | null

/** The question of commands that are there for what is open: stopped, they were about that. */
export const anyOpen: PaymentInQuestion = ({ kind }) => {
  if (kind !== 'interrupted' && kind !== 'terminated') return null
  return async (journal) => (await journal.list({ states: ['unknown'], limit: 1 }))[0] ?? null
}

const none: PaymentInQuestion = () => null

export class JournalAccess implements Capability {
  readonly #invocation: Invocation
  readonly #question: PaymentInQuestion
  #opened: Promise<Journal> | undefined
  #watched: WatchedJournal | undefined

  constructor(invocation: Invocation, question: PaymentInQuestion = none) {
    this.#invocation = invocation
    this.#question = question
    invocation.attach(this)
  }

  /** The journal of this person. */
  open(): Promise<Journal> {
    this.#opened ??= this.#open()
    return this.#opened
  }

  async #open(): Promise<Journal> {
    const { openJournal } = await import('../../journal/open.ts')
    const { places, edge } = this.#invocation
    const { journal, close } = await openJournal(places.journal, edge.clock, edge.random)
    this.#invocation.closeAtEnd(close)
    this.#watched = journal
    return journal
  }

  readonly standing = (): StoppedFacts | null => this.#watched?.standing() ?? null

  /** A file that is missing, a wrong flag or ^C ends a command; what an earlier run of it did is not undone by that. */
  readonly placed = async (failure: Failure): Promise<Failure> => {
    const find = failure.facts.journalId || failure.kind === 'bug' ? null : this.#question(failure)
    if (!find || !existsSync(this.#invocation.places.journal)) return failure
    const intent = await this.open()
      .then(find)
      .catch(() => null)
    return intent ? told(failure, intent, this.#invocation.signal) : failure
  }
}
