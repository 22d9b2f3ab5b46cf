/** The ground of the classes of four eyes: the store, its clock, and ids by chance. */
import type { Clock, Random } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import type { Store } from '../../store/engine/store.ts'
import type { JournalTables, JournalWriter } from '../../store/journal/schema.ts'

export class ActingStore {
  readonly store: Store<JournalTables>
  readonly #clock: Clock
  readonly #random: Random

  constructor(store: Store<JournalTables>, clock: Clock, random: Random) {
    this.store = store
    this.#clock = clock
    this.#random = random
  }

  /** Milliseconds since 1970 by the clock of the store. */
  get now(): number {
    return this.#clock.now()
  }

  get iso(): string {
    return new Date(this.now).toISOString()
  }

  /** The id of a new row, and the chance in its digest. */
  newName(letter: string): { readonly id: string; readonly salt: string } {
    const drawn = this.#random.uuid().replaceAll('-', '')
    return { id: `${letter}-${drawn.slice(0, 12)}`, salt: drawn.slice(12) }
  }

  /** A transaction that begins something: not from an older paydesk. */
  change<Result>(work: (db: JournalWriter) => Promise<Result>): Promise<Result> {
    return this.store.write(async (db) => {
      if (this.store.outdated) throw this.store.outdated
      return work(db)
    })
  }
}

const longest = 200

/** Words of a person as they are signed and kept. Throws usage (2) for an end of line in them, or what no terminal shows. */
export function plainWords(text: string, what: string): string {
  const words = text.trim().normalize('NFC')
  if (words.length > longest) throw new Failure('usage', `${what} takes ${longest} letters at most`)
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(words))
    throw new Failure('usage', `${what} takes one line of plain text`)
  return words
}
