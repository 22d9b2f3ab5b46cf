/**
 * Opens the journal for one command: that of one person, or of a team. It knows which intents the command has met, so
 * that the last words of a process are true without another look at the disk.
 */
import type { Clock, Random } from '../edge.ts'
import { hint, paste } from '../hint.ts'
import { nothingSentNow, type StoppedFacts } from '../signals.ts'
import type { ChainReading } from '../store/chain/verify.ts'
import { openStore } from '../store/engine/sqlite.ts'
import type { Store } from '../store/engine/store.ts'
import { type JournalTables, journalSchema } from '../store/journal/schema.ts'
import { factsOf, type Intent, type NewIntent } from './intent.ts'
import { Journal } from './journal.ts'
import { type ThisProcess, thisProcess } from './lease.ts'
import type { Outbox } from './outbox.ts'
import { isExecuted } from './verdict.ts'

/** `journal`: a file; `team`: the address of its store, null without one. */
export interface JournalPlace {
  readonly journal: string
  readonly team: string | null
  /** The file of this person's private key. */
  readonly personKey?: string | null
  /** Directory of answers that the team's store could not take. */
  readonly outbox?: string
  /** Milliseconds that the team's server is waited for. */
  readonly patience?: number
  readonly signal?: AbortSignal
  /** Called when that waiting begins; gives back what is called at its end. */
  readonly away?: () => () => void
}

interface Ground {
  readonly store: Store<JournalTables>
  /** Shared by all who write to it. */
  readonly clock: Clock
  readonly leaseHolder: ThisProcess
  /** Reads the chain; null for that of a file. */
  readonly reading: ChainReading | null
  /** None for a journal of one person. */
  readonly outbox?: Outbox
}

/** Throws as src/lib/store/engine/sqlite.ts and src/lib/store/postgres/open.ts do. */
async function openGround(place: JournalPlace, clock: Clock, sharesCommits: boolean): Promise<Ground> {
  const { journal, team, personKey, outbox: directory } = place
  const leaseHolder = {
    ...thisProcess(team === null ? 'this-machine' : 'any-machine'),
    person: personKeyReader(personKey),
  }
  if (team === null) {
    const store = await openStore<JournalTables>(journal, journalSchema, { sharesCommits })
    return { store, clock, leaseHolder, reading: null }
  }
  const { Outbox } = await import('./outbox.ts')
  const { openTeam } = await import('../store/team/schema.ts')
  const { postgresReading } = await import('../store/postgres/chain.ts')
  const { teamSettings } = await import('./team.ts')
  const store = await openTeam<JournalTables>(team, teamSettings(place, clock))
  const { ageSinceFirstSeen } = await import('./team.ts')
  const knowing = { ...leaseHolder, knownFor: ageSinceFirstSeen(store, clock) }
  const ground = { store, clock: store.clock, leaseHolder: knowing, reading: postgresReading }
  return directory === undefined ? ground : { ...ground, outbox: new Outbox(directory, ground) }
}

export async function openJournalStore(place: JournalPlace, clock: Clock) {
  const { store, reading, clock: own, leaseHolder } = await openGround(place, clock, false)
  return { store, reading, clock: own, leaseHolder }
}

/** For many payouts at once: those that wait at the same time share a commit. */
export async function openBusyJournal(place: JournalPlace, clock: Clock, random: Random) {
  const ground = await openGround(place, clock, true)
  const { store, leaseHolder, outbox } = ground
  const flushOutbox = async () => (await outbox?.flush()) ?? 0
  const journal = new Journal(store, ground.clock, random, leaseHolder, outbox)
  const leave = async () => (await import('./lease.ts')).releaseOverdue(ground)
  return { journal, leaseHolder, flushOutbox, leave, stored: await flushOutbox(), close: () => store.close() }
}

/** `stored`: answers of earlier commands that are stored only now. */
export async function openJournal(place: JournalPlace, clock: Clock, random: Random) {
  const ground = await openGround(place, clock, false)
  const { store, leaseHolder, outbox } = ground
  const journal = new WatchedJournal(store, ground.clock, random, leaseHolder, outbox)
  return { journal, stored: (await outbox?.flush()) ?? 0, close: () => store.close() }
}

function personKeyReader(personKey: string | null = null): () => Promise<string | null> {
  return async () => {
    if (personKey === null) return null
    const { readPersonKey } = await import('../approvals/signatures.ts')
    return readPersonKey(personKey).publicKey
  }
}

