/**
 * The address of a team's store: `postgres://user@host:port/database`. Its password is never a part of it (PGPASSFILE has it),
 * and what goes to another machine is encrypted, with a certificate that is checked.
 */
import type { PoolConfig } from 'pg'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { type AddressComplaint, sslModeOf, storeComplaint } from './address-rule.ts'
import { passwordOf, wayTo } from './password.ts'

export interface TeamAddress {
  /** For messages: no secret, no settings. */
  readonly place: string
  readonly connection: PoolConfig
}

function refused({ why, advice }: AddressComplaint): Failure {
  return new Failure('usage', `the address of the team's store ${why}`, { hints: [hint`${advice}`] })
}

/** Throws usage (2). */
export function readTeamAddress(text: string): TeamAddress {
  const complaint = storeComplaint(text)
  if (complaint) throw refused(complaint)
  const url = new URL(text)
  if (wayTo(url).user === '')
    throw refused({
      why: 'names no user, and neither does this system',
      advice: 'Write postgres://user@host/database.',
    })
  const mode = sslModeOf(url)
  const options = url.searchParams.get('options')
  return {
    place: `${url.hostname}${url.port === '' ? '' : `:${url.port}`}${url.pathname}`,
    connection: {
      // Taken apart: a whole address would put its own password, none, in the place of this one.
      ...wayTo(url),
      ...(options === null ? {} : { options }),
      password: passwordOf(wayTo(url)),
      ssl: mode === 'verify-full' ? { rejectUnauthorized: true } : false,
    },
  }
}
