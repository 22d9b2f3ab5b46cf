/**
 * The places of all files: one directory with PAYDESK_HOME, otherwise the platform's own places; PAYDESK_STORE names a team's store. A home that depends on the
 * current directory is refused: each directory would have a journal of its own, which does not know what the others paid.
 */
import { isAbsolute, join, resolve } from 'node:path'
import { homeOfUser } from './edge.ts'
import { FailureBeforeSending } from './failure-before-sending.ts'
import { type Hint, hint } from './hint.ts'
import { singleQuoted } from './shell-word.ts'

export interface Places {
  /** Directory of the profiles. */
  readonly config: string
  /** The journal's database file. */
  readonly journal: string
  /** The address of the store that a team shares (`postgres://…`); null where everybody keeps a journal of their own. */
  readonly team: string | null
  /** The database file of received callbacks. */
  readonly callbacks: string
  /** Directory of the plans of batches, a database file each. */
  readonly batches: string
  /** Directory of answers that a team's store could not take, until it does. */
  readonly outbox: string
  /** Directory of the sandbox. */
  readonly sandbox: string
  /** Directory of the cached access tokens. */
  readonly tokens: string
}

/** The directories of the platform, as oclif finds them. */
export interface PlatformDirectories {
  readonly configDir: string
  readonly dataDir: string
  readonly cacheDir: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Variables that say where the directories of the platform are. */
const platformVariables = ['CONFIG', 'DATA', 'CACHE']
  .flatMap((each) => [`PAYDESK_${each}_DIR`, `XDG_${each}_HOME`])
  .concat('HOME', 'LOCALAPPDATA')

/** The line that names the place which was meant, as far as it can be known. */
function inFull(name: string, path: string, env: Environment): Hint {
  const home = name === 'HOME' ? null : homeOfUser(env.HOME)
  const rest = /^~(?:\/(.*))?$/s.exec(path)
  if (!path.startsWith('~'))
    return hint`Write the full path, such as export ${name}=${singleQuoted(join(process.cwd(), path))}.`
  if (!rest || home === null || !isAbsolute(home)) return hint`The shell did not replace ~: write the full path.`
  return hint`No shell has replaced the ~, which stood in quotes or in a file: export ${name}=${singleQuoted(join(home, rest[1] ?? ''))}`
}

/** Throws usage (2) unless the places are the same from every directory. */
function mustBeAbsolute(env: Environment, { configDir, dataDir, cacheDir }: PlatformDirectories): void {
  const own = env.PAYDESK_HOME
  if (own ? isAbsolute(own) : [configDir, dataDir, cacheDir].every((each) => isAbsolute(each))) return
  const name = own ? 'PAYDESK_HOME' : platformVariables.find((each) => env[each] && !isAbsolute(env[each]))
  if (name === undefined)
    throw new FailureBeforeSending('usage', 'this user has no home directory, so the journal has no place', {
      hints: [hint`Name a directory that stays: export PAYDESK_HOME=/var/lib/paydesk`],
    })
  const path = env[name] ?? ''
  const why = `${name} is ${singleQuoted(path)}, a relative path, which would be another journal in every directory`
  throw new FailureBeforeSending('usage', why, { hints: [inFull(name, path, env)] })
}

/** Throws usage (2) where they depend on the current directory, or where there are none. */
export function places(env: Environment, dirs: PlatformDirectories): Places {
  mustBeAbsolute(env, dirs)
  const team = env.PAYDESK_STORE || null
  if (!env.PAYDESK_HOME) {
    return {
      team,
      config: dirs.configDir,
      journal: join(dirs.dataDir, 'journal', 'journal.db'),
      callbacks: join(dirs.dataDir, 'callbacks', 'callbacks.db'),
      batches: join(dirs.dataDir, 'batches'),
      outbox: join(dirs.dataDir, 'outbox'),
      sandbox: join(dirs.dataDir, 'sandbox'),
      tokens: join(dirs.cacheDir, 'tokens'),
    }
  }
  const home = resolve(env.PAYDESK_HOME)
  return {
    team,
    config: join(home, 'config'),
    journal: join(home, 'journal', 'journal.db'),
    callbacks: join(home, 'callbacks', 'callbacks.db'),
    batches: join(home, 'batches'),
    outbox: join(home, 'outbox'),
    sandbox: join(home, 'sandbox'),
    tokens: join(home, 'tokens'),
  }
}
