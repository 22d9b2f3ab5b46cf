/**
 * Files that people name. Those that a profile points at are looked at before use, because a wrong path can be a device that never
 * ends or a pipe that is gone tomorrow, and because others may be able to read what only its owner should. Others may be pipes.
 */
import {
  accessSync,
  close,
  constants,
  createReadStream,
  fstatSync,
  open,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { addAbortSignal, type Readable } from 'node:stream'
import { isatty, ReadStream as TerminalStream } from 'node:tty'
import { FailureBeforeSending } from './failure-before-sending.ts'
import { type Hint, hint } from './hint.ts'
import { singleQuoted } from './shell-word.ts'

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
function mendingLine(path: string, by: WrittenBy, { uid }: Stats): Hint {
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
    hints: [instead() ?? mendingLine(path, by, stat)],
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
  return othersMayRead(path) ? [`others may read ${path}: chmod 600 keeps it to yourself`] : []
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
