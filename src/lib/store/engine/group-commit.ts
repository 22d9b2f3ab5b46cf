/**
 * Writes that wait at the same time, made durable by one commit: the disk is asked once, however many wait. Each is still a
 * transaction of its own, alone from its first statement on, and undone alone when it fails. A writer hears of its end only
 * when all of them are on the disk, and where the commit fails none of them was written.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import { CompiledQuery, type Transaction } from 'kysely'

type Work<Tables> = (db: Transaction<Tables>) => Promise<unknown>

interface Waiting<Tables> {
  readonly work: Work<Tables>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

// Compiled once: they stand around every write.
const begin = CompiledQuery.raw('savepoint one')
const release = CompiledQuery.raw('release one')
const undo = CompiledQuery.raw('rollback to one')

/** Runs one of several. Gives back what tells its owner; throws where the transaction of all is lost. */
async function runInSavepoint<Tables>(
  db: Transaction<Tables>,
  { work, resolve, reject }: Waiting<Tables>,
): Promise<() => void> {
  await db.executeQuery(begin)
  try {
    const result = await work(db)
    await db.executeQuery(release)
    return () => resolve(result)
  } catch (error) {
    try {
      await db.executeQuery(undo)
      await db.executeQuery(release)
    } catch {
      // A full disk has rolled everything back already.
      throw error
    }
    return () => reject(error)
  }
}

async function runAlone<Tables>(db: Transaction<Tables>, { work, resolve }: Waiting<Tables>): Promise<() => void> {
  const result = await work(db)
  return () => resolve(result)
}

/** `commit` runs its work in one durable transaction, `withMutex` after the writers that came first. */
export function groupCommits<Tables>(
  commit: (work: (db: Transaction<Tables>) => Promise<void>) => Promise<void>,
  withMutex: (work: () => Promise<void>) => Promise<void>,
): <Result>(work: (db: Transaction<Tables>) => Promise<Result>) => Promise<Result> {
  let waiting: Waiting<Tables>[] = []
  const writeAll = async () => {
    // Requests that have arrived at the sockets by now get as far as here.
    await nextRound()
    const group = waiting
    waiting = []
    let tell: (() => void)[] = []
    try {
      await commit(async (db) => {
        // A commit that was undone is made anew: what its earlier try has found stands nowhere.
        tell = []
        const run = group.length === 1 ? runAlone : runInSavepoint
        for (const each of group) tell.push(await run(db, each))
      })
      for (const each of tell) each()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
  return <Result>(work: (db: Transaction<Tables>) => Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (result: unknown) => void, reject })
      if (waiting.length === 1) void withMutex(writeAll)
    })
}

/**
 * Turns of writing among the connections of one process. SQLite makes a second writer wait by blocking its thread; if the
 * first writer lives in the same thread it can then never finish, and both wait until the patience ends. Between processes
 * SQLite's own lock is enough.
 */
const writers = new Map<string, Promise<unknown>>()

/** Runs work on a file after all work in this process that came first. */
export async function withWriteMutex<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const before = writers.get(path) ?? Promise.resolve()
  const mine = before.then(work, work)
  writers.set(path, mine)
  try {
    return await mine
  } finally {
    if (writers.get(path) === mine) writers.delete(path)
  }
}
