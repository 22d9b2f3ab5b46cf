/**
 * The places of all files: one directory with PAYDESK_HOME, otherwise the platform's own places; PAYDESK_STORE names a team's store. A relative PAYDESK_HOME is
 * made absolute once, here, so that a path in a message or a stored profile means the same from every directory.
 */
import { join, resolve } from 'node:path'

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
  readonly spool: string
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

export function places(env: Readonly<Record<string, string | undefined>>, dirs: PlatformDirectories): Places {
  const team = env.PAYDESK_STORE || null
  if (!env.PAYDESK_HOME) {
    return {
      team,
      config: dirs.configDir,
      journal: join(dirs.dataDir, 'journal', 'journal.db'),
      callbacks: join(dirs.dataDir, 'callbacks', 'callbacks.db'),
      batches: join(dirs.dataDir, 'batches'),
      spool: join(dirs.dataDir, 'spool'),
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
    spool: join(home, 'spool'),
    sandbox: join(home, 'sandbox'),
    tokens: join(home, 'tokens'),
  }
}
