/**
 * The address of a team's store: `postgres://user@host:port/database`. Its password is never a part of it (PGPASSFILE has it),
 * and what goes to another machine is encrypted, with a certificate that is checked.
 */
import type { PoolConfig } from 'pg'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { passwordOf, wayTo } from './password.ts'

export interface TeamAddress {
  /** For messages: no secret, no settings. */
  readonly place: string
  readonly connection: PoolConfig
}

const loopback = ['localhost', '127.0.0.1', '[::1]', '']

function refused(why: string, advice: string): Failure {
  return new Failure('usage', `the address of the team's store ${why}`, { hints: [hint`${advice}`] })
}

/** Throws usage (2). */
export function readTeamAddress(text: string): TeamAddress {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol) || url.pathname.length < 2) {
    throw refused('is none', 'It reads like postgres://paydesk@db.example.com/paydesk.')
  }
  if (url.password !== '') {
    throw refused('has a password in it', 'Keep the password in a file that PGPASSFILE names, readable by you alone.')
  }
  const mode = url.searchParams.get('sslmode') ?? (loopback.includes(url.hostname) ? 'disable' : 'verify-full')
  if (mode !== 'verify-full' && !(mode === 'disable' && loopback.includes(url.hostname))) {
    throw refused(`asks for sslmode=${mode}`, 'Another machine is reached with sslmode=verify-full only.')
  }
  url.searchParams.delete('sslmode')
  return {
    place: `${url.hostname}${url.port === '' ? '' : `:${url.port}`}${url.pathname}`,
    connection: {
      // Taken apart: a whole address would put its own password, none, in the place of this one.
      ...wayTo(url),
      ...Object.fromEntries(url.searchParams),
      password: passwordOf(wayTo(url)),
      ssl: mode === 'verify-full' ? { rejectUnauthorized: true } : false,
    },
  }
}
