/** The bytes of a file, and the text in them, as a stream: the file is never whole in memory. Wrong bytes are never replaced. */

import { isUtf8 } from 'node:buffer'
import { addAbortSignal, type Readable } from 'node:stream'
import { Failure } from '../../failure.ts'
import { fileTrouble, openedFile } from '../../paths.ts'

export class BrokenFile extends Error {
  /** True if the next row is meant; false if the whole file is meant. */
  readonly hasRow: boolean

  /** `why` follows the name of the file, or of the row. */
  constructor(why: string, where: 'in a row' | 'as a whole' = 'in a row') {
    super(why)
    this.hasRow = where === 'in a row'
  }
}

export interface FileToRead {
  readonly name: string
  /** Can be read once. */
  readonly bytes: AsyncIterable<Uint8Array>
}

async function* bytesOf(
  open: () => Readable | Promise<Readable>,
  name: string,
  signal: AbortSignal | null,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of await open()) {
      signal?.throwIfAborted()
      yield Buffer.from(chunk)
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw new Failure('usage', `${name} cannot be read: ${fileTrouble(error)}`)
  }
}

const never = new AbortController().signal

/** `-` is stdin. Reading the bytes throws Failure('usage') if they cannot be read. */
export function fileToRead(path: string, stdin: () => NodeJS.ReadableStream, signal: AbortSignal | null): FileToRead {
  const name = path === '-' ? 'stdin' : path
  async function* taken() {
    // Opened when it is read, so that no unread stream needs a listener.
    const open = () =>
      path === '-' ? addAbortSignal(signal ?? never, stdin() as Readable) : openedFile(path, signal ?? never)
    yield* bytesOf(open, name, signal)
  }
  return { name, bytes: taken() }
}

export interface Peeked {
  /** At least `least` bytes, or the whole file. */
  readonly start: Buffer
  /** All bytes, `start` included. */
  readonly all: AsyncIterable<Buffer>
}

async function* continued(start: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    if (start.length > 0) yield start
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield asBuffer(next.value)
  } finally {
    await rest.return?.()
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export async function peekBytes(bytes: AsyncIterable<Uint8Array>, least: number): Promise<Peeked> {
  const rest = bytes[Symbol.asyncIterator]()
  const taken: Buffer[] = []
  let length = 0
  while (length < least) {
    const next = await rest.next()
    if (next.done) break
    taken.push(asBuffer(next.value))
    length += next.value.length
  }
  const start = Buffer.concat(taken)
  return { start, all: continued(start, rest) }
}

// Bytes as text. A byte that the encoding does not allow ends the text with a BrokenFile, after all lines before it.

export type TextEncoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE'

export function byteOrderMark(start: Buffer): { readonly encoding: TextEncoding; readonly length: number } | null {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return { encoding: 'UTF-8', length: 3 }
  if (start[0] === 0xff && start[1] === 0xfe) return { encoding: 'UTF-16LE', length: 2 }
  if (start[0] === 0xfe && start[1] === 0xff) return { encoding: 'UTF-16BE', length: 2 }
  return null
}

/** The end of the last whole UTF-8 character: a character may go on in the next chunk. */
function endOfLastCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** The whole lines before the first byte that is no UTF-8, and the complaint about that byte. */
function splitAtBreach(bytes: Buffer): { readonly before: string; readonly wrong: BrokenFile } {
  let line = 0
  for (let end = bytes.indexOf(0x0a); end >= 0 && isUtf8(bytes.subarray(line, end)); end = bytes.indexOf(0x0a, line)) {
    line = end + 1
  }
  const [valid = ''] = bytes.toString('utf8', line).split('\uFFFD', 1)
  const byte = (bytes[line + Buffer.byteLength(valid)] ?? 0).toString(16).toUpperCase().padStart(2, '0')
  const wrong = new BrokenFile(`holds the byte ${byte}, which is not UTF-8: save the file as UTF-8`)
  return { before: bytes.toString('utf8', 0, line), wrong }
}

async function* utf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let kept: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const all = kept.length > 0 ? Buffer.concat([kept, chunk]) : chunk
    const end = endOfLastCharacter(all)
    const whole = all.subarray(0, end)
    kept = Buffer.from(all.subarray(end))
    if (isUtf8(whole)) yield whole.toString('utf8')
    else {
      const { before, wrong } = splitAtBreach(whole)
      yield before
      throw wrong
    }
  }
  if (kept.length > 0) throw new BrokenFile('ends in the middle of a character')
}

async function* otherwise(bytes: AsyncIterable<Buffer>, label: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true })
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new BrokenFile(`holds bytes that are not ${label.toUpperCase()}`)
  }
}

async function* without(bytes: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let left = length
  for await (const chunk of bytes) {
    const cut = Math.min(left, chunk.length)
    left -= cut
    if (cut < chunk.length) yield chunk.subarray(cut)
  }
}

async function* withoutZeros(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text) {
    if (piece.includes('\0')) throw new BrokenFile('is not text: it holds zero bytes', 'as a whole')
    yield piece
  }
}

/** Characters behind the end mark of DOS that are kept back until more text comes. */
const mostEnd = 64 * 1024

/** The text without the end mark of DOS (U+001A), and without line ends and further marks behind it. */
async function* withoutDosEnd(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = ''
  for await (const piece of text) {
    const all = held + piece
    let end = all.length
    while (end > 0 && '\x1A\r\n'.includes(all.charAt(end - 1))) end -= 1
    const at = all.indexOf('\x1A', end)
    held = at < 0 || all.length - at > mostEnd ? '' : all.slice(at)
    yield held === '' ? all : all.slice(0, at)
  }
}

/** The text in pieces, without the byte order mark (`mark` bytes). `label`: an encoding that TextDecoder knows. */
export function decodeText(bytes: AsyncIterable<Buffer>, label: string, mark: number): AsyncIterable<string> {
  const rest = without(bytes, mark)
  return withoutDosEnd(withoutZeros(label.toUpperCase() === 'UTF-8' ? utf8(rest) : otherwise(rest, label)))
}
