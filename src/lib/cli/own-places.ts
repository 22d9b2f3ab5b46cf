/** The places of this person, and of no other: what others may write they may have written. */
import { dirname, join, resolve } from 'node:path'
import { type Places, type PlatformDirectories, places } from '../home.ts'
import { mustBeOwn } from '../readable-file.ts'

/** Throws a Failure where others may write: a profile would point elsewhere, a journal have forgotten a payment. */
export function ownPlaces(env: Readonly<Record<string, string | undefined>>, directories: PlatformDirectories): Places {
  const found = places(env, directories)
  const { PAYDESK_HOME: home } = env
  if (home) mustBeOwn(resolve(home), 'the home')
  for (const directory of [found.config, dirname(found.journal), found.batches, found.tokens])
    mustBeOwn(directory, 'the directory')
  mustBeOwn(join(found.config, 'config.json'), 'the configuration file')
  return found
}
