/**
 * The journal: every intent, durable before its socket opens, every attempt before it is made, and what came of them.
 * One without a recorded outcome is unknown. The service replays no answer, so only this can.
 */
import type { FourEyes } from '../approvals/approvals.ts'
import type { ServicePlace } from '../contract/service.ts'
import type { Clock, Random } from '../edge.ts'
import type { Limit, Spent } from '../spending.ts'
import type { Store } from '../store/engine/store.ts'
import * as rows from '../store/journal/intents.ts'
import type { IntentRow, JournalReader, JournalTables, JournalWriter } from '../store/journal/schema.ts'
import {
  type Beginning,
  beginBatch,
  finishBatch,
  type OpenedAttempt,
  type OpeningContext,
  openNextAttempt,
  type ToBegin,
  type ToFinish,
} from './attempts.ts'
import { AttemptBatcher } from './batching.ts'
import { JournalHead } from './chain.ts'
import { applySumRead } from './conflict.ts'
import { type Clearance, consider, type Guard, type Opening, requireUnchanged, takenOverFailure } from './duplicates.ts'
import { type HeldDraft, holdNewIntent, notHeldFailure } from './hold.ts'
import { type Attempt, attemptOf, type Intent, intentOf, type JournalFilter, type NewIntent } from './intent.ts'
import { mayWake, type Present, requireUnleased, type ThisProcess } from './lease.ts'
import { changeIntentRow, everySpan, noteEach, readSpent } from './limits.ts'
import { later, type Moment, momentOf } from './moment.ts'
import type { Outbox } from './outbox.ts'
import { Payees } from './payees.ts'
import {
  applyStatusRead,
  type ClosingFacts,
  closeIntent,
  denialBy,
  isNewStatus,
  type Lease,
  leaseOf,
  noLease,
  type ShownWrite,
} from './row.ts'
import type { ClosedState, Verdict } from './verdict.ts'
import { planCommit } from './whole-commit.ts'

export class Journal {
  readonly payees: Payees
  readonly #store: Store<JournalTables>
  readonly #clock: Clock
  readonly #random: Random
  readonly #leaseHolder: ThisProcess
  readonly #head: JournalHead
  readonly #finish: (end: ToFinish) => Promise<Intent>
  readonly #begin: (request: ToBegin) => Promise<Beginning>

