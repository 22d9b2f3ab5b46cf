/**
 * Turns of writing among the connections of one process. SQLite makes a second writer wait by blocking its thread; if the
 * first writer lives in the same thread it can then never finish, and both wait until the patience ends. Between processes
 * SQLite's own lock is enough.
 */
const turns = new Map<string, Promise<unknown>>()

/** Runs work on a file after all work in this process that came first. */
export async function inTurn<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const before = turns.get(path) ?? Promise.resolve()
  const mine = before.then(work, work)
  turns.set(path, mine)
  try {
    return await mine
  } finally {
    if (turns.get(path) === mine) turns.delete(path)
  }
}
