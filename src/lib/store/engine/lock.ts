/**
 * An exclusive lock between processes: a small SQLite file in which a transaction is held open while the work runs. The
 * operating system frees it when the process dies, kill -9 included; a lock made of a file's existence would stay behind.
 * The lock file is never deleted: a process that opened it before the deletion would hold a lock that no other sees.
 *
 * Waiting polls with sleeps: SQLite's own busy timeout would stop this process, and with it a holder in the same process.
 */
import { resolve } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { doublingPause } from '../../backoff.ts'
import { type Clock, realClock } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { makePrivateFile, mendTheDisk } from './file-system.ts'

export interface LockSettings {
  /** Milliseconds to wait for the others; 0 tries once. */
  readonly patience?: number
  readonly clock?: Pick<Clock, 'sleep'>
}

const defaultPatience = 60_000
const pauses = { base: 5, longest: 50 }

/**
 * Paths that this process holds. They must not even be opened meanwhile: closing a second descriptor of a file frees every
 * POSIX lock that the process has on it.
 */
const held = new Set<string>()

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'sqliteCodeName' in error && String(error.sqliteCodeName).startsWith('SQLITE_BUSY')
}

function unusable(path: string, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error)
  return new Failure('unsent', `the lock ${path} cannot be taken: ${why}; nothing was changed`, {
    hints: [mendTheDisk, hint`A lock file holds no data.`],
  })
}

/** The open transaction that is the lock; null while another holder has it. */
function tryLock(path: string): DatabaseSyncInstance | null {
  if (held.has(path)) return null
  try {
    makePrivateFile(path)
    const database = new DatabaseSync(path, { timeout: 0 })
    try {
      database.exec('begin immediate')
      return database
    } catch (error) {
      database.close()
      if (isBusy(error)) return null
      throw error
    }
  } catch (error) {
    throw error instanceof Failure ? error : unusable(path, error)
  }
}

/**
 * Takes the lock as soon as no other holder, in this process or another, has the same path; returns the function that frees
 * it.
 */
export async function takeLock(
  path: string,
  { patience = defaultPatience, clock = realClock }: LockSettings = {},
): Promise<() => void> {
  const absolute = resolve(path)
  let taken = tryLock(absolute)
  for (let waited = 0, tries = 0; taken === null; tries += 1) {
    if (waited >= patience) {
      throw new Failure('locked', `another paydesk uses ${absolute}`, {
        hints: [hint`Wait until it ends, or stop it.`],
      })
    }
    const pause = doublingPause(tries, pauses)
    await clock.sleep(pause)
    waited += pause
    taken = tryLock(absolute)
  }
  let database: DatabaseSyncInstance | null = taken
  held.add(absolute)
  return () => {
    if (database === null) return
    database.close()
    database = null
    held.delete(absolute)
  }
}

/** Runs the work while it holds the lock. Not to be nested. */
export async function withLock<Result>(
  path: string,
  work: () => Promise<Result>,
  settings: LockSettings = {},
): Promise<Result> {
  const free = await takeLock(path, settings)
  try {
    return await work()
  } finally {
    free()
  }
}
