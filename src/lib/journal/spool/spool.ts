/**
 * Answers of the service that the store of a team could not take, because it was away: a file each under PAYDESK_HOME, for its owner
 * only, until they are stored. It has what the journal would have, and no secret.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Failure } from '../../failure.ts'
import { makePrivateDirectory } from '../../private-directory.ts'
import type { Intent } from '../intent.ts'
import type { ToFinish } from '../together/finish.ts'
import type { Verdict } from '../verdict.ts'
import { AnswerKept } from './answer-kept.ts'
import { verdictForm } from './verdict-form.ts'

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
