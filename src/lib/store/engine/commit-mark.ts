/**
 * The high-water mark of a store: a file beside it that is as many bytes long as there were commits. SQLite itself cannot
 * tell a store whose last commits were cut off (a truncated or deleted WAL, an old copy put back) from one that never had
 * them; a store that has committed less than its mark says has lost something. A commit is durable before its byte is
 * written, so a crash can only leave the mark behind, never ahead.
 */
import { closeSync, constants, openSync, statSync, writeSync } from 'node:fs'
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

  /**
   * Raises the mark to a number of commits; a higher one stays. The byte has its place, it is not appended: a process that
   * opens the store may have raised the mark for the commit of another one that has not come to it yet.
   */
  raise(commits: number): void {
    if (commits === 0) return
    try {
      this.#write(commits)
    } catch {
      // The commit stands, and a mark that stays behind only sees less: told as "not written", it would be a lie.
    }
  }

  #write(commits: number): void {
    const descriptor = openSync(this.#path, constants.O_WRONLY | constants.O_CREAT, 0o600)
    try {
      writeSync(descriptor, '.', commits - 1)
    } finally {
      closeSync(descriptor)
    }
  }
}
