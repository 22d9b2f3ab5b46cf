/** A text that somebody pastes, pipes in or names a file of; and a text that is printed to the letter. */
import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { Edge } from '../edge.ts'
import { Failure } from '../failure.ts'
import { clean } from './clean.ts'

const longest = 16 * 1024 * 1024

export interface TextSource {
  /** The text itself, as an argument. */
  readonly given?: string | undefined
  /** The value of --file; `-` is stdin. */
  readonly file?: string | undefined
  /** What is asked for, to a person at a terminal. */
  readonly what: string
}

async function bytesFrom(stream: AsyncIterable<unknown>, name: string): Promise<Buffer> {
  try {
    // As a stream: readFileSync(0) fails with EAGAIN on a pipe that is slow.
    return await buffer(stream as NodeJS.ReadableStream)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Failure('usage', `${name} cannot be read: ${why}`)
  }
}

/** The bytes of an argument, a file or stdin. Throws Failure('usage') where there is nothing to read. */
export async function readBytes(
  { given, file, what }: TextSource,
  edge: Edge,
  canAsk: boolean,
  say: (line: string) => void,
): Promise<Buffer> {
  if (given !== undefined && file !== undefined)
    throw new Failure('usage', `give ${what} once: as an argument or by --file`)
  if (given !== undefined && given !== '-') return Buffer.from(given)
  const path = file === '-' ? undefined : file
  if (path === undefined && edge.stdin.isTTY) {
    if (!canAsk) throw new Failure('usage', `there is nothing to read: give ${what} on stdin or by --file`)
    say(
      `Paste ${what} and end with ^D on a line of its own. A terminal cuts lines after 4095 characters: longer ones by --file.`,
    )
  }
  const bytes = await bytesFrom(
    path === undefined ? edge.stdin : createReadStream(path, { end: longest }),
    path ?? 'stdin',
  )
  if (bytes.length > longest) throw new Failure('usage', `${what} is larger than 16 MiB`)
  return bytes
}

/** The same as text. Throws Failure('usage') for bytes that are no UTF-8. */
export async function readText(
  source: TextSource,
  edge: Edge,
  canAsk: boolean,
  say: (line: string) => void,
): Promise<string> {
  const bytes = await readBytes(source, edge, canAsk, say)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Failure('usage', `${source.what} is no UTF-8 text`)
  }
}

/** To a pipe every byte as it is and none more; to a terminal harmless, with a line end. */
export function printExactly(text: string, { stdout }: Edge): void {
  stdout.write(stdout.isTTY ? `${text.split('\n').map(clean).join('\n')}\n` : text)
}
