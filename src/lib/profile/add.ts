/**
 * `profile add`: makes a profile, or adds to one. A setting that a profile has already is never changed in passing: that
 * takes --replace. So the same line may run twice, and a missing area is added without typing everything again. One answer
 * names every mistake, before anything is written.
 */
import { isDeepStrictEqual } from 'node:util'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import type { Kept, Profiles } from './profiles.ts'
import { type GivenSecret, secretGiven } from './secrets/given-secret.ts'
import type { Keyring } from './secrets/keyring.ts'
import { forgetUnused } from './secrets/keyring-care.ts'
import { type Environment, keyringAccount, secretVariable, sourceInWords } from './secrets/secret.ts'
import { type FlagComplaint, flagOf, type GivenSettings, identityComplaints, settingsOf } from './settings/given.ts'
import { lookAtFiles } from './settings/given-files.ts'
import { limitsAfter } from './settings/limits.ts'
import { limitedOtherwise } from './settings/same-client.ts'
import { servicesAfter } from './settings/service-id.ts'
import { nameComplaint, readSettings, type StoredProfile, type StoredSettings } from './settings/stored.ts'

export interface AddContext {
  readonly profiles: Profiles
  readonly keyring: Keyring
  readonly env: Environment
  readonly stdin: AsyncIterable<Buffer | string> & { readonly isTTY?: boolean }
}

export interface Added {
  readonly profile: StoredProfile
  /** True if the profile existed before. */
  readonly extended: boolean
  readonly warnings: readonly string[]
}

interface Made {
  readonly settings: StoredSettings
  readonly warnings: readonly string[]
}

function refused(complaints: readonly FlagComplaint[]): Failure {
  const said = complaints.map(({ flag, message }) => `${flag} ${message}`).join('; ')
  return new Failure('usage', `the profile was not added: ${said}`, {
    hints: [hint`\`${paste('profile add', '--help')}\` shows every flag.`],
  })
}

/** Complaints about settings that the profile has already and that would change. */
function changes(before: StoredProfile, after: StoredSettings, draft: GivenSettings | object): FlagComplaint[] {
  return Object.keys(draft).flatMap((name) => {
    const had = before[name]
    // A secret in the keyring is not compared with the one that came: it counts as another.
    const same =
      isDeepStrictEqual(had, after[name]) && !(name === 'clientSecret' && after.clientSecret?.from === 'keyring')
    if (had === undefined || had === false || same) return []
    const now = name === 'clientSecret' ? `in ${sourceInWords(before.clientSecret, {})}` : String(had)
    return [{ flag: `--${flagOf(name)}`, message: `would change what the profile has (${now}); --replace allows it` }]
  })
}

function existing(kept: Kept, name: string): StoredProfile | null {
  return nameComplaint(name) === null ? kept.profile(name) : null
}

/** The operator's word about another host. */
function wordOf(given: GivenSettings): 'same' | 'another' | null {
  if (given['same-service'] === true) return 'same'
  return given['another-service'] === true ? 'another' : null
}

function make(name: string, given: GivenSettings, secret: GivenSecret, kept: Kept): Made {
  const before = existing(kept, name)
  const draft = { ...settingsOf(given), ...(secret.source ? { clientSecret: secret.source } : {}) }
  const { name: _, limits: hadLimits, ...had } = before ?? { name }
  const { limits, ...changed } = limitsAfter(hadLimits, given)
  const merged = { ...had, ...draft, ...(limits.length > 0 ? { limits } : {}) }
  const read = readSettings(merged)
  const files = lookAtFiles(draft, merged)
  const nameWrong = nameComplaint(name)
  const change = { before, draft, word: wordOf(given), kept }
  const named = read.ok ? servicesAfter({ ...change, after: { ...read.settings, name } }) : null
  const complaints = [
    ...(nameWrong ? [{ flag: 'the name', message: nameWrong }] : []),
    ...(read.ok ? [] : read.complaints.map(({ setting, message }) => ({ flag: `--${flagOf(setting)}`, message }))),
    ...identityComplaints(draft),
    ...changed.complaints,
    ...[...secret.complaints, ...files.complaints].map(({ flag, message }) => ({ flag: `--${flag}`, message })),
    ...(read.ok && before && given.replace !== true ? changes(before, read.settings, draft) : []),
    ...(given['same-service'] && given['another-service']
      ? [{ flag: '--same-service', message: 'and --another-service exclude each other' }]
      : (named?.complaints ?? [])),
  ]
  if (!read.ok || !named || complaints.length > 0) throw refused(complaints)
  const services = { ...before?.services, ...named.services }
  const warnings = [...secret.warnings, ...files.warnings, ...changed.looser]
  return { settings: { ...read.settings, services }, warnings }
}

/** Payments of a profile stand where they were made: another store does not know them. */
function elsewhere(before: StoredProfile | null, { store, name }: StoredProfile): string[] {
  if (before === null || before.store === store || store === undefined) return []
  return before.store === undefined
    ? [
        `payments of ${name} from before stand in the journal of this machine; \`paydesk journal import -p ${name}\` brings them into the store`,
      ]
    : [`payments of ${name} from before stand in the store ${before.store}, which is asked no more`]
}

function remarks(profile: StoredProfile, kept: Kept, env: Environment): string[] {
  const noSecret = profile.clientId !== undefined && !profile.clientSecret && env[secretVariable] === undefined
  const secret = noSecret ? [`the profile has no client secret: payouts will need ${secretVariable}`] : []
  return [...secret, ...limitedOtherwise(profile, kept)]
}

/** Throws Failure('usage') with every complaint, or Failure('credentials') when there is no keyring. */
export async function addProfile(name: string, given: GivenSettings, context: AddContext): Promise<Added> {
  const { profiles, keyring, env, stdin } = context
  const secret = await secretGiven(given, env, stdin)
  // Once before the lock, so that a refused line leaves nothing behind, and once inside, on what is kept by then.
  make(name, given, secret, await profiles.read())
  let before: StoredProfile | null = null
  let made: Made | null = null
  const kept = await profiles.put(
    name,
    async (now) => {
      before = existing(now, name)
      made = make(name, given, secret, now)
      if (secret.forKeyring !== null) await keyring.write(keyringAccount(made.settings), secret.forKeyring)
      return made.settings
    },
    { asDefault: given.use === true },
  )
  const profile = kept.profile(name)
  if (!profile || !made) throw new Failure('bug', `profile ${name} was written and is not there`, { moneyMoved: 'no' })
  const { warnings } = made as Made
  const left = before ? await forgetUnused(before, kept, keyring) : []
  return {
    profile,
    extended: before !== null,
    warnings: [...warnings, ...elsewhere(before, profile), ...remarks(profile, kept, env), ...left],
  }
}