export class WatchedJournal extends Journal {
  readonly #met = new Map<string, Intent>()
  #own: string | null = null
  readonly #opening = new Set<NewIntent>()

  override async look(...given: Parameters<Journal['look']>) {
    const opening = await super.look(...given)
    const known = opening.kind === 'done' ? opening.intent : (opening.unresolved ?? opening.conflict)
    if (known) this.#take(known)
    return opening
  }

  override async begin(...given: Parameters<Journal['begin']>): ReturnType<Journal['begin']> {
    const [newIntent] = given
    this.#opening.add(newIntent)
    try {
      const begun = await super.begin(...given)
      this.#take(begun.intent)
      return begun
    } finally {
      this.#opening.delete(newIntent)
    }
  }

  override async again(...given: Parameters<Journal['again']>): ReturnType<Journal['again']> {
    const again = await super.again(...given)
    this.#take(again.intent)
    return again
  }

  override async hold(...given: Parameters<Journal['hold']>): ReturnType<Journal['hold']> {
    const held = await super.hold(...given)
    if (held) this.#take(held.intent)
    return held
  }

  override async finish(...given: Parameters<Journal['finish']>): Promise<Intent> {
    return this.#take(await super.finish(...given))
  }

  override async close(...given: Parameters<Journal['close']>): Promise<Intent> {
    return this.#take(await super.close(...given))
  }

  override async list(...given: Parameters<Journal['list']>): Promise<Intent[]> {
    const intents = await super.list(...given)
    const [{ named, mayName, states }] = given
    // Only intents that were listed by name or because they are open; others are read beside the matter.
    if (named !== undefined || mayName !== undefined || states)
      for (const intent of intents) this.#met.set(intent.journalId, intent)
    return intents
  }

  /**
   * The last words about money; null where no intent is in play. `isAboutEarlier`: another run may have sent the
   * payment that the command names.
   */
  standing(isAboutEarlier: boolean): StoppedFacts | null {
    const own = this.#own === null ? undefined : this.#met.get(this.#own)
    const open = [...this.#met.values()].filter(({ state }) => state === 'unknown')
    const [first] = own?.state === 'unknown' ? [own] : open
    if (first) return unknown(first, open.length)
    // Of several the one that moved money, or may have, whichever came last.
    const moved = [...this.#met.values()].filter((intent) => !isNotExecuted(intent))
    const ended = own && !isNotExecuted(own) ? own : (moved[0] ?? own)
    if (ended) return known(ended)
    if (this.#opening.size === 0) return null
    const isNew = !isAboutEarlier && [...this.#opening].every(({ idempotencyKey }) => idempotencyKey === null)
    return isNew ? opening : { ...opening, said: nothingSentNow.said, moneyMoved: 'unknown' }
  }

  #take(intent: Intent): Intent {
    this.#met.set(intent.journalId, intent)
    this.#own = intent.journalId
    return intent
  }
}

function unknown(intent: Intent, count: number): StoppedFacts {
  const more = count > 1 ? [hint`Of ${count} that are unknown this is one: \`${paste('resume', '--all')}\`.`] : []
  return {
    ...{ said: 'stopped; the payment is unknown', moneyMoved: 'unknown', retry: 'same-id' },
    ...factsOf(intent),
    hints: [hint`${paste('resume', intent.journalId)}`, ...more],
  }
}

const isNotExecuted = (intent: Intent) => !isExecuted(intent) && !intent.isTaken

function known(intent: Intent): StoppedFacts {
  const isOver = isNotExecuted(intent)
  return {
    said: isOver ? 'stopped; nothing was executed' : 'stopped; the service has it already',
    ...factsOf(intent),
    moneyMoved: isOver ? 'no' : 'unknown',
    retry: isOver ? 'same-id' : 'never',
    hints: [hint`${paste('journal show', intent.journalId)}`],
  }
}

/** The commit that opens an intent may be through or not; the connection that follows it was never opened. */
const opening: StoppedFacts = {
  ...{ said: 'stopped while the journal was written, before anything was sent', moneyMoved: 'no', retry: 'same-id' },
  hints: [hint`If \`${paste('journal list')}\` shows it as unknown, run \`${paste('resume')}\`.`],
}
