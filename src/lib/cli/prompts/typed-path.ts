/** Paths that are typed into a question, where no shell stands between a person and the program. */
import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import { homeOfUser } from '../../edge.ts'
import { fileTrouble } from '../../readable-file.ts'

/** The path with its `~` made out. `home`: HOME, as a shell takes it. */
export function madeOut(typed: string, home: string | undefined): string {
  const at = /^~(?:\/|$)/.test(typed) ? homeOfUser(home) : null
  return at === null ? typed : join(at, typed.slice(1))
}

/** The complaint about a file that is to be read; null for none. */
export function unreadablePath(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return `${path} does not exist.`
    if (found.isDirectory()) return `${path} is a directory.`
    accessSync(path, constants.R_OK)
    return null
  } catch (error) {
    return `${path} cannot be read: ${fileTrouble(error)}.`
  }
}
