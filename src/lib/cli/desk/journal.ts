/**
 * The journal of a command: its place, its opening, and what it is asked when the command ends early: what earlier runs
 * sent of the thing that the command line names.
 */
import { readdirSync, statSync } from 'node:fs'
import { normalId } from '../../contract/core/text.ts'
import type { Subject } from '../../contract/operation.ts'
import { operations, writesAbout } from '../../contract/operations.ts'
import { addStanding } from '../../desk/thing.ts'
import { steadyNow } from '../../edge.ts'
import { Failure, FailureBeforeSending } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { isJournalId, nameIn } from '../../journal/find.ts'
import { type Intent, idAtService } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import type { JournalPlace, WatchedJournal } from '../../journal/open.ts'
import { isBuiltIn } from '../../profile/built-in.ts'
import { Profiles, UnknownProfile } from '../../profile/profiles.ts'
import { BareStop, nothingSentNow, type StoppedFacts } from '../../signals.ts'
import { readDuration } from '../flags/times.ts'
import { idFlags, isAboutEarlier } from '../flags/typed-line.ts'
import type { RequestFile } from '../input.ts'
import type { Capability, Invocation } from '../invocation.ts'

export const personKeyVariable = 'PAYDESK_PERSON_KEY'

/** The journal is opened before the flags are read where a failure is placed; a wrong --timeout is told elsewhere. */
export function journalPlace(invocation: Invocation): JournalPlace {
  const { journal, team, outbox } = invocation.places
  const patience = readDuration(invocation.line.value('--timeout') ?? '')
  const personKey = invocation.edge.env[personKeyVariable] || null
  return {
    journal,
    team,
    outbox,
    personKey,
    signal: invocation.signal,
    away: tellerOf(invocation),
    ...(patience === null ? {} : { patience }),
  }
}

/** The store of the journal itself, for work on all of its rows; closed when the command ends. */
export async function openStore(invocation: Invocation, place: JournalPlace = journalPlace(invocation)) {
  const { openJournalStore } = await import('../../journal/open.ts')
  const opened = await openJournalStore(place, invocation.edge.clock)
  invocation.closeAtEnd(() => opened.store.close())
  return opened
}

const tellers = new WeakMap<object, () => () => void>()

/** One for all stores of a command: they wait for the same database. */
function tellerOf(invocation: Invocation): () => () => void {
  const known = tellers.get(invocation) ?? tellWhileAway(invocation)
  tellers.set(invocation, known)
  return known
}

/** Milliseconds: until the first remark on a database that is away, and between two of them. */
const remarks = { first: 3_000, between: 5_000 }

/**
 * Remarks on stderr while the database of the team is waited for. A worker tells its events alone, and this is none. What is returned is
 * called when a wait begins, and gives back what is called at its end; several waits at once are told as one.
 */
function tellWhileAway({ id, edge, output }: Invocation): () => () => void {
  let [waits, stop] = [0, () => {}]
  const begin = () => {
    const since = steadyNow(edge.clock)
    let due = remarks.first
    return edge.every(500, () => {
      const waited = steadyNow(edge.clock) - since
      if (waited < due) return
      due += remarks.between
      output.say(`The database of the team does not answer; it is waited for (${Math.floor(waited / 1000)} s so far).`)
    })
  }
  return () => {
    waits += 1
    if (waits === 1 && id !== 'worker:start') stop = begin()
    return () => {
      waits -= 1
      if (waits === 0) stop()
    }
  }
}

/** True where no journal was ever written. Throws where that cannot be looked at. */
export function isNewJournal({ journal: path, team }: JournalPlace): boolean {
  if (team !== null) return false
  const found = [path, `${path}-mark`].map((each) => statSync(each, { throwIfNoEntry: false }))
  return found.every((each) => each === undefined)
}

/** Opens a journal. A team's may be away, or take now what it could not take before: that is told. */
export async function openAndTell<Opened extends { readonly stored: number }>(
  { places, output }: Invocation,
  open: () => Promise<Opened>,
): Promise<Opened> {
  if (places.team === null) return open()
  try {
    const opened = await open()
    const { stored } = opened
    if (stored > 0) {
      const which = stored === 1 ? 'An answer of the service is' : `${stored} answers of the service are`
      output.warn(`${which} stored now that the team’s store could not take before.`)
    }
    return opened
  } catch (error) {
    const waiting = filesIn(places.outbox)
    if (!(error instanceof Failure) || waiting === 0) throw error
    const [which, wait, are] = waiting === 1 ? ['An answer', 'waits', 'is'] : [`${waiting} answers`, 'wait', 'are']
    const advice = hint`${which} of the service to earlier payments ${wait} in ${places.outbox}, and ${are} stored by the first command that reaches the store.`
    throw error.with({ hints: [advice] })
  }
}

function filesIn(directory: string): number {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.json')).length
  } catch {
    return 0
  }
}

/** Finds the writes that a command is about whatever ends it; none where it is about none, or a new one. */
export type Question = (invocation: Invocation, journal: Journal, failure: Failure) => Promise<readonly Intent[]>

