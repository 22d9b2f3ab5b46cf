/** The team's store that a profile names, read without the rest of the profile: a command needs it before it knows more. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface NamedStore {
  readonly profile: string
  readonly address: string
}

/** Only so much of the file is believed as is needed. */
interface Kept {
  readonly defaultProfile?: unknown
  readonly profiles?: Readonly<Record<string, { readonly store?: unknown } | null>> | null
}

/**
 * `named`: a profile by its name; the default one if none is. Null where it names no store, as no built-in one does, or where the file
 * is damaged: others tell that.
 */
export function storeNamed(directory: string, named: string | null): NamedStore | null {
  const { defaultProfile, profiles } = keptIn(join(directory, 'config.json'))
  const profile = named ?? defaultProfile
  if (typeof profile !== 'string' || !profiles || !Object.hasOwn(profiles, profile)) return null
  const address = profiles[profile]?.store
  return typeof address === 'string' && address !== '' ? { profile, address } : null
}

function keptIn(path: string): Kept {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) ?? {}
  } catch {
    return {}
  }
}
