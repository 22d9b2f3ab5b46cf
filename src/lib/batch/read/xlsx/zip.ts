/** Unpacks a ZIP archive piece by piece, up to a limit: a few bytes can unpack to gigabytes. */
import { crc32 } from 'node:zlib'
import { Inflate } from 'fflate'
import { BrokenFile } from '../file.ts'

/** Bytes that all entries together may unpack to. */
const mostUnpacked = 100 * 1000 * 1000

/** Small, because a piece may unpack to a thousand times its size before it is counted. */
const piece = 16 * 1024

export interface EntrySink {
  /** Throws a BrokenFile for a wrong entry. */
  take(text: string): void
  end(): void
}

/** Checks the bytes of one entry against the directory. */
class Unpacking {
  readonly #entry: Entry
  readonly #sink: EntrySink
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #check = 0
  length = 0

  constructor(entry: Entry, sink: EntrySink) {
    this.#entry = entry
    this.#sink = sink
  }

  take(bytes: Uint8Array): void {
    this.length += bytes.length
    this.#check = crc32(bytes, this.#check)
    this.#sink.take(this.#decoder.decode(bytes, { stream: true }))
  }

  end(): void {
    if (this.length !== this.#entry.length || this.#check !== this.#entry.check) {
      throw new BrokenFile('is a damaged ZIP archive: a part of it is not what it was when it was packed', 'as a whole')
    }
    this.#sink.take(this.#decoder.decode())
    this.#sink.end()
  }
}

/**
 * Unpacks the entries that have a sink. Yields after each piece, so that the caller can use what was read. Throws a BrokenFile for a
 * damaged archive, and for one that two programs may read differently.
 */
export function* unpacked(archive: Buffer, sinkOf: (name: string) => EntrySink | null): Generator<void> {
  let before = 0
  for (const entry of entriesNamedIn(archive)) {
    const sink = sinkOf(entry.name)
    if (!sink) continue
    const unpacking = new Unpacking(entry, sink)
    for (const bytes of piecesOf(entry)) {
      inPlainWords(() => unpacking.take(bytes))
      if (before + unpacking.length > mostUnpacked) {
        throw new BrokenFile('unpacks to more than 100 MB: save it as CSV', 'as a whole')
      }
      yield
    }
    inPlainWords(() => unpacking.end())
    before += unpacking.length
    yield
  }
}

function* piecesOf({ bytes, isPacked }: Entry): Generator<Uint8Array> {
  const ready: Uint8Array[] = []
  const inflate = isPacked ? new Inflate((piece) => ready.push(piece)) : null
  for (let at = 0; at < bytes.length; at += piece) {
    const some = bytes.subarray(at, at + piece)
    if (inflate) inPlainWords(() => inflate.push(some, at + piece >= bytes.length))
    else ready.push(some)
    yield* ready.splice(0)
  }
}

/** Turns errors of the decoders into complaints. */
function inPlainWords(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (error instanceof TypeError) throw new BrokenFile('holds bytes that are no UTF-8', 'as a whole')
    if (error instanceof BrokenFile || !isOfInflate(error)) throw error
    throw new BrokenFile('is a damaged ZIP archive', 'as a whole')
  }
}

function isOfInflate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number'
}

// The directory at the end of the archive. A spreadsheet reads only entries that it names. Bytes between the entries, and two entries
// of one name, are refused.

interface Entry {
  /** As `partName` writes it. */
  readonly name: string
  readonly isPacked: boolean
  /** The CRC-32 and the length of what it holds. */
  readonly check: number
  readonly length: number
  /** The packed bytes. */
  readonly bytes: Buffer
}

