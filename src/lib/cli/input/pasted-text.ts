/** A text that is pasted, piped in or named as a file; and a text that is printed to the letter. */
import { existsSync } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Edge } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { fileTrouble, openedFile, textOf } from '../../readable-file.ts'
import { visibleLines } from '../../visible.ts'

const longest = 16 * 1024 * 1024

export interface TextSource {
  /** The text itself, as an argument. */
  readonly given?: string | undefined
  /** The value of --file; `-` is stdin. */
  readonly file?: string | undefined
  /** Names the text to a person at a terminal. */
  readonly what: string
}

/** The means of a command to read it. */
export interface TextReader {
  readonly edge: Pick<Edge, 'stdin'>
  /** True if a person is there to paste. */
  readonly canAsk: boolean
  readonly output: { readonly say: (line: string) => void }
  /** Stops the reading: ^C. */
  readonly signal: AbortSignal
}

async function bytesFrom(path: string | undefined, { edge, signal }: TextReader): Promise<Buffer> {
  const name = path ?? 'stdin'
  try {
    // As a stream: readFileSync(0) fails with EAGAIN on a pipe that is slow.
    if (path === undefined) return await buffer(addAbortSignal(signal, edge.stdin as Readable))
    return await buffer(await openedFile(path, signal, { end: longest }))
  } catch (error) {
    if (signal.aborted) throw error
    throw new Failure('usage', `${name} cannot be read: ${fileTrouble(error)}`)
  }
}

function invite(what: string, { edge, canAsk, output }: TextReader): void {
  if (!edge.stdin.isTTY) return
  if (!canAsk) throw new Failure('usage', `there is nothing to read: give ${what} on stdin or by --file`)
  output.say(
    `Paste ${what}, then Enter and ^D. A terminal cuts lines after 4095 characters: give longer ones by --file.`,
  )
}

/** Nothing that is pasted here is the name of a file by chance. */
function isFile(given: string, what: string): Failure {
  return new Failure('usage', `${given} is the name of a file, not ${what}`, {
    hints: [hint`A file goes in with --file ${given}, or with <${given}.`],
  })
}

/** The bytes of an argument, a file or stdin. Throws Failure('usage') where there is nothing to read. */
export async function readSource({ given, file, what }: TextSource, reader: TextReader): Promise<Buffer> {
  if (given !== undefined && file !== undefined) {
    throw new Failure('usage', `give ${what} once: as an argument or by --file`)
  }
  if (given !== undefined && given !== '-') {
    if (existsSync(given)) throw isFile(given, what)
    return Buffer.from(given)
  }
  const path = file === '-' ? undefined : file
  if (path === undefined) invite(what, reader)
  const bytes = await bytesFrom(path, reader)
  if (bytes.length > longest) throw new Failure('usage', `${what} is larger than 16 MiB`)
  return bytes
}

/** The same as text. Throws Failure('usage') for bytes that are no UTF-8. */
export async function readText(source: TextSource, reader: TextReader): Promise<string> {
  const bytes = await readSource(source, reader)
  const text = textOf(bytes)
  if (text === null) throw new Failure('usage', `${source.what} is no UTF-8 text`)
  return text
}

/** To a pipe every byte as it is and none more; to a terminal harmless, with a line end. */
export function printExactly(text: string, { stdout }: Edge): void {
  stdout.write(stdout.isTTY ? `${visibleLines(text)}\n` : text)
}

/** The same of bytes that need not be text. */
export function printBytes(bytes: Buffer, edge: Edge): void {
  if (edge.stdout.isTTY) printExactly(bytes.toString('utf8'), edge)
  else edge.stdout.write(bytes)
}
