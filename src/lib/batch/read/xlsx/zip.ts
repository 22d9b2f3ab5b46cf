/** The entries of a ZIP archive, unpacked piece by piece and never beyond a limit: a few bytes can unpack to gigabytes. */
import { crc32 } from 'node:zlib'
import { Inflate } from 'fflate'
import { BrokenFile } from '../broken.ts'
import { type Entry, entriesNamedIn } from './directory.ts'

/** Bytes that all entries together may unpack to. The largest sheet that is taken is half of that. */
const mostUnpacked = 100 * 1000 * 1000

/** Small, because a piece may unpack to a thousand times its size before it is counted. */
const piece = 16 * 1024

export interface EntrySink {
  /** Throws a BrokenFile where the entry is wrong. */
  take(text: string): void
  end(): void
}

/** Takes the bytes of one entry, and holds them against what the directory says of them. */
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
 * Unpacks the entries for which there is a sink. Pauses after each piece, so that what was read can be taken. Throws a BrokenFile
 * for an archive that is damaged, or that two programs may read differently.
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

/** The errors of the decoders, told as damage of the file. */
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