/** The question of commands that are there for what is open: however they end early, they were about that. */
export const anyOpen: Question = async (invocation, journal, failure) => {
  if (invocation.line.words.length > 0) return namedThing(invocation, journal, failure)
  return journal.list({ states: ['unknown'], limit: 1 })
}

/** The question of reads: every write to the thing that is named. */
const namedThing: Question = async (invocation, journal, failure) => {
  const named = invocation.line.words.map((word) => writesTo(invocation, journal, word, failure))
  return (await Promise.all(named)).flat()
}

/**
 * The question of writes: the same write, by its key or by the id of what it is done to. `fileAt`: a file of its request, which may
 * hold the id; `answered`: the id that a person has typed when asked for it. All that is typed counts, also
 * what is too much.
 */
export const sameWrite =
  (fileAt: (path: string) => Pick<RequestFile, 'fieldAtEnd'>, answered: () => string | undefined): Question =>
  async (invocation, journal, failure) => {
    const { id, line } = invocation
    const [keys = [], ...typedIds] = idFlags.map((flag) => line.values(flag))
    const ids = typedIds.flat()
    const own = operations.find(({ name }) => name === id?.replace(':', '.'))
    // Every write to a thing may have moved the money that its cancellation is about.
    const cancels = id?.endsWith(':cancel') === true
    const isSame = ({ operation }: Intent) => operation === own?.name || cancels
    // One without an id cannot be named by its order: a refund, of which an order may have many.
    const idField = own?.effect === 'write' ? own.idField : null
    // An id or a key that is typed goes over the file.
    const files = idField === null || keys.length + ids.length > 0 ? [] : line.values('--file').map(fileAt)
    const inFiles = files.map((file) => file.fieldAtEnd(idField ?? ''))
    const names = idField === null ? ids : [...ids, ...line.words, ...(await Promise.all(inFiles)), answered()]
    const known = names.map((name) => (name === undefined ? [] : writesTo(invocation, journal, name, failure)))
    const byId = (await Promise.all(known)).flat()
    const filter = ofProfile(invocation, failure)
    const byKey = (await Promise.all(keys.map((key) => journal.list({ ...filter, named: key })))).flat()
    const isKeyed = ({ businessKey }: Intent) => businessKey !== null && keys.includes(businessKey)
    return [...byKey.filter(isKeyed), ...byId].filter(isSame)
  }

/** Of every profile where there is none of the name that was typed, which may be mistyped, and where several were. */
function ofProfile(invocation: Invocation, failure: Failure) {
  if (failure instanceof UnknownProfile) return {}
  const [typed, ...others] = invocation.line.values('--profile')
  const profile = others.length > 0 ? undefined : (typed ?? invocation.edge.env.PAYDESK_PROFILE)
  return profile === undefined || !exists(invocation, profile) ? {} : { profile }
}

/** True if there is a profile of this name. A command that needs none never says that there is not. */
function exists({ places }: Invocation, name: string): boolean {
  return isBuiltIn(name) || new Profiles(places.config).readNow().names.includes(name)
}

const subjects: Readonly<Record<string, Subject>> = {
  payout: 'payout',
  order: 'order',
  card: 'order',
  wallet: 'wallet order',
  subscription: 'subscription',
}

/** The writes that a command of this topic can be about; `resume` and `journal` can be about all. */
function meant(invocation: Invocation, failure: Failure) {
  const subject = subjects[invocation.id?.split(':')[0] ?? '']
  return { ...ofProfile(invocation, failure), ...(subject ? { operations: writesAbout(subject) } : {}) }
}

async function writesTo(
  invocation: Invocation,
  journal: Journal,
  typed: string,
  failure: Failure,
): Promise<readonly Intent[]> {
  const { text, mayBe } = nameIn(typed.trim())
  const name = isJournalId(text) ? text.toLowerCase() : normalId(text)
  const filter = meant(invocation, failure)
  const listing = [...new Set([name, text])].map((each) => journal.list({ ...filter, named: each }))
  // A name without its kind may be an id and a key: what is said is then true of both.
  const named = (await Promise.all(listing)).flat().filter(({ businessKey }) => mayBe !== 'id' || businessKey !== text)
  const ids = new Set([
    ...(mayBe === 'key' ? [] : [name]),
    ...named.flatMap((intent) => [intent.uniqueId, idAtService(intent)]),
  ])
  const listed = [...ids].map((mayName) => journal.list({ ...filter, mayName }))
  const found = (await Promise.all(listed))
    .flat()
    .filter((each) => ids.has(each.uniqueId) || ids.has(idAtService(each)))
  return [...new Map(found.map((intent) => [intent.journalId, intent])).values()]
}

/** The journal of a command: opened when it is first needed, closed at the end, and asked how money stands when that comes early. */
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

  open(): Promise<Journal> {
    this.#opened ??= this.#open()
    return this.#opened
  }

  async #open(): Promise<Journal> {
    const { openJournal } = await import('../../journal/open.ts')
    const { edge } = this.#invocation
    const open = () => openJournal(journalPlace(this.#invocation), edge.clock, edge.random)
    const { journal, close } = await openAndTell(this.#invocation, open)
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
    if (writes.length > 0) return addStanding(failure, writes, signal)
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
