/** Paths that are typed into a question, where no shell stands between a person and the program. */
import { accessSync, constants, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileTrouble } from '../../readable-file.ts'

/** The path with its `~` made out. `home`: HOME, as a shell takes it. */
export function madeOut(typed: string, home: string | undefined): string {
  return /^~(?:\/|$)/.test(typed) ? join(home || homedir(), typed.slice(1)) : typed
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
