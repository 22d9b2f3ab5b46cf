/**
 * Files that a command makes (readable by their owner only, and never over one that exists), and documents written to
 * stdout piece by piece.
 */
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../../failure.ts'
import { makePrivateDirectory } from '../../paths.ts'
import { visibleLines } from '../../text.ts'
import type { Invocation } from '../invocation.ts'

const words: Readonly<Record<string, string>> = {
  EEXIST: 'already exists and is never overwritten',
  ENOENT: 'cannot be written: there is no such directory',
  ENOTDIR: 'cannot be written: a part of its path is not a directory',
  EACCES: 'cannot be written: permission denied',
}

export interface NewFile {
  readonly path: string
  readonly text: string
}

export function unwritableFile(path: string, error: unknown): Failure {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new Failure('usage', `${path} ${words[code] ?? `cannot be written: ${message}`}; no file was written`)
}

function write({ path, text }: NewFile, make: boolean): void {
  try {
    if (make) makePrivateDirectory(dirname(path))
    writeFileSync(path, text, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    throw unwritableFile(path, error)
  }
}

/** Writes one that need not fit into memory, mode 0600, or none. Throws Failure('usage'). */
export async function writeNewPieces(path: string, pieces: Iterable<string | Uint8Array>): Promise<void> {
  let made: FileHandle
  try {
    made = await open(path, 'wx', 0o600)
  } catch (error) {
    throw unwritableFile(path, error)
  }
  try {
    for (const piece of pieces) await made.appendFile(piece)
    await made.sync()
  } catch (error) {
    rmSync(path, { force: true })
    throw unwritableFile(path, error)
  } finally {
    await made.close()
  }
}

/** Writes all of them, mode 0600, or none; `make`: their directory, too. Throws Failure('usage'). */
export function writeNewFiles(files: readonly NewFile[], make = false): void {
  const written: string[] = []
  try {
    for (const file of files) {
      write(file, make)
      written.push(file.path)
    }
  } catch (error) {
    for (const path of written) rmSync(path, { force: true })
    throw error
  }
}

/** Waits for a reader that is slower; one that has gone away wants no more. */
export function toStdout({ edge: { stdout }, output }: Pick<Invocation, 'edge' | 'output'>) {
  return async (text: string): Promise<void> => {
    if (output.unread.aborted || stdout.write(stdout.isTTY ? visibleLines(text) : text)) return
    await once(stdout, 'drain', { signal: output.unread }).catch((error: unknown) => {
      if (!output.unread.aborted) throw error
    })
  }
}
