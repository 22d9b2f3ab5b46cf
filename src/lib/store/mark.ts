/**
 * The high-water mark of a store: a file beside it that grows by one byte with every commit. SQLite itself cannot tell a
 * store whose last commits were cut off (a truncated or deleted WAL, an old copy put back) from one that never had them;
 * a store that has committed less than its mark says has lost something. A commit is durable before its byte is appended,
 * so a crash can only leave the mark behind, never ahead.
 */
import { appendFileSync, statSync, truncateSync } from 'node:fs'
import { makePrivateFile } from './file-system.ts'

export class Mark {
  readonly #path: string

  constructor(databasePath: string) {
    this.#path = `${databasePath}-mark`
    makePrivateFile(this.#path)
  }

  /** The number of commits that are known to have happened. */
  get height(): number {
    return statSync(this.#path).size
  }

  /** Appends are atomic, so processes that commit at once do not lose each other's byte. */
  raise(): void {
    appendFileSync(this.#path, '.')
  }

  /** Brings a mark that a crash left behind up to what the store knows. */
  catchUp(commits: number): void {
    if (this.height < commits) truncateSync(this.#path, commits)
  }
}