/** Normalizes the name of a part: case of ASCII letters is ignored (ECMA-376, part 2), and old .NET programs write backslashes. */
export function partName(name: string): string {
  return name.replaceAll('\\', '/').replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

interface Named extends Omit<Entry, 'bytes'> {
  /** As in the archive. */
  readonly written: string
  readonly flags: number
  readonly packedLength: number
  readonly at: number
}

const signatures = { entry: 0x04034b50, named: 0x02014b50, end: 0x06054b50, end64: 0x06064b50, locator: 0x07064b50 }

function damaged(): BrokenFile {
  return new BrokenFile('is a damaged ZIP archive', 'as a whole')
}

function wrong(why: string): BrokenFile {
  return new BrokenFile(`is a ZIP archive ${why}: save it anew in a spreadsheet`, 'as a whole')
}

/** The entries in their order. Throws a BrokenFile for an archive that two programs may read differently. */
function entriesNamedIn(archive: Buffer): readonly Entry[] {
  try {
    const { count, from, until } = endOf(archive)
    const named = namedFrom(archive, { count, from, until })
    const names = new Set(named.map(({ name }) => name.toLowerCase()))
    if (names.size < named.length) throw wrong('with two entries of one name')
    return inTheirPlaces(archive, named, from)
  } catch (error) {
    // A position beyond the end of the archive.
    throw error instanceof RangeError ? damaged() : error
  }
}

interface Extent {
  readonly count: number
  readonly from: number
  readonly until: number
}

/** The position of the directory; a large archive has it in a ZIP64 record. */
function endOf(archive: Buffer): Extent {
  const end = archive.length - 22
  if (end < 0 || archive.readUInt32LE(end) !== signatures.end) throw damaged()
  const plain = { count: archive.readUInt16LE(end + 10), from: archive.readUInt32LE(end + 16) }
  const hasLocator = end >= 76 && archive.readUInt32LE(end - 20) === signatures.locator
  const extent = hasLocator ? largeEnd(archive, end - 20) : { ...plain, length: archive.readUInt32LE(end + 12) }
  const until = hasLocator ? end - 76 : end
  if (archive.readUInt32LE(end + 4) !== 0 || extent.from + extent.length !== until) throw damaged()
  return { ...extent, until }
}

function largeEnd(archive: Buffer, locator: number) {
  const at = locator - 56
  if (archive.readUInt32LE(at) !== signatures.end64 || large(archive, locator + 8) !== at) throw damaged()
  return { count: large(archive, at + 32), length: large(archive, at + 40), from: large(archive, at + 48) }
}

function large(archive: Buffer, at: number): number {
  return Number(archive.readBigUInt64LE(at))
}

function namedFrom(archive: Buffer, { count, from, until }: Extent): readonly Named[] {
  const named: Named[] = []
  for (let at = from; at < until; ) {
    if (archive.readUInt32LE(at) !== signatures.named) throw damaged()
    const [nameLength, extraLength] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30)]
    const extraAt = at + 46 + nameLength
    const extra = archive.subarray(extraAt, extraAt + extraLength)
    const sizes = [archive.readUInt32LE(at + 24), archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 42)]
    const [length = 0, packedLength = 0, place = 0] = wholeSizes(sizes, extra)
    const method = archive.readUInt16LE(at + 10)
    const flags = archive.readUInt16LE(at + 8)
    if ((flags & 1) !== 0 || (method !== 0 && method !== 8)) throw damaged()
    const written = archive.toString('utf8', at + 46, extraAt)
    named.push({
      ...{ name: partName(written), written, flags, isPacked: method === 8, check: archive.readUInt32LE(at + 16) },
      ...{ length, packedLength, at: place },
    })
    at = extraAt + extraLength + archive.readUInt16LE(at + 32)
    if (at > until) throw damaged()
  }
  if (named.length !== count) throw damaged()
  return named
}

/** Sizes that do not fit in four bytes are in the extra field 1, in this order. */
function wholeSizes(sizes: readonly number[], extra: Buffer): readonly number[] {
  if (!sizes.includes(0xffffffff)) return sizes
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let next = at + 4
    return sizes.map((size) => {
      if (size !== 0xffffffff) return size
      next += 8
      return large(extra, next - 8)
    })
  }
  throw damaged()
}

/** Each entry begins where the entry before ends, and agrees with the directory. */
function inTheirPlaces(archive: Buffer, named: readonly Named[], until: number): readonly Entry[] {
  const sorted = named.toSorted((a, b) => a.at - b.at)
  let end = 0
  const entries = sorted.map((each, index): Entry => {
    const { at, written, packedLength, flags } = each
    if (at !== end || archive.readUInt32LE(at) !== signatures.entry) throw strange()
    const from = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28)
    const ownName = archive.toString('utf8', at + 30, at + 30 + archive.readUInt16LE(at + 26))
    if (ownName !== written || archive.readUInt16LE(at + 8) !== (each.isPacked ? 8 : 0)) throw strange()
    const next = sorted[index + 1]?.at ?? until
    end = from + packedLength
    // Sizes that were unknown at first stand behind the entry.
    const isDescribed = (flags & 8) !== 0
    if (isDescribed && [12, 16, 20, 24].includes(next - end)) end = next
    if (!isDescribed && archive.readUInt32LE(at + 14) !== each.check) throw strange()
    return { ...each, bytes: archive.subarray(from, from + packedLength) }
  })
  if (end !== until) throw strange()
  return entries
}

function strange(): BrokenFile {
  return wrong('that holds something which its directory does not name')
}
