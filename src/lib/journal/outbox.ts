/**
 * The outbox: answers of the service that the store of a team could not take, because it was away. A file each under PAYDESK_HOME, for
 * its owner only, until they are stored. It has what the journal would have, and no secret.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../edge.ts'
import { Failure } from '../failure.ts'
import { FailureBeforeSending } from '../failure-before-sending.ts'
import { makePrivateDirectory } from '../private-directory.ts'
import type { Store } from '../store/engine/store.ts'
import { intentsFound, wholeIntent } from '../store/journal/many.ts'
import type { JournalTables, JournalWriter } from '../store/journal/schema.ts'
import { finishTogether, type ToFinish } from './attempts.ts'
import { type Intent, intentOf } from './intent.ts'
import type { Holding } from './lease.ts'
import { type Moment, momentOf } from './moment.ts'
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
    otherSum: text.default(null),
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
    told: text.default(null),
  }),
])

/** The id alone finds its payment again, by whatever name the store is reached. */
const keptForm = z.strictObject({
  journalId: z.string().regex(/^j-[0-9a-f]{12}$/),
  attempt: z.int().min(1),
  verdict: verdictForm,
})

export interface KeptAnswer {
  readonly journalId: string
  readonly attempt: number
  readonly verdict: Verdict
  readonly path: string
}

/** The store is away, or on another server by now. */
const ofStore: ReadonlySet<Failure['kind']> = new Set(['unsent', 'locked'])

type Finish = (end: ToFinish) => Promise<Intent>

export interface AnswerKeeper {
  keeping(finish: Finish): Finish
}

export class Spool implements AnswerKeeper {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  /**
   * The same, and what cannot be stored is kept. That nothing is known needs no keeping: without an answer it is unknown anyway. A code
   * of the service that proves nothing is kept for people.
   */
  keeping(finish: Finish): Finish {
    return async (end) => {
      try {
        return await finish(end)
      } catch (error) {
        if (!isNews(end.verdict) || !(error instanceof Failure) || !ofStore.has(error.kind)) throw error
        const path = this.#kept(end)
        throw path === null ? error : new AnswerKept(error, path)
      }
    }
  }

  /** A file that cannot be read is none of them, and stays for a person. */
  kept(): readonly KeptAnswer[] {
    return filesIn(this.#directory).flatMap((name) => {
      const path = join(this.#directory, name)
      const found = contentOf(path)
      return found ? [{ ...found, path }] : []
    })
  }

  forget({ path }: KeptAnswer): void {
    rmSync(path, { force: true })
  }

  /** The file of it; null where it cannot be written either. */
  #kept({ intent: { journalId }, number: attempt, verdict }: ToFinish): string | null {
    const kept: z.input<typeof keptForm> = { journalId, attempt, verdict }
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
}

function isNews(verdict: Verdict): boolean {
  if (verdict.kind !== 'unknown') return true
  return verdict.otherSum != null || verdict.told != null || verdict.words?.statusCode != null
}

function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => /^j-[0-9a-f]{12}-\d+\.json$/.test(name))
  } catch {
    return []
  }
}

function contentOf(path: string) {
  try {
    return keptForm.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

export class AnswerKept extends FailureBeforeSending {
  readonly path: string

  constructor(failure: Failure, path: string) {
    super(failure.kind, failure instanceof FailureBeforeSending ? failure.why : failure.message, failure.facts)
    this.path = path
  }
}

/** The present moment by the clock of the store, and this process. */
interface Keeping {
  readonly moment: Moment
  readonly self: string
}

/** Gives how many are stored now. One whose payment the store does not know, after a restore perhaps, is kept. */
export async function storeKept(spool: Spool, store: Store<JournalTables>, present: () => Keeping): Promise<number> {
  let stored = 0
  for (const answer of spool.kept()) {
    const end = await store.write((db) => recorded(db, answer, present()))
    if (end !== 'elsewhere') spool.forget(answer)
    if (end === 'stored') stored += 1
  }
  return stored
}

async function recorded(
  db: JournalWriter,
  { journalId, attempt: number, verdict }: KeptAnswer,
  { moment, self }: Keeping,
): Promise<'stored' | 'known' | 'elsewhere'> {
  const found = (await intentsFound(db, [journalId])).get(journalId)
  if (!found) return 'elsewhere'
  const { row, attempts } = wholeIntent(found)
  const attempt = attempts.find((each) => each.number === number)
  if (!attempt) return 'elsewhere'
  // Its commit may have stood, though nobody could be asked about it any more.
  if (attempt.ended_at !== null) return 'known'
  const [end] = await finishTogether(db, [{ intent: intentOf(row), number, verdict }], moment, self)
  if (end && 'failure' in end) throw end.failure
  return 'stored'
}

interface Beside {
  readonly store: Store<JournalTables>
  readonly clock: Clock
  readonly holding: Holding
}

export function spoolBeside({ store, clock, holding }: Beside, directory: string) {
  const spool = new Spool(directory)
  const present = () => ({ moment: momentOf(clock), self: holding.self })
  // A failure of it is told by the next thing that needs the store, and the answers wait on.
  return { spool, storeKept: () => storeKept(spool, store, present).catch(() => 0) }
}
