/** The store as this process and its machine have seen it, held against the store as it stands. */

import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CompiledQuery, type QueryExecutorProvider } from 'kysely'
import { howMany } from '../../contract/core/text.ts'
import type { Failure } from '../../failure.ts'
import { makePrivateDirectory } from '../../paths.ts'
import type { ChainHead } from '../chain/chain.ts'
import { HighWaterMark } from '../engine/high-water-mark.ts'
import { storePlace } from './address.ts'
import { mayLack } from './server.ts'

/** The words of its own row. */
export interface OwnId {
  /** Its id, until a person confirms that it is whole: then it has a new one. */
  readonly store: string
  readonly commits: number
}

interface Compared {
  readonly followed: boolean
  readonly links: number | null
  readonly hash: string | null
}

/** The stores that a confirmed one goes on from are known by the ids that they had. */
const compare = (isChained: boolean) => `with recursive followed(id) as (
    select $1::text union select unnest(said.before) from paydesk_confirmed as said join followed on said.store = followed.id)
  select exists (select from followed where id = $2::text) as followed,
    ${isChained ? '(select max(number) from links)' : 'null'} as links,
    ${isChained ? '(select hash from links where number = $3::integer)' : '$3::text'} as hash`

interface Titled {
  readonly title: string
  readonly place: string
  readonly isChained: boolean
}

export class LastSeen {
  readonly #named: Titled
  readonly #marks: HighWaterMarks | null
  #trusted: OwnId | null = null
  /** True once commits of this process were lost: others may make as many, which are not these. */
  #isCutShort = false

  constructor(named: Titled, marks: HighWaterMarks | null) {
    this.#named = named
    this.#marks = marks
  }

  /** The store as this process has seen it last; null where nothing was seen, and where it has lost commits. */
  get trusted(): OwnId | null {
    return this.#isCutShort ? null : this.#trusted
  }

  /** The ids that were seen where this store is now. */
  get known(): readonly string[] {
    return [this.#trusted?.store, this.#marks?.lastHere].filter((id) => id != null)
  }

  /** The reason (12) against writing to it; null for none. A store that was trusted before, and has grown, is asked nothing. */
  async doubt(db: QueryExecutorProvider, own: OwnId): Promise<Failure | null> {
    const isKnown = this.#trusted?.store === own.store
    this.#isCutShort = isKnown && (this.#isCutShort || own.commits < (this.#trusted?.commits ?? 0))
    if (isKnown && !this.#isCutShort) return null
    const what = await this.#objection(db, own)
    if (what !== null) return mayLack(this.#named.title, this.#named.place, what)
    this.#trusted = own
    this.#marks?.standsHere(own.store)
    return null
  }

  /** It was trusted, and stands as told. */
  raise(own: OwnId, head: ChainHead | null): void {
    this.#trusted = own
    this.#marks?.raise(own.store, head)
  }

  async #objection(db: QueryExecutorProvider, own: OwnId): Promise<string | null> {
    if (this.#isCutShort) return `has lost commits of the ${this.#trusted?.commits} that it had`
    const before = this.known.find((id) => id !== own.store) ?? own.store
    // The mark first: a commit of another process in between can only make the chain longer.
    const seen = this.#marks?.newestOf(own.store) ?? null
    const { followed, links, hash } = await this.#compared(db, [own.store, before, seen?.links ?? 0])
    if (!followed) return 'is not the store that this machine has seen there'
    if (seen === null || !this.#named.isChained) return null
    if ((links ?? 0) < seen.links)
      return `has ${howMany(links ?? 0, 'link')} in its chain, and this machine has seen ${seen.links}`
    return isSameLink(seen, hash) ? null : `has another link ${seen.links} in its chain than this machine has seen`
  }

  async #compared(db: QueryExecutorProvider, values: readonly unknown[]): Promise<Compared> {
    const query: CompiledQuery<Compared> = CompiledQuery.raw(compare(this.#named.isChained), [...values])
    const [row] = (await db.getExecutor().executeQuery(query)).rows
    if (!row) throw new Error('the server gives no row')
    return row
  }
}

/** The digits of a link's hash that a mark keeps. */
const digits = 4

/** It becomes a part of a path, and whoever writes to the database can write any text there. */
const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface SeenLink {
  readonly links: number
  /** The first digits of its hash; null where they are not known. */
  readonly digits: string | null
}

/** A machine whose disk takes no marks has none: it sees less, and pays all the same. */
function nullIfUnwritable<Result>(work: () => Result): Result | null {
  try {
    return work()
  } catch {
    return null
  }
}

function isSameLink(seen: SeenLink, hash: string | null): boolean {
  return hash !== null && (seen.digits === null || hash.startsWith(seen.digits))
}

/**
 * The stores of its teams as a machine has seen them, in files beside its journal: of each store the newest link of its chain,
 * and of each address the store that stood there. A store that was restored from an older copy has lost links, or has others in
 * their place; an address where the tables were made anew has another store.
 */
export class HighWaterMarks {
  readonly #directory: string
  readonly #atAddress: string
  readonly #ofStore = new Map<string, HighWaterMark | null>()

  constructor(directory: string, address: string) {
    this.#directory = directory
    this.#atAddress = join(
      directory,
      `at-${createHash('sha256').update(storePlace(address)).digest('hex').slice(0, 16)}`,
    )
  }

  /** The id of the store that stood at the address; null where none was seen there. */
  get lastHere(): string | null {
    return nullIfUnwritable(() => readFileSync(this.#atAddress, 'utf8').trim()) || null
  }

  /** Null where nothing was seen of it. */
  newestOf(id: string): SeenLink | null {
    const mark = this.#byteOrderMark(id)
    return nullIfUnwritable(() => {
      const links = mark?.height ?? 0
      return links === 0 ? null : { links, digits: mark?.at(links) ?? null }
    })
  }

  raise(id: string, head: ChainHead | null): void {
    if (head !== null) this.#byteOrderMark(id)?.raise(head.links, head.hash.slice(0, digits))
  }

  standsHere(id: string): void {
    if (this.lastHere === id) return
    nullIfUnwritable(() => {
      makePrivateDirectory(this.#directory)
      const fresh = `${this.#atAddress}.${process.pid}`
      writeFileSync(fresh, `${id}\n`, { mode: 0o600, flush: true })
      renameSync(fresh, this.#atAddress)
    })
  }

  #byteOrderMark(id: string): HighWaterMark | null {
    const known = this.#ofStore.get(id)
    if (known !== undefined) return known
    const mark = idForm.test(id) ? nullIfUnwritable(() => new HighWaterMark(join(this.#directory, id), digits)) : null
    this.#ofStore.set(id, mark)
    return mark
  }
}
