/** A store over its open file: each write is one durable transaction, with its link and its count. */
import { resolve } from 'node:path'
import { CompiledQuery, type Kysely, type Transaction } from 'kysely'
import { type ChainHead, linkNoted } from '../chain/link.ts'
import type { Mark } from './commit-mark.ts'
import { together } from './group-commit.ts'
import { ofOneMoment } from './one-moment.ts'
import type { Schema, Store } from './store.ts'
import { understood } from './store-error.ts'
import { inTurn } from './write-queue.ts'

export interface Sharing {
  /** True if writes that wait at the same time share a commit: for a store that many write to from one process. */
  readonly sharesCommits?: boolean
}

const countOne: CompiledQuery<{ readonly commits: number }> = CompiledQuery.raw(
  'update paydesk_store set commits = commits + 1 returning commits',
)

/** The work, its link in the chain and the count of it in one transaction. */
function committed<Tables, Result>(
  db: Kysely<Tables>,
  work: (db: Transaction<Tables>) => Promise<Result>,
  isChained: boolean,
) {
  return db.transaction().execute(async (transaction) => {
    const result = await work(transaction)
    const link = isChained ? await linkNoted(transaction) : null
    const [row] = (await transaction.executeQuery(countOne)).rows
    if (!row) throw new Error('the store has no row of its own')
    return { result, commits: row.commits, link }
  })
}

/** The file without what was freed in it, and the log emptied into it: what stands there is what the rows hold. */
async function rewritten<Tables>(db: Kysely<Tables>): Promise<boolean> {
  await db.executeQuery(CompiledQuery.raw('vacuum'))
  const { rows } = await db.executeQuery<{ busy: number }>(CompiledQuery.raw('pragma wal_checkpoint(truncate)'))
  return rows[0]?.busy === 0
}

/** `head`: the newest link that was found in it. */
export function fileStore<Tables>(
  db: Kysely<Tables>,
  mark: Mark,
  { title, chained }: Schema,
  path: string,
  { sharesCommits = false, head: found }: Sharing & { readonly head: ChainHead | null },
): Store<Tables> {
  let head = found
  const inItsTurn = <Result>(work: () => Promise<Result>) => inTurn(resolve(path), work)
  const commit = async <Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result> => {
    const { result, commits, link } = await committed(db, work, chained !== undefined)
    head = link ?? head
    mark.raise(commits)
    return result
  }
  const one: Store<Tables>['write'] = (work) => inItsTurn(() => commit(work))
  const write: Store<Tables>['write'] = sharesCommits ? together<Tables>(commit, inItsTurn) : one
  const told = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      throw understood(error, title, path)
    }
  }
  return {
    get head() {
      return head
    },
    read: (work) => told(() => ofOneMoment(db).execute(work)),
    ask: (statement) => told(() => statement(db)),
    lend: (work) => told(() => work(db)),
    write: (work) => told(() => write(work)),
    outdated: null,
    erase: () => told(() => inItsTurn(() => rewritten(db))),
    close: () => db.destroy(),
  }
}
