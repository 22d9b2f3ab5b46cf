/**
 * Keeps the first few of many things and counts the others, because a message tells only a few in full. It is a file of its own
 * because reading, planning and reports use it.
 */
export class FirstFew<Item> {
  readonly #most: number
  readonly first: Item[] = []
  more = 0

  constructor(most: number) {
    this.#most = most
  }

  /** `item` is called only for the first few. */
  add(item: () => Item): void {
    if (this.first.length < this.#most) this.first.push(item())
    else this.more += 1
  }

  get count(): number {
    return this.first.length + this.more
  }

  /** "a; b; and 3 more". */
  inWords(separator = '; '): string {
    return [...this.first, ...(this.more > 0 ? [`and ${this.more} more`] : [])].join(separator)
  }
}
