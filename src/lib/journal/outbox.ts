/**
 * The outbox: answers of the service that the store of a team could not take, because it was away. A file each under PAYDESK_HOME, for
 * its owner only, until they are stored. It has what the journal would have, and no secret.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../edge.ts'
import { Failure, FailureBeforeSending } from '../failure.ts'
import { makePrivateDirectory } from '../paths.ts'
import type { Store } from '../store/engine/store.ts'
import { intentsFound, wholeIntent } from '../store/journal/intents.ts'
import type { JournalTables, JournalWriter } from '../store/journal/schema.ts'
import { finishBatch, type ToFinish } from './attempts.ts'
import { type Intent, intentOf } from './intent.ts'
import type { ThisProcess } from './lease.ts'
import { momentOf } from './moment.ts'
import type { Verdict } from './verdict.ts'

const text = z.string().nullable()
const number = z.number().nullable()

const words = z.strictObject({ http: number, statusCode: number, exceptionGroup: number, message: text })

const shown = z.strictObject({ status: z.string(), because: z.string(), isDone: z.boolean() })

/** What an answer proves, as it is read back from JSON. */
export const verdictForm: z.ZodType<Verdict> = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('accepted'),
    transactionId: text,
    status: text,
    statusDescription: text,
    createdAt: text,
    answer: text,
  }),
  z.strictObject({
    kind: z.literal('duplicate'),
    words,
    sumConfirmed: z.boolean().default(false),
    isOwn: z.boolean().default(false),
    shown: shown.nullable().default(null),
  }),
  z.strictObject({
    kind: z.literal('refused'),
    words,
    bodyOnly: z.boolean(),
    status: text,
    seen: text.default(null),
  }),
  z.strictObject({
    kind: z.literal('turned-away'),
    words,
    by: z.enum(['token', 'rate', 'redirect']),
    location: text.default(null),
    wait: number,
  }),
  z.strictObject({ kind: z.literal('unsent'), why: z.string(), besides: text.default(null) }),
  z.strictObject({
    kind: z.literal('unknown'),
    why: z.string(),
    words: words.nullable(),
    wait: number.default(null),
    otherSum: text.default(null),
  }),
])

/** The id alone finds its payment again, by whatever name the store is reached. */
const entryForm = z.strictObject({
  journalId: z.string().regex(/^j-[0-9a-f]{12}$/),
  attempt: z.int().min(1),
  verdict: verdictForm,
})

interface OutboxEntry extends z.infer<typeof entryForm> {
  readonly path: string
}

/** The store is away, on another server by now, or lets this role write no more. */
const ofStore: ReadonlySet<Failure['kind']> = new Set(['unsent', 'locked', 'credentials'])

type Finish = (end: ToFinish) => Promise<Intent>

interface OutboxGround {
  readonly store: Store<JournalTables>
  /** The clock of the store. */
  readonly clock: Clock
  readonly leaseHolder: ThisProcess
}

export class Outbox {
  readonly #directory: string
  readonly #ground: OutboxGround

  constructor(directory: string, ground: OutboxGround) {
    this.#directory = directory
    this.#ground = ground
  }

  /**
   * The same, and what cannot be stored is kept. That nothing is known needs no keeping: without an answer it is unknown anyway. A code
   * of the service that proves nothing is kept for people.
   */
  catching(finish: Finish): Finish {
    return async (end) => {
      try {
        return await finish(end)
      } catch (error) {
        if (!belongsInOutbox(end.verdict) || !(error instanceof Failure) || !ofStore.has(error.kind)) throw error
        const path = this.#keep(end)
        throw path === null ? error : new AnswerInOutbox(error, path)
      }
    }
  }

  /**
   * Stores the answers, each with its own attempt: an acceptance always stands, and whatever was recorded of the payment since decides
   * as it does with every answer that comes late. Gives how many are stored now. One whose payment the store does not know, after a
   * restore perhaps, is kept.
   */
  async flush(): Promise<number> {
    let stored = 0
    try {
      for (const entry of this.#entries()) {
        const end = await this.#ground.store.write((db) => this.#store(db, entry))
        if (end !== 'elsewhere') rmSync(entry.path, { force: true })
        if (end === 'stored') stored += 1
      }
    } catch {
      // The next command that needs the store tells of it, and the answers wait on.
    }
    return stored
  }

  /** The file of it; null where it cannot be written either. */
  #keep({ intent: { journalId }, number: attempt, verdict }: ToFinish): string | null {
    const kept: z.input<typeof entryForm> = { journalId, attempt, verdict }
    const path = join(this.#directory, `${journalId}-${attempt}.json`)
    const fresh = `${path}.${process.pid}`
    try {
      makePrivateDirectory(this.#directory)
      writeFileSync(fresh, `${JSON.stringify(kept)}\n`, { mode: 0o600, flush: true })
      renameSync(fresh, path)
      return path
    } catch {
      return null
    }
  }

  /** A file that cannot be read is none of them, and stays for a person. */
  #entries(): readonly OutboxEntry[] {
    return listFiles(this.#directory).flatMap((name) => {
      const path = join(this.#directory, name)
      const found = readEntry(path)
      return found ? [{ ...found, path }] : []
    })
  }

  async #store(
    db: JournalWriter,
    { journalId, attempt: number, verdict }: OutboxEntry,
  ): Promise<'stored' | 'known' | 'elsewhere'> {
    const found = (await intentsFound(db, [journalId])).get(journalId)
    if (!found) return 'elsewhere'
    const { row, attempts } = wholeIntent(found)
    const attempt = attempts.find((each) => each.number === number)
    if (!attempt) return 'elsewhere'
    // Its commit may have stood, though nobody could be asked about it any more.
    if (attempt.ended_at !== null) return 'known'
    const { clock, leaseHolder } = this.#ground
    const [end] = await finishBatch(db, [{ intent: intentOf(row), number, verdict }], momentOf(clock), leaseHolder.self)
    if (end && 'failure' in end) throw end.failure
    return 'stored'
  }
}

function belongsInOutbox(verdict: Verdict): boolean {
  if (verdict.kind !== 'unknown') return true
  return verdict.otherSum != null || verdict.words?.statusCode != null
}

function listFiles(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => /^j-[0-9a-f]{12}-\d+\.json$/.test(name))
  } catch {
    return []
  }
}

function readEntry(path: string) {
  try {
    return entryForm.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

/** An answer that the store could not take, and the file that it is kept in. */
export class AnswerInOutbox extends FailureBeforeSending {
  readonly path: string

  constructor(failure: Failure, path: string) {
    super(failure.kind, failure instanceof FailureBeforeSending ? failure.why : failure.message, failure.facts)
    this.path = path
  }
}
