/** The profile of a report: its settings, its keys, and whether its secret can be fetched. The secret is hidden and dropped. */
import { setTimeout as wait } from 'node:timers/promises'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { chooseProfile } from '../../profile/choose.ts'
import { type Profile, resolveProfile } from '../../profile/profile.ts'
import { Profiles } from '../../profile/profiles.ts'
import { systemKeyring } from '../../profile/secrets/keyring.ts'
import { uncheckedCertificates } from '../../profile/secrets/open-to-others.ts'
import { fetchSecret, sourceInWords } from '../../profile/secrets/secret.ts'
import { partsOf } from '../../profile/settings/part.ts'
import type { StoredProfile } from '../../profile/settings/stored.ts'
import { UnknownProfile } from '../../profile/unknown-profile.ts'
import type { Invocation } from '../invocation.ts'
import { failed, finding, type OpenFinding } from './finding.ts'

export interface LookedProfile {
  readonly found: readonly OpenFinding[]
  readonly name: string | null
  readonly environment: Profile['environment'] | null
  readonly stored: StoredProfile | null
  /** Its parts as far as they can be used, one for each address. */
  readonly parts: readonly Profile[]
}

/** Milliseconds for a keyring that may wait for a person. */
const keyringTime = 5_000

const nothing: Omit<LookedProfile, 'found'> = { name: null, environment: null, stored: null, parts: [] }

/** Throws credentials (4) for a profile that does not exist. `config`: the directory of the settings. */
export async function lookAtProfile(
  flag: string | undefined,
  config: string,
  invocation: Invocation,
): Promise<LookedProfile> {
  const { edge, canAsk } = invocation
  const profiles = new Profiles(config)
  try {
    const choice = await chooseProfile({ flag, env: edge.env, atTerminal: canAsk }, profiles)
    if (choice.kind === 'stored') return await lookAtStored(choice.profile, invocation)
    const says = `${choice.name}: built in, no real money`
    return { ...nothing, name: choice.name, environment: 'sandbox', found: [finding('profile', 'good', says)] }
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof UnknownProfile) throw error
    // A profile is not needed here; a file that cannot be read is another matter.
    const isNone = isReadable(profiles)
    return { ...nothing, found: [failed('profile', error, isNone ? 'unseen' : 'bad')] }
  }
}

function isReadable(profiles: Profiles): boolean {
  try {
    profiles.readNow()
    return true
  } catch {
    return false
  }
}

async function lookAtStored(stored: StoredProfile, invocation: Invocation): Promise<LookedProfile> {
  const { env } = invocation.edge
  const parts: Profile[] = []
  const wrong: OpenFinding[] = []
  for (const part of partsOf(stored)) {
    try {
      parts.push(await resolveProfile(stored, env, part))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      wrong.push(failed('profile', error))
    }
  }
  const names = partsOf(stored).join(', ') || 'no part of the service yet'
  const says = finding('profile', 'good', `${stored.name} (${stored.environment}): ${names}`)
  const { name, environment } = stored
  const all = [
    ...(wrong.length === 0 ? [says] : wrong),
    ...ofCertificates(stored, env),
    ...(await ofSecret(stored, invocation)),
  ]
  const addresses = new Map(parts.map((part) => [part.baseUrl, part]))
  return { name, environment, stored, parts: [...addresses.values()], found: all }
}

function ofCertificates(stored: StoredProfile, env: Invocation['edge']['env']): readonly OpenFinding[] {
  try {
    const unchecked = uncheckedCertificates(stored, env)
    return unchecked === null ? [] : [finding('tls', 'notice', unchecked)]
  } catch (error) {
    if (error instanceof Failure) return [failed('tls', error)]
    throw error
  }
}

async function ofSecret(stored: StoredProfile, { edge: { env }, output }: Invocation): Promise<readonly OpenFinding[]> {
  if (stored.clientId === undefined) return []
  const source = sourceInWords(stored.clientSecret, env)
  if (source === null) return [finding('secret', 'unseen', 'the profile keeps none: it is asked for at a terminal')]
  try {
    const late = wait(keyringTime, null, { ref: false })
    const secret = await Promise.race([fetchSecret(stored, env, systemKeyring), late])
    if (secret === null)
      return [finding('secret', 'bad', `${source} does not answer`, hint`Unlock it, or keep the secret in a file.`)]
    output.redactor.hide(secret)
    return [finding('secret', 'good', `it can be fetched from ${source}`)]
  } catch (error) {
    if (error instanceof Failure) return [failed('secret', error)]
    throw error
  }
}
