/**
 * Where everything lies, and files that people name. One directory with PAYDESK_HOME, otherwise the platform's own places; PAYDESK_STORE
 * names a team's store. A home that depends on the current directory is refused: each directory would have a journal of its own,
 * which does not know what the others paid.
 */
import {
  accessSync,
  close,
  constants,
  createReadStream,
  existsSync,
  fstatSync,
  mkdirSync,
  open,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { isatty, ReadStream as TerminalStream } from 'node:tty'
import { type Environment, homeOfUser } from './edge.ts'
import { FailureBeforeSending } from './failure.ts'
import { type Hint, hint } from './hint.ts'
import { singleQuoted } from './text.ts'

export interface Places {
  /** Directory of the profiles. */
  readonly config: string
  /** The journal's database file. */
  readonly journal: string
  /** The address of the store that a team shares (`postgres://…`); null where everybody keeps a journal of their own. */
  readonly team: string | null
  /** The database file of received callbacks. */
  readonly callbacks: string
  /** Directory of the plans of batches, a database file each. */
  readonly batches: string
  /** Directory of answers that a team's store could not take, until it does. */
  readonly outbox: string
  /** Directory of the sandbox. */
  readonly sandbox: string
  /** Directory of the cached access tokens. */
  readonly tokens: string
}

/** The directories of the platform, as oclif finds them. */
export interface PlatformDirectories {
  readonly configDir: string
  readonly dataDir: string
  readonly cacheDir: string
}

/** Variables that say where the directories of the platform are. */
const platformVariables = ['CONFIG', 'DATA', 'CACHE']
  .flatMap((each) => [`PAYDESK_${each}_DIR`, `XDG_${each}_HOME`])
  .concat('HOME', 'LOCALAPPDATA')

/** The line that names the place which was meant, as far as it can be known. */
function fullPathHint(name: string, path: string, env: Environment): Hint {
  const home = name === 'HOME' ? null : homeOfUser(env.HOME)
  const rest = /^~(?:\/(.*))?$/s.exec(path)
  if (!path.startsWith('~'))
    return hint`Write the full path, such as export ${name}=${singleQuoted(join(process.cwd(), path))}.`
  if (!rest || home === null || !isAbsolute(home)) return hint`The shell did not replace ~: write the full path.`
  return hint`No shell has replaced the ~, which stood in quotes or in a file: export ${name}=${singleQuoted(join(home, rest[1] ?? ''))}`
}

/** Throws usage (2) unless the places are the same from every directory. */
function mustBeAbsolute(env: Environment, { configDir, dataDir, cacheDir }: PlatformDirectories): void {
  const own = env.PAYDESK_HOME
  if (own ? isAbsolute(own) : [configDir, dataDir, cacheDir].every((each) => isAbsolute(each))) return
  const name = own ? 'PAYDESK_HOME' : platformVariables.find((each) => env[each] && !isAbsolute(env[each]))
  if (name === undefined)
    throw new FailureBeforeSending('usage', 'this user has no home directory, so the journal has no place', {
      hints: [hint`Name a directory that stays: export PAYDESK_HOME=/var/lib/paydesk`],
    })
  const path = env[name] ?? ''
  const why = `${name} is ${singleQuoted(path)}, a relative path, which would be another journal in every directory`
  throw new FailureBeforeSending('usage', why, { hints: [fullPathHint(name, path, env)] })
}

/** Throws usage (2) where they depend on the current directory, or where there are none. */
export function places(env: Environment, dirs: PlatformDirectories): Places {
  mustBeAbsolute(env, dirs)
  const home = env.PAYDESK_HOME ? resolve(env.PAYDESK_HOME) : null
  const data = home ?? dirs.dataDir
  return {
    team: env.PAYDESK_STORE || null,
    config: home === null ? dirs.configDir : join(home, 'config'),
    journal: join(data, 'journal', 'journal.db'),
    callbacks: join(data, 'callbacks', 'callbacks.db'),
    batches: join(data, 'batches'),
    outbox: join(data, 'outbox'),
    sandbox: join(data, 'sandbox'),
    tokens: join(home ?? dirs.cacheDir, 'tokens'),
  }
}

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

// Files that a profile points at are looked at before use, because a wrong path can be a device that never ends or a pipe that is
// gone tomorrow, and because others may be able to read what only its owner should.

/** Keys and bundles of certificates are a few hundred kilobytes at most. */
const largest = 4 * 1024 * 1024

/** The reason why a file cannot be read, in words that follow "cannot be read: "; null if it can. */
export function unreadable(path: string): string | null {
  try {
    const stat = statSync(path)
    if (!stat.isFile()) return stat.isDirectory() ? 'it is a directory' : 'it is not a regular file'
    if (stat.size > largest) return 'it is larger than any key or certificate'
    accessSync(path, constants.R_OK)
    return null
  } catch (error) {
    return fileTrouble(error)
  }
}

/** The bytes of a file, or why there are none. */
export function contents(path: string): { readonly bytes: Buffer } | { readonly why: string } {
  const why = unreadable(path)
  if (why !== null) return { why }
  try {
    return { bytes: readFileSync(path) }
  } catch (error) {
    return { why: fileTrouble(error) }
  }
}

/**
 * The bytes of a file, a pipe or a terminal that a person named, until the signal fires. A pipe that has no writer yet would hold
 * the thread that opens it, and with it the end of the process: it is opened without blocking, and waited for as a socket is.
 */
export async function openedFile(
  path: string,
  signal: AbortSignal,
  options: { readonly end?: number } = {},
): Promise<Readable> {
  signal.throwIfAborted()
  const fd = await new Promise<number>((resolve, reject) => {
    // A file system that does not answer is left behind: its thread cannot be stopped.
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0), (error, opened) => {
      signal.removeEventListener('abort', stop)
      if (error) reject(error)
      else if (signal.aborted) close(opened)
      else resolve(opened)
    })
  })
  const isPipe = fstatSync(fd).isFIFO()
  const stream = isPipe
    ? new Socket({ fd, readable: true, writable: false })
    : isatty(fd)
      ? new TerminalStream(fd)
      : createReadStream(path, { fd, ...options })
  return addAbortSignal(signal, stream)
}

