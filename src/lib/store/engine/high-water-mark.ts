/**
 * The high-water mark of a store: a file beside it that is as many bytes long as there were commits. SQLite itself cannot
 * tell a store whose last commits were cut off (a truncated or deleted WAL, an old copy put back) from one that never had
 * them; a store that has committed less than its mark says has lost something. A commit is durable before its byte is
 * written, so a crash can only leave the mark behind, never ahead.
 */
import { closeSync, constants, openSync, readSync, statSync, writeSync } from 'node:fs'
import { makePrivateFile } from './file-system.ts'

export class HighWaterMark {
  readonly #path: string
  readonly #width: number

  /** `width`: the bytes of a commit, where they say which one it was. */
  constructor(databasePath: string, width = 1) {
    this.#path = `${databasePath}-mark`
    this.#width = width
    makePrivateFile(this.#path)
  }

  /** The number of commits that are known to have happened. */
  get height(): number {
    return Math.floor(statSync(this.#path).size / this.#width)
  }

  /** The bytes of a commit; null where they were not written: another one that came after it was. */
  at(commits: number): string | null {
    const bytes = Buffer.alloc(this.#width)
    const descriptor = openSync(this.#path, constants.O_RDONLY)
    try {
      readSync(descriptor, bytes, 0, this.#width, (commits - 1) * this.#width)
    } finally {
      closeSync(descriptor)
    }
    return bytes.includes(0) ? null : bytes.toString('latin1')
  }

  /**
   * Raises the mark to a number of commits; a higher one stays. The bytes have their place, they are not appended: a process that
   * opens the store may have raised the mark for the commit of another one that has not come to it yet.
   */
  raise(commits: number, bytes = '.'): void {
    if (commits === 0) return
    try {
      this.#write(commits, bytes)
    } catch {
      // The commit stands, and a mark that stays behind only sees less: told as "not written", it would be a lie.
    }
  }

  #write(commits: number, bytes: string): void {
    const descriptor = openSync(this.#path, constants.O_WRONLY | constants.O_CREAT, 0o600)
    try {
      writeSync(descriptor, bytes, (commits - 1) * this.#width)
    } finally {
      closeSync(descriptor)
    }
  }
}
