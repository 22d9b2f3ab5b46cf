/** Unpacks a ZIP archive in memory, up to a limit: a few bytes can unpack to gigabytes. */
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { BrokenFile } from '../file.ts'

/** Bytes that all entries together may unpack to. */
const mostUnpacked = 100 * 1000 * 1000

/** Bytes of text that are given at once. */
const piece = 64 * 1024

function damaged(why = ''): BrokenFile {
  return new BrokenFile(`is a damaged ZIP archive${why}`, 'as a whole')
}

/** Normalizes the name of a part: case of ASCII letters is ignored (ECMA-376, part 2), and old .NET programs write backslashes. */
export function partName(name: string): string {
  return name.replaceAll('\\', '/').replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

export class Archive {
  readonly #parts: ReadonlyMap<string, Buffer>

  constructor(parts: ReadonlyMap<string, Buffer>) {
    this.#parts = parts
  }

  /** `name`: as `partName` writes it. */
  has(name: string): boolean {
    return this.#parts.has(name)
  }

  /** The text of an entry in pieces. Throws a BrokenFile for an entry that is absent, or no UTF-8. */
  *text(name: string): Generator<string> {
    const bytes = this.#parts.get(name)
    if (!bytes) throw new BrokenFile(`lacks ${name}, which it names: it is damaged`, 'as a whole')
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
}

/** Throws a BrokenFile for a damaged archive, and for one that is too large or has two entries of one name. */
export async function openArchive(bytes: Buffer): Promise<Archive> {
  try {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false })
    const entries = new Map<string, Entry>()
    let length = 0
    for await (const entry of zip.eachEntry()) {
      const name = partName(entry.fileName)
      const again = ' with two entries of one name: save it again in a spreadsheet'
      if (entries.has(name)) throw new BrokenFile(`is a ZIP archive${again}`, 'as a whole')
      entries.set(name, entry)
      length += entry.uncompressedSize
    }
    if (length > mostUnpacked) throw new BrokenFile('unpacks to more than 100 MB: save it as CSV', 'as a whole')
    const parts = new Map<string, Buffer>()
    for (const [name, entry] of entries) parts.set(name, await unpack(zip, entry))
    return new Archive(parts)
  } catch (error) {
    throw error instanceof BrokenFile ? error : damaged()
  }
}

async function unpack(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const bytes = await buffer(await zip.openReadStreamPromise(entry))
  if (crc32(bytes) === entry.crc32) return bytes
  throw damaged(': a part of it is not what it was when it was packed')
}
