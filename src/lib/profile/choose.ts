/**
 * The profile of a command: the flag, PAYDESK_PROFILE, the default of `profile use`; then, at a terminal and only as long as
 * there is no profile of one's own, the sandbox.
 * Without a terminal nothing is guessed: a cron job with the wrong home must not "pay" a sandbox.
 */

import type { Environment } from '../edge.ts'
import { Failure } from '../failure.ts'
import { blank, type Hint, hint, type Naming, paste } from '../hint.ts'
import { type BuiltIn, isBuiltIn } from './built-in.ts'
import { privateKeyVariable } from './profile.ts'
import { type Kept, type Profiles, unknownProfile } from './profiles.ts'
import { secretVariable } from './secret.ts'
import type { StoredProfile } from './stored.ts'

export type ProfileChoice =
  | { readonly kind: 'sandbox'; readonly name: BuiltIn }
  | { readonly kind: 'stored'; readonly profile: StoredProfile }

export interface AskedProfile {
  /** The value of --profile. */
  readonly flag: string | undefined
  readonly env: Environment
  readonly atTerminal: boolean
}

/** The variable that holds a secret or a key. It applies to whatever profile is chosen, so the profile must be named. */
function overriding(env: Environment): string | undefined {
  return [secretVariable, privateKeyVariable].find((name) => env[name])
}

/** True if only the named profile, or the default one, may be used. */
export function isNamed({ flag, env }: Pick<AskedProfile, 'flag' | 'env'>): boolean {
  return Boolean(flag ?? env.PAYDESK_PROFILE) || overriding(env) !== undefined
}

/** True if every profile is meant because none is named. Throws Failure('usage') where one secret would be used for all. */
export function isEvery({ flag, env }: Pick<AskedProfile, 'flag' | 'env'>): boolean {
  if (flag ?? env.PAYDESK_PROFILE) return false
  const variable = overriding(env)
  if (variable === undefined) return true
  throw new Failure('usage', `--all means every profile, and ${variable} would be used for each of them`, {
    hints: [hint`Name one profile with --profile, or leave the variable out.`],
  })
}

/** No profile was named, and none is the default. */
export class NoProfileNamed extends Failure {
  readonly names: readonly string[]

  constructor(names: readonly string[], hints: readonly Hint[]) {
    super('credentials', 'no profile was named, and there is no default', { hints })
    this.names = names
  }
}

function nothingChosen(kept: Kept, path: string): Failure {
  const known =
    kept.names.length > 0 ? `The profiles in ${path}: ${kept.names.join(', ')}.` : `There is none in ${path}.`
  return new NoProfileNamed(kept.names, [
    hint`Name one with --profile <name> or PAYDESK_PROFILE, or set a default with \`${paste('profile use', blank('<name>'))}\`. ${known}`,
    hint`Add one with \`${paste('profile add', blank('<name>'), blank('…'))}\`, or try the sandbox: -p sandbox (no real money).`,
  ])
}

/** The default, and whether there are profiles of one's own; none of both where the file cannot be read. */
function configuredProfiles(profiles: Profiles): { readonly default: string | null; readonly isEmpty: boolean } {
  try {
    const kept = profiles.readNow()
    return { default: kept.default, isEmpty: kept.names.length === 0 }
  } catch {
    return { default: null, isEmpty: false }
  }
}

/**
 * The profile that a pasted line has to name. It names none where this shell and a new one both take the right one by
 * themselves; the sandbox, which only a terminal takes, is left out where nothing was named for this run either.
 */
export function namingIn({ flag, env, atTerminal }: AskedProfile, profiles: Profiles): Naming {
  const ofShell = env.PAYDESK_PROFILE || null
  const named = flag ?? ofShell
  return (profile) => {
    const meant = profile ?? named
    if (meant === null) return null
    const kept = configuredProfiles(profiles)
    const unnamed = kept.default ?? (named === null && atTerminal && kept.isEmpty ? 'sandbox' : null)
    return meant === unnamed && (ofShell ?? meant) === meant ? null : meant
  }
}

export async function chooseProfile(asked: AskedProfile, profiles: Profiles): Promise<ProfileChoice> {
  const named = asked.flag ?? (asked.env.PAYDESK_PROFILE || undefined)
  // A sandbox that was asked for works whatever the configuration file looks like.
  if (named !== undefined && isBuiltIn(named)) return { kind: 'sandbox', name: named }
  const kept = await profiles.read()
  const name = named ?? kept.default ?? (asked.atTerminal && kept.names.length === 0 ? 'sandbox' : null)
  if (name === null) throw nothingChosen(kept, profiles.path)
  if (isBuiltIn(name)) return { kind: 'sandbox', name }
  const profile = kept.profile(name)
  if (!profile) throw unknownProfile(name, kept)
  return { kind: 'stored', profile }
}
