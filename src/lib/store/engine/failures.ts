/** Faults of a store, in words, and their meaning: damage is `bug` (1), a place that cannot be written `unsent` (11). */
import { dirname, parse } from 'node:path'
import { Failure, FailureBeforeSending } from '../../failure.ts'
import { type Hint, hint } from '../../hint.ts'
import { singleQuoted } from '../../text.ts'
import { mendTheDisk } from './file-system.ts'
import type { Schema } from './store.ts'

export function damaged(title: string, path: string, what: string): Failure {
  return new FailureBeforeSending('bug', `${title} ${path} is damaged: ${what}`, {
    moneyMoved: 'no',
    hints: [
      hint`Copy the file and its -wal, -shm and -mark neighbours away before anything else: they are evidence.`,
      hint`Restore the newest backup, or move the damaged files aside and reconcile every payout of the lost time by hand.`,
    ],
  })
}

/** The line for a directory that this user may not make, as on a volume of root; null for other errors. */
function cannotMakeDirectoryHint(error: unknown): Hint | null {
  const { code, syscall, path } = error as NodeJS.ErrnoException
  const uid = process.geteuid?.()
  if (code !== 'EACCES' || syscall !== 'mkdir' || path === undefined || uid === undefined) return null
  const above = dirname(path)
  return above === parse(above).root
    ? hint`Name a directory of this user (id ${uid}): export PAYDESK_HOME=/var/lib/paydesk`
    : hint`This user has the id ${uid}. As root: chown ${uid} ${singleQuoted(above)}`
}

function unwritable(title: string, path: string, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error)
  return new FailureBeforeSending('unsent', `${title} ${path} cannot be written: ${why}`, {
    hints: [cannotMakeDirectoryHint(error) ?? mendTheDisk],
  })
}

const damageCodes = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ']
const unwritableCodes = [
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'SQLITE_BUSY',
  'SQLITE_PERM',
]

/** The code that says nothing. */
const unnamed = 'SQLITE_ERROR'

/** Some of the driver's errors come without a code; SQLite's own words for it are fixed. */
const words: readonly (readonly [RegExp, string])[] = [
  [/disk image is malformed/, 'SQLITE_CORRUPT'],
  [/file is not a database/, 'SQLITE_NOTADB'],
  [/database or disk is full/, 'SQLITE_FULL'],
  [/disk I\/O error/, 'SQLITE_IOERR'],
  [/unable to open database file/, 'SQLITE_CANTOPEN'],
  [/readonly database/, 'SQLITE_READONLY'],
  [/database is locked/, 'SQLITE_BUSY'],
  // The tables of its version are not there: another program took them.
  [/no such (?:table|column)/, 'SQLITE_CORRUPT'],
]

function codeByWords(message: string): string {
  return words.find(([pattern]) => pattern.test(message))?.[1] ?? ''
}

/**
 * The meaning of an error of the engine or the file system: damage, or a place that cannot be written. Others pass through.
 */
export function meaningOf(error: unknown, title: string, path: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error
  const code = 'sqliteCodeName' in error ? String(error.sqliteCodeName) : unnamed
  const engine = code === unnamed ? codeByWords(error.message) : code
  const begins = (codes: readonly string[]) => codes.some((code) => engine.startsWith(code))
  if (begins(damageCodes)) return damaged(title, path, error.message)
  const fromFileSystem = 'syscall' in error && 'errno' in error
  return fromFileSystem || begins(unwritableCodes) ? unwritable(title, path, error) : error
}

/** The failure (2) of a store whose version this program does not read. */
export function otherVersion(
  { title, version }: Schema,
  place: string,
  found: number,
  hints: readonly Hint[] = [],
): Failure {
  const words = `${title} ${place} was written by another version of paydesk (schema ${found}; this version reads ${version})`
  return new Failure('usage', words, {
    hints: [...(found > version ? [hint`Update paydesk.`] : []), ...hints],
  })
}

/** The line that sets a store of another version aside, with its neighbours. */
export function howToSetAside(path: string, found: number): Hint {
  const aside = singleQuoted(`${path}.schema-${found}`)
  const file = singleQuoted(path)
  return hint`To start with an empty one, move it away: mkdir ${aside} && mv ${file} ${file}-* ${aside}`
}

export function onNetworkDisk(title: string, path: string, network: string): Failure {
  return new Failure(
    'usage',
    `${title} ${path} is on a network file system (${network}), where locks are not reliable`,
    {
      hints: [hint`Move its whole directory to a local disk and set PAYDESK_HOME.`],
    },
  )
}
