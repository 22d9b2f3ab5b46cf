/**
 * The keys of a file, to find one that stands twice. Kept as 128 bits of a hash outside of the heap: a million keys take 40
 * megabytes, whatever their length.
 */
import { createHash } from 'node:crypto'

/** Words of an entry: four of the hash, and the row. */
const width = 5

export class SeenKeys {
  #capacity = 1 << 10
  #count = 0
  #table = new Uint32Array(this.#capacity * width)

  /** The row in which the key stood before; null where it is new, and then it is kept. Rows count from 1. */
  rowBefore(key: string, row: number): number | null {
    const hash = createHash('sha256').update(key).digest()
    const words = [0, 4, 8, 12].map((at) => hash.readUInt32LE(at))
    const at = this.#placeOf(words)
    const known = this.#table[at + 4] ?? 0
    if (known !== 0) return known
    this.#put(at, words, row)
    return null
  }

  #put(at: number, words: readonly number[], row: number): void {
    this.#table.set(words, at)
    this.#table[at + 4] = row
    this.#count += 1
    if (this.#count * 2 > this.#capacity) this.#grow()
  }

  /** The place of the entry, or the free one where it belongs. */
  #placeOf(words: ArrayLike<number>): number {
    const table = this.#table
    const mask = this.#capacity - 1
    for (let slot = (words[0] ?? 0) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * width
      const isFree = table[at + 4] === 0
      if (isFree || [0, 1, 2, 3].every((word) => table[at + word] === words[word])) return at
    }
  }

  #grow(): void {
    const old = this.#table
    this.#capacity *= 2
    this.#table = new Uint32Array(this.#capacity * width)
    for (let at = 0; at < old.length; at += width) {
      if (old[at + 4] === 0) continue
      const entry = old.subarray(at, at + width)
      this.#table.set(entry, this.#placeOf(entry))
    }
  }
}
