/**
 * Directories that tests make: all of them inside the one directory of the run, which is the system's temporary directory for
 * everything that the run starts, and is removed when it ends.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

/** The variables of the directory for temporary files: the names that Linux and macOS, and Windows, look for. */
const names = ['TMPDIR', 'TEMP', 'TMP']

/** Names that a test run, its programs and its browsers make; another run's own directory is not among them. */
const ours = /^\.?(?:paydesk|playwright|org\.chromium)(?!-(?:run|bench)-)/

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

/** Makes the directory of a run. Gives back what removes it, and fails the run where anything of it was left outside. */
export function makeRunDirectory(): () => void {
  const outside = tmpdir()
  const before = new Set(readdirSync(outside))
  const directory = mkdtempSync(join(outside, 'paydesk-run-'))
  for (const name of names) env[name] = directory
  return () => {
    for (const name of names) env[name] = outside
    remove(directory)
    const left = readdirSync(outside).filter((name) => ours.test(name) && !before.has(name))
    if (left.length === 0) return
    // vitest tells what a teardown throws, and ends with 0 all the same.
    process.exitCode = 1
    throw new Error(`the tests left in ${outside}: ${left.join(', ')}`)
  }
}
