/** Stores of teams in a real Postgres. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import type { Store } from '../../src/lib/store/engine/store.ts'
import { withDigest } from '../../src/lib/store/journal/digest.ts'
import { type IntentRow, type JournalTables, journalSchema } from '../../src/lib/store/journal/schema.ts'
import { openTeam } from '../../src/lib/store/team/schema.ts'
import { type PostgresServer, password, startPostgres, user } from './run/postgres-server.ts'
import { serviceOfRun } from './run/services.ts'
import { memoryStore } from './store.ts'

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

/** A process of another machine. */
const elsewhere = 'elsewhere/1/1/1/another-start'

async function changeLeases(
  server: TestServer,
  address: string,
  change: Partial<IntentRow>,
  condition = 'holder is not null',
): Promise<number> {
  const rows = (await server.run(
    address,
    `select * from intents where ${condition}`,
  )) as readonly unknown[] as readonly IntentRow[]
  for (const row of rows) {
    const { holder, held_until, digest } = withDigest<IntentRow>({ ...row, ...change, held_until_steady: null })
    const set = `holder = '${holder}', held_until = '${held_until}', held_until_steady = null, digest = '${digest}'`
    // A row that another process has changed meanwhile stays as it is.
    await server.run(address, `update intents set ${set} where id = '${row.id}' and digest = '${row.digest}'`)
  }
  return rows.length
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

/** Whoever holds rows is on another machine. Gives how many rows are held. */
export function holdElsewhere(server: TestServer, address: string): Promise<number> {
  return changeLeases(server, address, { holder: elsewhere })
}

/** Whoever holds rows was on another machine, and its leases are over. */
export function leaveElsewhere(server: TestServer, address: string): Promise<number> {
  return changeLeases(server, address, { holder: elsewhere, held_until: inSeconds(-1) })
}

/** All rows that were sent are leased to another machine, for so many seconds. */
export function leaseElsewhere(server: TestServer, address: string, seconds: number): Promise<number> {
  return changeLeases(server, address, { holder: elsewhere, held_until: inSeconds(seconds) }, 'true')
}

/** The leases of a process are over, or those of everybody. */
export function endLeases(server: TestServer, address: string, pid?: number): Promise<number> {
  const ofProcess = pid === undefined ? 'holder is not null' : `split_part(holder, '/', 2) = '${pid}'`
  return changeLeases(server, address, { held_until: inSeconds(-1) }, ofProcess)
}

export interface Copies {
  keepCopy(): Promise<void>
  putBack(): Promise<void>
}

/** Of the store at an address of the server. `but`: tables that stay as they are. */
export function copiesOf(server: TestServer, address: string, but: readonly string[] = []): Copies {
  const schema = /search_path%3D(\w+)/.exec(address)?.[1] ?? ''
  const names = but.map((name) => `'${name}'`).join(', ')
  const each = (statements: string) =>
    server.run(
      address,
      `do $$ declare name text; begin
         for name in select tablename from pg_tables where schemaname = '${schema}'
           ${names === '' ? '' : `and tablename not in (${names})`} loop ${statements} end loop; end $$`,
    )
  return {
    async keepCopy() {
      await server.run(address, `drop schema if exists ${schema}_copy cascade; create schema ${schema}_copy`)
      await each(`execute format('create table ${schema}_copy.%1$I as select * from ${schema}.%1$I', name);`)
    },
    async putBack() {
      await each(
        `execute format('alter table ${schema}.%1$I disable trigger all; delete from ${schema}.%1$I;
          insert into ${schema}.%1$I overriding system value select * from ${schema}_copy.%1$I;
          alter table ${schema}.%1$I enable trigger all', name);`,
      )
    },
  }
}

type When = 'before-it-arrives' | 'before-its-answer' | 'held-back'

export interface CutWay {
  readonly port: number
  /** Cuts the connection on which the text comes by next. Where it is held back nobody else is let through either. */
  next(text: string, when: When): void
  readonly cuts: () => number
  /** Ends every connection, and lets no other through. */
  close(): void
  /** Lets connections through again. */
  open(): Promise<void>
}

export async function cutWay(to: number): Promise<CutWay> {
  let waiting: { readonly text: string; readonly when: When } | null = null
  let cuts = 0
  const sockets = new Set<Socket>()
  const way = createServer((client) => {
    const server = connect(to, '127.0.0.1')
    let isMute = false
    let isHeldBack = false
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', end)
    }
    client.on('data', (piece: Buffer) => {
      const found = waiting !== null && piece.includes(waiting.text) ? waiting : null
      if (found) {
        waiting = null
        cuts += 1
      }
      if (found?.when === 'before-it-arrives') {
        end()
        return
      }
      if (found?.when === 'held-back') {
        isHeldBack = true
        way.close()
      }
      if (isHeldBack) return
      isMute ||= found !== null
      server.write(piece)
    })
    server.on('data', (piece: Buffer) => {
      // It has arrived, and was carried out.
      if (isMute) end()
      else client.write(piece)
    })
  })
  const close = () => {
    for (const socket of sockets) socket.destroy()
    way.close()
  }
  onTestFinished(close)
  way.listen(0, '127.0.0.1')
  await once(way, 'listening')
  const { port } = way.address() as AddressInfo
  return {
    port,
    async open() {
      way.listen(port, '127.0.0.1')
      await once(way, 'listening')
    },
    next(text, when) {
      waiting = { text, when }
    },
    cuts: () => cuts,
    close,
  }
}

/** True if every store has a way to go: a property is tried less often. */
export const isOnServer = process.env.PAYDESK_TEST_STORE === 'postgres'

/** Called at the beginning of a test file; gives what makes an empty store. */
export function journalStores(): () => Promise<Store<JournalTables>> {
  if (!isOnServer) return () => memoryStore<JournalTables>(journalSchema)
  const server = postgresServer()
  return async () => {
    const store = await openTeam<JournalTables>(await server.newAddress(), { machine: realClock })
    onTestFinished(() => store.close())
    return store
  }
}
