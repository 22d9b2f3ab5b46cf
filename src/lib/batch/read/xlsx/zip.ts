/** Opens a ZIP archive in memory and unpacks its entries, up to a limit: a few bytes can unpack to gigabytes. */
import { crc32, inflateRawSync } from 'node:zlib'
import { BrokenFile } from '../file.ts'

/** Bytes that all entries together may unpack to. */
const mostUnpacked = 100 * 1000 * 1000

/** Bytes of text that are given at once. */
const piece = 64 * 1024

const signatures = { entry: 0x04034b50, named: 0x02014b50, end: 0x06054b50, locator: 0x07064b50 }

interface Entry {
  readonly isPacked: boolean
  /** The CRC-32 and the length of what it holds. */
  readonly check: number
  readonly length: number
  readonly packedLength: number
  readonly at: number
}

function damaged(): BrokenFile {
  return new BrokenFile('is a damaged ZIP archive', 'as a whole')
}

/** Normalizes the name of a part: case of ASCII letters is ignored (ECMA-376, part 2), and old .NET programs write backslashes. */
export function partName(name: string): string {
  return name.replaceAll('\\', '/').replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

export class Archive {
  readonly #bytes: Buffer
  readonly #entries: ReadonlyMap<string, Entry>

  /** Throws a BrokenFile for a damaged archive, and for one that is too large or has two entries of one name. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#entries = withoutRangeError(() => entriesOf(bytes))
    const length = [...this.#entries.values()].reduce((sum, entry) => sum + entry.length, 0)
    if (length > mostUnpacked) throw new BrokenFile('unpacks to more than 100 MB: save it as CSV', 'as a whole')
  }

  /** `name`: as `partName` writes it. */
  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** The text of an entry in pieces. Throws a BrokenFile for an entry that is absent, damaged or no UTF-8. */
  *text(name: string): Generator<string> {
    const entry = this.#entries.get(name)
    if (!entry) throw new BrokenFile(`lacks ${name}, which it names: it is damaged`, 'as a whole')
    const bytes = this.#unpack(entry)
    const decoder = new TextDecoder('utf-8', { fatal: true })
    try {
      for (let at = 0; at < bytes.length; at += piece) {
        yield decoder.decode(bytes.subarray(at, at + piece), { stream: true })
      }
      yield decoder.decode()
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw new BrokenFile('holds bytes that are no UTF-8', 'as a whole')
    }
  }

  #unpack({ at, isPacked, packedLength, length, check }: Entry): Buffer {
    const bytes = withoutRangeError(() => {
      if (this.#bytes.readUInt32LE(at) !== signatures.entry) throw damaged()
      const from = at + 30 + this.#bytes.readUInt16LE(at + 26) + this.#bytes.readUInt16LE(at + 28)
      return this.#bytes.subarray(from, from + packedLength)
    })
    const whole = isPacked ? inflated(bytes, length) : bytes
    if (whole.length === length && crc32(whole) === check) return whole
    throw new BrokenFile('is a damaged ZIP archive: a part of it is not what it was when it was packed', 'as a whole')
  }
}

function inflated(bytes: Buffer, length: number): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, length) })
  } catch {
    throw damaged()
  }
}

/** A position beyond the end of the archive is damage. */
function withoutRangeError<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof RangeError ? damaged() : error
  }
}

// The directory at the end of the archive: only entries that it names are read, as in a spreadsheet.

function entriesOf(archive: Buffer): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>()
  let { count, at } = directoryOf(archive)
  for (; count > 0; count -= 1) {
    if (archive.readUInt32LE(at) !== signatures.named) throw damaged()
    const method = archive.readUInt16LE(at + 10)
    const isEncrypted = (archive.readUInt16LE(at + 8) & 1) !== 0
    if (isEncrypted || (method !== 0 && method !== 8)) throw damaged()
    const extraAt = at + 46 + archive.readUInt16LE(at + 28)
    const next = extraAt + archive.readUInt16LE(at + 30)
    const sizes = [archive.readUInt32LE(at + 24), archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 42)]
    const [length = 0, packedLength = 0, place = 0] = wholeSizes(sizes, archive.subarray(extraAt, next))
    const name = partName(archive.toString('utf8', at + 46, extraAt))
    if (entries.has(name)) {
      throw new BrokenFile(
        'is a ZIP archive with two entries of one name: save it again in a spreadsheet',
        'as a whole',
      )
    }
    const check = archive.readUInt32LE(at + 16)
    entries.set(name, { isPacked: method === 8, check, length, packedLength, at: place })
    at = next + archive.readUInt16LE(at + 32)
  }
  return entries
}

/** Where the directory begins; some programs write it in a ZIP64 record. */
function directoryOf(archive: Buffer): { count: number; at: number } {
  const end = archive.length - 22
  if (end < 0 || archive.readUInt32LE(end) !== signatures.end) throw damaged()
  const [count, at] = [archive.readUInt16LE(end + 10), archive.readUInt32LE(end + 16)]
  if (end < 20 || archive.readUInt32LE(end - 20) !== signatures.locator) return { count, at }
  const record = large(archive, end - 12)
  return { count: large(archive, record + 32), at: large(archive, record + 48) }
}

function large(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at))
}

/** Sizes that are written as ffffffff are in the extra field 1, in this order. */
function wholeSizes(sizes: readonly number[], extra: Buffer): readonly number[] {
  if (!sizes.includes(0xffffffff)) return sizes
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let next = at - 4
    return sizes.map((size) => {
      if (size !== 0xffffffff) return size
      next += 8
      return large(extra, next)
    })
  }
  throw damaged()
}