  /** `outbox`: keeps an answer that the store cannot take. */
  constructor(store: Store<JournalTables>, clock: Clock, random: Random, leaseHolder: ThisProcess, outbox?: Outbox) {
    this.#store = store
    this.#clock = clock
    this.#random = random
    this.#leaseHolder = leaseHolder
    this.#head = new JournalHead(store)
    this.payees = new Payees(store, clock, random)
    const batcher = new AttemptBatcher(store, clock, {
      finish: (db, all) => finishBatch(db, all, this.moment, leaseHolder.self),
      begin: async (db, all) => {
        const { outdated: failure } = store
        return failure ? all.map(() => ({ failure })) : beginBatch(db, all, this.#present)
      },
      plan: (ends, begins) => planCommit(ends, begins, this.#present),
    })
    const finish = (end: ToFinish) => batcher.finish(end)
    this.#finish = outbox?.catching(finish) ?? finish
    this.#begin = (request) => batcher.begin(request)
  }

  /** The head of its hash chain, as far as this process knows. Null of an empty journal. */
  get head(): string | null {
    return this.#head.known
  }

  /** The head as the store has it now, whichever process wrote it. */
  headNow(): Promise<string | null> {
    return this.#head.now()
  }

  /** Now, by the clock of its store: this machine's clock, or that of a team's database. */
  get moment(): Moment {
    return momentOf(this.#clock)
  }

  /** Looks without writing: what would `begin` say? Throws a Failure: duplicate (7), locked (12). */
  look(newIntent: NewIntent, guard: Guard): Promise<Opening> {
    return this.#store.read(async (db) => (await consider(db, newIntent, guard, this.#present)).opening)
  }

  /**
   * Writes intent and attempt in one durable commit, on its own reads: only after it may a socket open. Throws as
   * `look`.
   */
  begin(newIntent: NewIntent, guard: Guard, leaseTime: number, clearance: Clearance): Promise<Beginning> {
    return this.#begin({ newIntent, guard, leaseTime, clearance })
  }

  /** True if a process on another machine, whose lease is over, may still have the request on its way. */
  mayWake(intent: Intent): boolean {
    return mayWake(intent, this.#present)
  }

  /** Keeps a draft as held, before anything is asked of the service; null where nothing holds it. Throws as `look`. */
  hold(newIntent: NewIntent, guard: Guard): Promise<HeldDraft | null> {
    return this.#opening(async (db) => {
      const { row, decision } = await consider(db, newIntent, guard, this.#present)
      return holdNewIntent(db, newIntent, row, decision, this.#present)
    })
  }

  /** One more attempt, durable before it is made; or it is held, as by `begin`. */
  again(intent: Intent, limits: readonly Limit[]): Promise<OpenedAttempt | HeldDraft> {
    return this.#opening((db) => openNextAttempt(db, intent, limits, this.#present))
  }

  async fourEyes(): Promise<FourEyes> {
    const { FourEyes } = await import('../approvals/approvals.ts')
    return new FourEyes(this.#store, this.#clock, this.#random, this.#leaseHolder, (row) =>
      notHeldFailure(intentOf(row)),
    )
  }

  /** The payouts that count now against the limits of a client, whichever profile sent them. */
  spent(place: ServicePlace): Promise<Spent> {
    return this.#store.read((db) => readSpent(db, place, everySpan, this.moment.now))
  }

  /** Records what came of an attempt, and what that makes of the intent. */
  finish(intent: Intent, number: number, verdict: Verdict, known: string | null = null): Promise<Intent> {
    return this.#finish({ intent, number, verdict, known })
  }

  /** False where another run had taken it over. */
  async release(intent: Intent): Promise<boolean> {
    return (await this.#changeLease(intent, noLease)) !== null
  }

  /** For so many milliseconds from now. Null where another run had taken it over. */
  renewLease(intent: Intent, milliseconds: number): Promise<Intent | null> {
    return this.#changeLease(intent, leaseOf(this.#leaseHolder.self, later(this.moment, milliseconds)))
  }

  /** Closes an intent by evidence from outside: a read, or the operator's word. */
  close(intent: Intent, state: ClosedState, because: string, facts: ClosingFacts = {}): Promise<Intent> {
    return this.#store.write(async (db) => {
      const row = await rows.recordedIntent(db, intent.journalId)
      if (!facts.held) requireUnleased(row, this.#present)
      else if (row.holder !== this.#leaseHolder.self) throw takenOverFailure(intentOf(row))
      requireUnchanged(intent, intentOf(row), denialBy(state, facts))
      return changeIntentRow(db, row, closeIntent(row, state, because, facts), this.#now())
    })
  }

  /** Remembers the status that was read, for all these writes or for none. Gives them as they are known then. */
  async noteStatus(
    writes: readonly ShownWrite[],
    status: string,
    description: string | null,
  ): Promise<readonly Intent[]> {
    if (!writes.some((write) => isNewStatus(write, status, description))) return writes.map(({ intent }) => intent)
    const changesIn = (row: IntentRow, { isThere }: ShownWrite) => applyStatusRead(row, status, description, isThere)
    return this.#store.write((db) => noteEach(db, writes, changesIn, this.#now()))
  }

  /**
   * Remembers what a read has shown of the sum: null where it is this one, else how it differs. Gives the intent then.
   */
  async noteSum(intent: Intent, differs: string | null): Promise<Intent> {
    if (differs === null && intent.sumConfirmed === true) return intent
    const changesIn = (row: IntentRow) => applySumRead(row, differs)
    const [known = intent] = await this.#store.write((db) => noteEach(db, [{ intent }], changesIn, this.#now()))
    return known
  }

  list({ operations, ...filter }: JournalFilter): Promise<Intent[]> {
    const named = operations ? { operations: operations.map(({ name }) => name) } : {}
    return this.#store.ask(async (db) => (await rows.listIntents(db, { ...filter, ...named })).map(intentOf))
  }

  attempts(intent: Intent): Promise<Attempt[]> {
    return this.#store.ask(async (db) => (await rows.attemptsOf(db, intent.journalId)).map(attemptOf))
  }

  /** Reads its rows. */
  ask<Result>(look: (db: JournalReader, present: Present) => Promise<Result>): Promise<Result> {
    return this.#store.ask((db) => look(db, this.#present))
  }

  get #present(): OpeningContext {
    return { ...this.moment, leaseHolder: this.#leaseHolder, random: this.#random }
  }

  /** A write that begins something. Refused if a newer paydesk has changed the store's schema. */
  #opening<Result>(work: (db: JournalWriter) => Promise<Result>): Promise<Result> {
    return this.#store.write(async (db) => {
      if (this.#store.outdated) throw this.#store.outdated
      return work(db)
    })
  }

  #changeLease({ journalId }: Intent, lease: Lease): Promise<Intent | null> {
    return this.#store.write(async (db) => {
      const row = await rows.recordedIntent(db, journalId)
      return row.holder === this.#leaseHolder.self ? changeIntentRow(db, row, lease, this.#now()) : null
    })
  }

  #now(): string {
    return new Date(this.moment.now).toISOString()
  }
}