/** UTF-8, or UTF-16 with its mark, as shells of Windows write it; the mark is left out. Null for other bytes. */
export function textOf(bytes: Uint8Array): string | null {
  const [first, second] = bytes
  const label =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Undefined where there is nothing, or nothing that may be looked at: what is read or made there says so in its own words. */
function found(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The ways in which others may write a place: by its mode, or because it belongs to one of them. */
export type WrittenBy = 'mode' | 'owner'

/**
 * The way in which others may write a file or a directory; null where they may not. Its group counts, too, because its members are
 * not known, and so does a sticky directory, as /tmp is: others may put there what is missing. An owner may write whatever the
 * mode is: only this user and root are believed. Windows has no modes to tell by.
 */
export function othersMayWrite({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): WrittenBy | null {
  if (process.platform === 'win32') return null
  if (uid !== 0 && uid !== process.geteuid?.()) return 'owner'
  return (mode & 0o022) === 0 ? null : 'mode'
}

/** The line that mends it, as far as this user may run one: a volume often belongs to root, and its modes to the cluster. */
function repairCommand(path: string, by: WrittenBy, { uid }: Stats): Hint {
  const own = process.geteuid?.()
  if (own === 0 || own === uid)
    return by === 'mode' ? hint`chmod go-w ${singleQuoted(path)}` : hint`chown "$(id -u)" ${singleQuoted(path)}`
  return by === 'mode'
    ? hint`As root, or as its owner: chmod go-w ${singleQuoted(path)}`
    : hint`As root: chown ${String(own)} ${singleQuoted(path)}`
}

/**
 * Refuses a place that others may write: they could put another key, another address or another journal there. A place that
 * does not exist yet is fine. Throws Failure('credentials') with the line that mends it, or another one that `instead` gives.
 */
export function mustBeOwn(path: string, what: string, instead: () => Hint | null = () => null): void {
  const stat = found(path)
  // A device or a pipe is refused for its kind, whatever its mode.
  const by = stat?.isFile() || stat?.isDirectory() ? othersMayWrite(stat) : null
  if (stat === undefined || by === null) return
  const said = by === 'mode' ? 'may be written by others' : 'belongs to another user, who may write it'
  throw new FailureBeforeSending('credentials', `${what} ${path} ${said}`, {
    hints: [instead() ?? repairCommand(path, by, stat)],
  })
}

/** True if others than the owner may read the file. Windows has no modes to tell by. */
export function othersMayRead(path: string): boolean {
  if (process.platform === 'win32') return false
  const stat = found(path)
  return stat !== undefined && (stat.mode & 0o077) !== 0
}

/** The warning about a secret that others may read; none where they may not. */
export function warningsAbout(path: string): readonly string[] {
  return othersMayRead(path) ? [`others can read ${path}: run chmod 600`] : []
}

const words: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it does not exist',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
}

/** The reason why an operation on a file failed, in words that follow "cannot be read: ". */
export function fileTrouble(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return ('code' in error && words[String(error.code)]) || error.message
}
