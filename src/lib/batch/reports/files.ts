/**
 * Writes files piece by piece. A file appears under its name complete or not at all, is readable by its owner only, and replaces no
 * other file unless that is allowed. Also writes rows of cells as CSV.
 */
import { existsSync } from 'node:fs'
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { fileTrouble, makePrivateDirectory } from '../../paths.ts'

/** Characters that are collected before they are written. */
const atOnce = 256 * 1024

/** Does the work on a file. A failure of the system is usage (2). */
async function onFile<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('usage', `${path} cannot be written: ${fileTrouble(error)}; no file was written`)
  }
}

function existsFailure(path: string): Failure {
  return new Failure('usage', `${path} already exists; no file was written`, {
    hints: [hint`Choose another name, or overwrite it with \`--overwrite\`.`],
  })
}

export class GrowingFile {
  readonly path: string
  readonly draft: string
  readonly #handle: FileHandle
  #text = ''

  private constructor(path: string, draft: string, handle: FileHandle) {
    this.path = path
    this.draft = draft
    this.#handle = handle
  }

  /** Makes the folder, too. `mark`: makes the name of the draft unique among processes. */
  static open(path: string, mark: string): Promise<GrowingFile> {
    return onFile(path, async () => {
      makePrivateDirectory(dirname(path))
      const draft = join(dirname(path), `.${basename(path)}.${mark}.tmp`)
      return new GrowingFile(path, draft, await open(draft, 'wx+', 0o600))
    })
  }

  async write(text: string): Promise<void> {
    this.#text += text
    if (this.#text.length >= atOnce) await this.#flush()
  }

  /** The text so far, from its beginning. */
  async *read(): AsyncGenerator<string> {
    await this.#flush()
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    const buffer = Buffer.alloc(atOnce)
    for (let at = 0; ; ) {
      const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield decoder.decode(buffer.subarray(0, bytesRead), { stream: true })
    }
  }

  async finish(): Promise<void> {
    await this.#flush()
    await onFile(this.path, async () => {
      await this.#handle.sync()
      await this.#handle.close()
    })
  }

  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined)
    await rm(this.draft, { force: true })
  }

  #flush(): Promise<void> {
    const text = this.#text
    this.#text = ''
    // Not `write`, which may write a part of the text only.
    return onFile(this.path, () => this.#handle.appendFile(text))
  }
}

export interface FilePlacing {
  readonly overwrite: boolean
  /** As in `GrowingFile.open`. */
  readonly mark: string
}

/** Several files that appear together. */
export class NewFiles {
  readonly #placing: FilePlacing
  readonly #files: GrowingFile[] = []
  readonly #temporary: GrowingFile[] = []

  constructor(placing: FilePlacing) {
    this.#placing = placing
  }

  /** Throws usage (2) for a file that exists, and a place that cannot be written. */
  async open(path: string): Promise<GrowingFile> {
    const { overwrite, mark } = this.#placing
    if (!overwrite && existsSync(path)) throw existsFailure(path)
    const file = await GrowingFile.open(path, mark)
    this.#files.push(file)
    return file
  }

  /** A file that is deleted with the end of the others. */
  async temporary(path: string): Promise<GrowingFile> {
    const file = await GrowingFile.open(path, this.#placing.mark)
    this.#temporary.push(file)
    return file
  }

  async publish(): Promise<void> {
    const { overwrite } = this.#placing
    for (const file of this.#files) await file.finish()
    for (const [at, file] of this.#files.entries()) {
      try {
        await onFile(file.path, () => (overwrite ? rename(file.draft, file.path) : nameFile(file)))
      } catch (error) {
        for (const { path } of overwrite ? [] : this.#files.slice(0, at)) await rm(path, { force: true })
        throw error
      }
    }
  }

  async discard(): Promise<void> {
    for (const file of [...this.#files, ...this.#temporary]) await file.discard()
  }
}

/** Names a file without replacing a file that appeared meanwhile. */
async function nameFile({ draft, path }: GrowingFile): Promise<void> {
  try {
    await link(draft, path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EEXIST' || existsSync(path)) throw existsFailure(path)
    // A file system without links.
    await rename(draft, path)
    return
  }
  await rm(draft, { force: true })
}

/** Does the work, and leaves all of its files or none. */
export async function withFiles<Result>(
  placing: FilePlacing,
  work: (files: NewFiles) => Promise<Result>,
): Promise<Result> {
  const files = new NewFiles(placing)
  try {
    const result = await work(files)
    await files.publish()
    return result
  } finally {
    await files.discard()
  }
}

// CSV with a byte order mark: without one, spreadsheets misread Georgian letters.

const mark = '\uFEFF'

const quotes = { quoted_match: /\r/ }

export function sheetHeader(names: readonly string[], delimiter = ','): string {
  return `${mark}${stringify([[...names]], { ...quotes, delimiter })}`
}

export function sheetRows(rows: readonly (readonly string[])[], delimiter = ','): string {
  return rows.length === 0
    ? ''
    : stringify(
        rows.map((row) => [...row]),
        { ...quotes, delimiter },
      )
}
