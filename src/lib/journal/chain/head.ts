/**
 * The head of the journal's hash chain as receipts and reports print it: the number of its links, and the beginning of the last
 * one's hash. 96 bits of it: nobody finds another journal that ends in the same head.
 */
import { Failure } from '../../failure.ts'
import { type ChainHead, headOf } from '../../store/chain/link.ts'
import type { Store } from '../../store/engine/store.ts'
import type { JournalTables } from '../../store/journal/schema.ts'

const digits = 24

/** "4712-9f3c1a2b4d5e6f7081920304". */
export function headInWords({ links, hash }: ChainHead): string {
  return `${links}-${hash.slice(0, digits)}`
}

/** The head of a journal that others write to, too. */
export class JournalHead {
  readonly #store: Pick<Store<JournalTables>, 'head' | 'ask'>
  #seen: ChainHead | null = null

  constructor(store: Pick<Store<JournalTables>, 'head' | 'ask'>) {
    this.#store = store
  }

  /** As far as this process knows. A store that has lost links holds less than was seen of it: the longest counts. */
  get known(): string | null {
    const { head: own } = this.#store
    const newest = (own?.links ?? 0) >= (this.#seen?.links ?? 0) ? own : this.#seen
    return newest && headInWords(newest)
  }

  /** As it stands in the store now. */
  async now(): Promise<string | null> {
    this.#seen = await this.#store.ask(headOf)
    return this.known
  }
}

/** A head as it was printed. `hash`: its beginning. Throws usage (2). */
export function headIn(typed: string): ChainHead {
  const [, links, hash] = /^([1-9]\d{0,14})-([0-9a-f]{24})$/.exec(typed.trim().toLowerCase()) ?? []
  if (links !== undefined && hash !== undefined) return { links: Number(links), hash }
  throw new Failure(
    'usage',
    `--head takes a head as a receipt prints it, like 12-9f3c1a2b4d5e6f7081920304, not "${typed}"`,
  )
}
