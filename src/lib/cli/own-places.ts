/** The places of this person, and of no other: what others may write they may have written. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Failure } from '../failure.ts'
import { type Hint, hint } from '../hint.ts'
import { type Places, type PlatformDirectories, places } from '../home.ts'
import { storeNamed } from '../profile/store-named.ts'
import { mustBeOwn } from '../readable-file.ts'
import { singleQuoted } from '../shell-word.ts'
import { isSameStore } from '../store/postgres/address.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Throws a Failure where others may write: a profile would point elsewhere, a journal have forgotten a payment. The team's store is
 * that of PAYDESK_STORE, or of the profile that is `named` on the command line, else by PAYDESK_PROFILE, else the default one;
 * usage (2) where they are two.
 */
export function ownPlaces(env: Environment, directories: PlatformDirectories, named: string | undefined): Places {
  const found = places(env, directories)
  const { PAYDESK_HOME: home } = env
  if (home) mustBeOwn(resolve(home), 'the home', () => homeBelow(resolve(home)))
  for (const directory of [found.config, dirname(found.journal), found.batches, found.tokens])
    mustBeOwn(directory, 'the directory')
  mustBeOwn(join(found.config, 'config.json'), 'the configuration file')
  return { ...found, team: teamOf(found, named ?? (env.PAYDESK_PROFILE || undefined)) }
}

/**
 * The line that makes a directory of this user below a home that it may write but not mend: a volume that a container was given.
 * Null where this user can mend it, or where it holds a journal already: another home would be another journal.
 */
function homeBelow(home: string): Hint | null {
  const own = process.geteuid?.()
  if (own === 0 || statSync(home).uid === own) return null
  try {
    if (readdirSync(home).includes('journal')) return null
    accessSync(home, constants.W_OK)
  } catch {
    return null
  }
  const below = singleQuoted(join(home, 'paydesk'))
  return hint`Use a directory of its own on it: mkdir -m 700 ${below} && export PAYDESK_HOME=${below}`
}

function teamOf({ team, config }: Places, named: string | undefined): string | null {
  const found = storeNamed(config, named ?? null)
  if (team === null || found === null || isSameStore(team, found.address)) return team ?? found?.address ?? null
  throw new Failure('usage', `PAYDESK_STORE names another store than the profile ${found.profile} does`, {
    hints: [hint`A payment stands in one of them only. Leave PAYDESK_STORE out, or name a profile whose store it is.`],
  })
}
