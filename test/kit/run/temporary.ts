/**
 * Directories that tests make: all of them inside the one directory of the run, which is the system's temporary
 * directory for everything that the run starts, and is removed when it ends.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

/** The variables of the directory for temporary files: the names that Linux and macOS, and Windows, look for. */
const names = ['TMPDIR', 'TEMP', 'TMP']

/** The file system in memory that Linux has, and the bytes that a run may need there. */
const memory = '/dev/shm'
const needed = 2 * 2 ** 30

const made: string[] = []

const remove = (directory: string) =>
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })

/** A new directory that lasts as long as the test file: what a module of the kit keeps for several of them is shared. */
export function temporaryDirectory(what = 'test'): string {
  const directory = mkdtempSync(join(tmpdir(), `paydesk-${what}-`))
  made.push(directory)
  return directory
}

/** A new directory for what the modules of the kit make once and every test file may read; it lasts as long as the run. */
export function sharedDirectory(what: string): string {
  return mkdtempSync(join(tmpdir(), `paydesk-${what}-`))
}

/** Removes what the test file has made. */
export function removeTemporary(): void {
  for (const directory of made.splice(0)) remove(directory)
}

/** The part of the environment that tells a program of its own where temporary files belong. */
export function temporaryPlaces(): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, tmpdir()]))
}

/** True if a run has room in memory, and programs may be started there: some systems forbid that. */
function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < needed) return false
    const directory = mkdtempSync(join(memory, 'paydesk-run-'))
    const script = join(directory, 'script')
    writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 })
    const { status } = spawnSync(script)
    remove(directory)
    return status === 0
  } catch {
    return false
  }
}

/** Where the directory of a run is made. */
function placeOfRun(): string {
  const usual = tmpdir()
  return usual.startsWith(`${memory}/`) || !hasRoomInMemory() ? usual : memory
}

/** Makes the directory of a run. */
export function makeRunDirectory(): () => void {
  const before = names.map((name) => [name, env[name]] as const)
  const directory = mkdtempSync(join(placeOfRun(), 'paydesk-run-'))
  for (const name of names) env[name] = directory
  // A run that is stopped by ^C ends without its teardown.
  const removeAtExit = () => remove(directory)
  process.on('exit', removeAtExit)
  return () => {
    process.off('exit', removeAtExit)
    for (const [name, value] of before) {
      if (value === undefined) delete env[name]
      else env[name] = value
    }
    try {
      remove(directory)
      if (existsSync(directory)) throw new Error('it was made again')
    } catch (error) {
      // vitest tells what a teardown throws, and ends with 0 all the same.
      process.exitCode = 1
      throw new Error(`something still writes to the directory of the run, ${directory}`, { cause: error })
    }
  }
}
