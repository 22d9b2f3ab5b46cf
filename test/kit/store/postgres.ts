/** Postgres for test files. */
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { serviceOfRun } from '../run/services.ts'
import { type PostgresServer, password, startPostgres, user } from './postgres-server.ts'

export interface TestServer {
  readonly port: number
  /** The address of a store that is empty. */
  newAddress(): Promise<string>
  /** SQL of an administrator in the schema of an address. */
  run(address: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
}

export type OwnServer = TestServer & Omit<PostgresServer, 'address' | 'end'>

/** Milliseconds: a new cluster is made, and whatever else the machine does is in its way. */
const slow = 90_000

type Rows = readonly Readonly<Record<string, unknown>>[]

const newName = (letter: string) => `${letter}${randomUUID().replaceAll('-', '')}`

/** Runs a statement of an administrator. */
async function query(port: number, database: string, text: string, schema?: string): Promise<Rows> {
  const client = new Client({ host: '127.0.0.1', port, user, password, database })
  // A server that is killed meanwhile is a failure of the query, not of the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    if (schema) await client.query(`set search_path to ${schema}`)
    const { rows } = await client.query<Record<string, unknown>>(text)
    return rows
  } finally {
    await client.end()
  }
}

/** Stores in a database of a server that runs by the time they are asked for. */
function storesIn(database: string, port: () => number): Pick<TestServer, 'newAddress' | 'run'> {
  return {
    async newAddress() {
      const schema = newName('s')
      await query(port(), database, `create schema ${schema}`)
      process.env.PGPASSWORD = password
      return `postgres://${user}@127.0.0.1:${port()}/${database}?options=-csearch_path%3D${schema}`
    },
    run: (address, text) => query(port(), database, text, /search_path%3D(\w+)/.exec(address)?.[1]),
  }
}

/** A database in the server of the run, for the file that calls this at its beginning. */
export function postgresServer(): TestServer {
  const database = newName('d')
  let port = 0
  beforeAll(async () => {
    port = Number(await serviceOfRun('postgres'))
    await query(port, 'postgres', `create database ${database}`)
  }, slow)
  afterAll(async () => {
    if (port > 0) await query(port, 'postgres', `drop database if exists ${database} with (force)`)
  }, slow)
  return {
    get port() {
      return port
    },
    ...storesIn(database, () => port),
  }
}

/** A server that the file which calls this at its beginning has to itself, and may stop, kill and reconfigure. */
export function ownPostgresServer(settings: Readonly<Record<string, string>> = {}): OwnServer {
  let server: PostgresServer | undefined
  beforeAll(async () => {
    server = await startPostgres(settings)
  }, slow)
  afterAll(() => server?.end(), slow)
  const running = (): PostgresServer => {
    if (!server) throw new Error('the server starts before the first test of the file')
    return server
  }
  return {
    get port() {
      return running().port
    },
    get pid() {
      return running().pid
    },
    isRunning: () => running().isRunning(),
    start: () => running().start(),
    crash: () => running().crash(),
    ...storesIn('postgres', () => running().port),
  }
}
