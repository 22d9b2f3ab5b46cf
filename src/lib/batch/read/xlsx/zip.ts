/** The entries of a ZIP archive, unpacked piece by piece and never beyond a limit: a few bytes can unpack to gigabytes. */
import { Unzip, UnzipInflate } from 'fflate'
import { BrokenFile } from '../broken.ts'

/** Bytes that all entries together may unpack to. The largest sheet that is taken is half of that. */
const mostUnpacked = 100 * 1000 * 1000

/** Small, because a piece may unpack to a thousand times its size before it is counted. */
const piece = 16 * 1024

export interface EntrySink {
  /** Throws a BrokenFile where the entry is wrong. */
  take(text: string): void
  end(): void
}

class Unpacking {
  #unpacked = 0
  failure: unknown = null

  /** A taker of the bytes of one entry. */
  into(sink: EntrySink) {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    return (error: Error | null, bytes: Uint8Array, isLast: boolean) => {
      if (this.failure !== null) return
      try {
        if (error) throw new BrokenFile('is a damaged ZIP archive', 'as a whole')
        this.#unpacked += bytes.length
        if (this.#unpacked > mostUnpacked)
          throw new BrokenFile('unpacks to more than 100 MB: save it as CSV', 'as a whole')
        sink.take(decoder.decode(bytes, { stream: !isLast }))
        if (isLast) sink.end()
      } catch (thrown) {
        const isText = thrown instanceof TypeError
        this.failure = isText ? new BrokenFile('holds bytes that are no UTF-8', 'as a whole') : thrown
      }
    }
  }
}

/** Unpacks the entries for which there is a sink. Pauses after each piece, so that what was read can be taken. */
export function* unpacked(archive: Buffer, sinkOf: (name: string) => EntrySink | null): Generator<void> {
  const unpacking = new Unpacking()
  const unzip = new Unzip((entry) => {
    const sink = sinkOf(entry.name)
    if (!sink) return
    entry.ondata = unpacking.into(sink)
    entry.start()
  })
  unzip.register(UnzipInflate)
  for (let at = 0; at < archive.length; at += piece) {
    try {
      unzip.push(archive.subarray(at, at + piece), at + piece >= archive.length)
    } catch (error) {
      unpacking.failure ??=
        error instanceof BrokenFile ? error : new BrokenFile('is a damaged ZIP archive', 'as a whole')
    }
    if (unpacking.failure !== null) throw unpacking.failure
    yield
  }
}
