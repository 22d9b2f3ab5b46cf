/**
 * The stores of its teams as a machine has seen them, in files beside its journal: of each store the newest link of its chain,
 * and of each address the store that stood there. A store that was restored from an older copy has lost links, or has others in
 * their place; an address where the tables were made anew has another store.
 */
import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateDirectory } from '../../../private-directory.ts'
import type { ChainHead } from '../../chain/link.ts'
import { Mark } from '../../engine/commit-mark.ts'
import { storePlace } from '../address-rule.ts'

/** The digits of a link's hash that a mark keeps. */
const digits = 4

/** It becomes a part of a path, and whoever writes to the database can write any text there. */
const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface SeenLink {
  readonly links: number
  /** The first digits of its hash; null where they are not known. */
  readonly digits: string | null
}

/** A machine whose disk takes no marks has none: it sees less, and pays all the same. */
function unlessUnwritable<Result>(work: () => Result): Result | null {
  try {
    return work()
  } catch {
    return null
  }
}

export function isSameLink(seen: SeenLink, hash: string | null): boolean {
  return hash !== null && (seen.digits === null || hash.startsWith(seen.digits))
}

export class Marks {
  readonly #directory: string
  readonly #atAddress: string
  readonly #ofStore = new Map<string, Mark | null>()

  constructor(directory: string, address: string) {
    this.#directory = directory
    this.#atAddress = join(
      directory,
      `at-${createHash('sha256').update(storePlace(address)).digest('hex').slice(0, 16)}`,
    )
  }

  /** The id of the store that stood at the address; null where none was seen there. */
  get lastHere(): string | null {
    return unlessUnwritable(() => readFileSync(this.#atAddress, 'utf8').trim()) || null
  }

  /** Null where nothing was seen of it. */
  newestOf(id: string): SeenLink | null {
    const mark = this.#markOf(id)
    return unlessUnwritable(() => {
      const links = mark?.height ?? 0
      return links === 0 ? null : { links, digits: mark?.at(links) ?? null }
    })
  }

  raise(id: string, head: ChainHead | null): void {
    if (head !== null) this.#markOf(id)?.raise(head.links, head.hash.slice(0, digits))
  }

  standsHere(id: string): void {
    if (this.lastHere === id) return
    unlessUnwritable(() => {
      makePrivateDirectory(this.#directory)
      const fresh = `${this.#atAddress}.${process.pid}`
      writeFileSync(fresh, `${id}\n`, { mode: 0o600, flush: true })
      renameSync(fresh, this.#atAddress)
    })
  }

  #markOf(id: string): Mark | null {
    const known = this.#ofStore.get(id)
    if (known !== undefined) return known
    const mark = idForm.test(id) ? unlessUnwritable(() => new Mark(join(this.#directory, id), digits)) : null
    this.#ofStore.set(id, mark)
    return mark
  }
}
