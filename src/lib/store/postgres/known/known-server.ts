/**
 * The server that a store was last seen on. After a failover or from a backup it may lack what the service has executed: then
 * nothing is written until somebody has made sure, and says so.
 */
import { Failure } from '../../../failure.ts'
import { blank, hint, paste } from '../../../hint.ts'

export interface KnownServer {
  /** The identifier of the database system, and its timeline: another one begins with each promotion or recovery. */
  readonly system: string
  readonly timeline: string
  readonly present_system: string
  readonly present_timeline: string
}

/** The system and the timeline that answer now, as SQL. */
export const presentServer = {
  system: '(select system_identifier::text from pg_control_system())',
  timeline: 'left(pg_walfile_name(pg_current_wal_lsn()), 8)',
} as const

/** The columns of the store's own row and of its server, as SQL. */
export const knownServer = `system, timeline, ${presentServer.system} as present_system, ${presentServer.timeline} as present_timeline`

/** A store that may lack something. `what`: how that is seen, after its name. */
export function mayLack(title: string, place: string, what: string): Failure {
  return new Failure('locked', `${title} ${place} ${what}; what was paid last may be missing in it`, {
    // It may have been sent, and the store that knew of it be gone.
    moneyMoved: 'unknown',
    hints: [
      hint`Nothing is written until an administrator has made sure: compare what the service executed since then, enter what is missing, then \`${paste('team confirm', '--because', blank('"…"'))}\`.`,
    ],
  })
}

/** The reason (12) against a store that is on another server than it was; null for none. */
export function serverDoubt(found: KnownServer, title: string, place: string): Failure | null {
  const { system, timeline, present_system, present_timeline } = found
  if (system === present_system && timeline === present_timeline) return null
  const what =
    system === present_system
      ? `a promoted or recovered server (timeline ${present_timeline}, it was ${timeline})`
      : `another server (system ${present_system}, it was ${system})`
  return mayLack(title, place, `is on ${what}`)
}
