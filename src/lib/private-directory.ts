/** Directories that a command makes: for their owner only. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a directory, and those above it, for its owner only. One that exists is left as it is. Step by step: Node's own
 * `recursive` turns for ever where a directory cannot be made below one that exists (/proc).
 */
export function makePrivateDirectory(directory: string): void {
  if (existsSync(directory)) return
  if (dirname(directory) !== directory) makePrivateDirectory(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
