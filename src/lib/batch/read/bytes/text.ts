/**
 * Bytes as text. Nothing is repaired: a byte that is none of the encoding ends the text with a BrokenFile, after
 * everything before its line was given.
 */
import { isUtf8 } from 'node:buffer'
import { BrokenFile } from '../broken.ts'

export type TextEncoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE'

/** The mark of byte order at the beginning: the encoding it means, and its length. */
export function markOf(start: Buffer): { readonly encoding: TextEncoding; readonly length: number } | null {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return { encoding: 'UTF-8', length: 3 }
  if (start[0] === 0xff && start[1] === 0xfe) return { encoding: 'UTF-16LE', length: 2 }
  if (start[0] === 0xfe && start[1] === 0xff) return { encoding: 'UTF-16BE', length: 2 }
  return null
}

/** The place behind the last whole character of UTF-8: a character that began in the last three bytes may go on. */
function wholeUpTo(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** The bytes of the character of UTF-8 that begins with this one; 0 for a byte that begins none. */
function widthOf(byte: number): number {
  if (byte < 0x80) return 1
  if (byte < 0xc0) return 0
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
}

function firstBreach(bytes: Buffer): number {
  let at = 0
  while (at < bytes.length) {
    const width = widthOf(bytes[at] ?? 0)
    if (width === 0 || (width > 1 && !isUtf8(bytes.subarray(at, at + width)))) return at
    at += width
  }
  return at
}

/** The whole lines before the first byte that is none of UTF-8, and that byte. */
function upToTheBreach(bytes: Buffer): { readonly before: string; readonly wrong: BrokenFile } {
  const at = firstBreach(bytes)
  const line = bytes.lastIndexOf(0x0a, at) + 1
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')
  const wrong = new BrokenFile(`holds the byte ${byte}, which is no UTF-8: save the file as UTF-8`)
  return { before: bytes.toString('utf8', 0, line), wrong }
}

async function* utf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let kept: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const all = kept.length > 0 ? Buffer.concat([kept, chunk]) : chunk
    const end = wholeUpTo(all)
    const whole = all.subarray(0, end)
    kept = Buffer.from(all.subarray(end))
    if (isUtf8(whole)) yield whole.toString('utf8')
    else {
      const { before, wrong } = upToTheBreach(whole)
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
    throw new BrokenFile(`holds bytes that are no ${label.toUpperCase()}`)
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
    if (piece.includes('\0')) throw new BrokenFile('is no text: it holds bytes of zero', 'as a whole')
    yield piece
  }
}

/** Characters that may follow the end that DOS wrote, kept back until more comes. */
const mostEnd = 64 * 1024

/** The text without the end of file of DOS (U+001A), and what stands behind it: ends of lines and more of them. */
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

/** The text in pieces, without the mark of byte order (`mark` bytes). `label` is a name that a TextDecoder knows. */
export function textOf(bytes: AsyncIterable<Buffer>, label: string, mark: number): AsyncIterable<string> {
  const rest = without(bytes, mark)
  return withoutDosEnd(withoutZeros(label.toUpperCase() === 'UTF-8' ? utf8(rest) : otherwise(rest, label)))
}
