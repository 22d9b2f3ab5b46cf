/** Leases of rows in a team's store, changed in its database: rows of a machine that nobody here can look up, and time that passes. */

import { withDigest } from '../../../src/lib/store/journal/digest.ts'
import type { IntentRow } from '../../../src/lib/store/journal/schema.ts'
import type { TestServer } from './postgres.ts'

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
