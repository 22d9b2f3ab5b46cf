/**
 * The address of a team's store: `postgres://user@host:port/database`. Its password is never a part of it (PGPASSFILE has it),
 * and what goes to another machine is encrypted, with a certificate that is checked.
 */

import type { PoolConfig } from 'pg'
import { libraryVariable, nameOfUser } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'

interface TeamAddress {
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
  if (parseConnection(url).user === '')
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
      ...parseConnection(url),
      ...(options === null ? {} : { options }),
      password: passwordOf(parseConnection(url)),
      ssl: mode === 'verify-full' ? { rejectUnauthorized: true } : false,
    },
  }
}

interface AddressComplaint {
  /** Words that follow "the address" or the name of a setting. */
  readonly why: string
  readonly advice: string
}

const loopback = ['localhost', '127.0.0.1', '[::1]', '']

/** The way that an address asks for: encrypted, but for this machine. */
function sslModeOf(url: URL): string {
  return url.searchParams.get('sslmode') ?? (loopback.includes(url.hostname) ? 'disable' : 'verify-full')
}

/** User, host, port, database, each without the signs that stand between them: `postgres:/u:pw@h/db` would read as a database. */
const wholeAddress =
  /^postgres(?:ql)?:\/\/(?:[^\s:/?#@]+@)?(?:\[[\da-f:.]+\]|[^\s:/?#@[\]]*)(?::\d+)?\/[^\s:/?#@]+(?:\?[^\s#]*)?$/i

/** Null for an address that will do. No complaint quotes it: where a slash or a colon is mistyped, any part may be a password. */
export function storeComplaint(text: string): AddressComplaint | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && (url.password !== '' || url.searchParams.has('password'))) {
    return {
      why: 'has a password in it',
      advice: 'Put the password into a file that PGPASSFILE names and only you can read.',
    }
  }
  if (!url || !wholeAddress.test(text)) {
    return {
      why: 'is not the address of a Postgres database',
      advice: 'It looks like postgres://paydesk@db.example.com/paydesk, without a password.',
    }
  }
  if (!isReadable(url)) return { why: 'has a % that stands for no letter', advice: 'Write %25 for a percent sign.' }
  if ([url.username, url.pathname.slice(1)].some((part) => /[:/?#@]/.test(decodeURIComponent(part)))) {
    return { why: 'has a user or a database with one of : / ? # @ in it', advice: 'Give it a name without them.' }
  }
  const parameter = strangeParameter(url)
  if (parameter !== null) {
    return {
      why: `has ${parameter} behind its question mark`,
      advice: 'Host, port, user and database stand before it; behind it stand sslmode and options, each once at most.',
    }
  }
  const mode = sslModeOf(url)
  if (mode === 'verify-full' || (mode === 'disable' && loopback.includes(url.hostname))) return null
  const asked = sslModes.includes(mode) ? `sslmode=${mode}` : 'an sslmode that does not exist'
  return { why: `asks for ${asked}`, advice: 'Another machine is reached with sslmode=verify-full only.' }
}

/** True if its user and its database can be read: the standard reads an address also where they cannot. */
function isReadable({ username, pathname }: URL): boolean {
  try {
    return decodeURIComponent(`${username}${pathname}`) !== ''
  } catch {
    return false
  }
}

/** The parameters of an address: each of the others would change where it leads, how it is reached, or what is written there. */
const parameters: readonly string[] = ['sslmode', 'options']

const sslModes: readonly string[] = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'no-verify']

/** The first parameter that may not stand there, in words; null where there is none. */
function strangeParameter({ searchParams }: URL): string | null {
  const names = [...searchParams.keys()]
  const found = names.find((name, at) => !parameters.includes(name) || names.indexOf(name) !== at)
  if (found === undefined) return null
  if (parameters.includes(found)) return `${found} twice`
  return 'a parameter that may not stand there'
}

/** True if two addresses lead to one store, whoever asks for it. */
export function isSameStore(one: string, other: string): boolean {
  return storePlace(one) === storePlace(other)
}

/** The store that an address leads to, however the address is spelled and whoever asks: the same text for the same store. */
export function storePlace(text: string): string {
  if (!URL.canParse(text) || !isReadable(new URL(text))) return text
  const { hostname, port, pathname, searchParams } = new URL(text)
  const host = hostname.toLowerCase().replace(/\.$/, '')
  const named = loopback.includes(host) ? 'localhost' : host
  return JSON.stringify([named, Number(port || 5432), decodeURIComponent(pathname), searchParams.get('options')])
}

/** The parts of an address by which a line of the file is found. */
function parseConnection(url: URL) {
  return {
    host: url.hostname.replace(/^\[|\]$/g, '') || 'localhost',
    port: Number(url.port || '5432'),
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username) || nameOfUser() || '',
  }
}

/**
 * Gives the password when it is asked for, as libpq finds it: PGPASSWORD, else the file that PGPASSFILE names; empty where there is
 * none. The driver would read that file itself, with a warning on stderr, where scripts read the error line.
 */
function passwordOf(connection: ReturnType<typeof parseConnection>): () => Promise<string> {
  return async () => {
    const given = libraryVariable('PGPASSWORD')
    if (given) return given
    // Without a home pgpass would look into the current directory.
    if (!libraryVariable('PGPASSFILE') && !libraryVariable('HOME')) return ''
    const { default: pgpass } = await import('pgpass')
    return new Promise((resolve) => pgpass(connection, (password) => resolve(password ?? '')))
  }
}
