/**
 * The file of the profiles: one configuration file, mode 0600, in a directory for its owner only. This module alone opens
 * conf: an instance opened elsewhere without the file mode would rewrite the file as 0644. Reading does without conf, which
 * brings ajv and 12 to 24 ms. Every change happens inside a lock between processes, on the present content of the file. A
 * damaged file is never overwritten, and never quoted, because it may hold a secret.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Failure, type FailureFacts, type FailureName } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import { isRecord } from '../json.ts'
import { nearest } from '../nearest.ts'
import { fileTrouble, makePrivateDirectory } from '../paths.ts'
import type { ResultOf } from '../result.ts'
import { mendTheDisk } from '../store/engine/file-system.ts'
import { builtIn, isBuiltIn } from './built-in.ts'
import type { profileRemovedResult } from './result.ts'
import { type Keyring, keyringAccount } from './secret.ts'
import { readSettings, type StoredProfile, type StoredSettings } from './stored.ts'

const configName = 'config'

const whole = z.looseObject({
  /** The profile that is used when none is named. */
  defaultProfile: z.string().optional(),
  profiles: z.record(z.string(), z.unknown()).optional(),
})

type Whole = z.output<typeof whole>

class Damage extends Error {}

/** Its complaints never quote the text, as those of JSON.parse do. */
function parseWhole(text: string): Whole {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const line = at === undefined ? '' : ` (line ${text.slice(0, Number(at)).split('\n').length})`
    throw new Damage(`it is not valid JSON${line}`)
  }
  const parsed = whole.safeParse(value)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.join('.')
  throw new Damage(where ? `"${where}" has the wrong shape` : 'it is not a JSON object')
}

/** The content of the configuration file at one moment. */
export class Kept {
  readonly #whole: Whole
  readonly #path: string

  constructor(whole: Whole, path: string) {
    this.#whole = whole
    this.#path = path
  }

  /** The profile to use when none is named; it may be a built-in one. */
  get default(): string | null {
    return this.#whole.defaultProfile ?? null
  }

  get names(): readonly string[] {
    return Object.keys(this.#whole.profiles ?? {}).toSorted()
  }

  /** The profile of a name, null where there is none. A profile that breaks the rules is a Failure; the others still work. */
  profile(name: string): StoredProfile | null {
    const profiles = this.#whole.profiles ?? {}
    if (!Object.hasOwn(profiles, name)) return null
    const raw = profiles[name]
    const read = readSettings(typeof raw === 'object' && raw !== null ? { ...raw } : {})
    if (read.ok) return { ...read.settings, name }
    const complaints = read.complaints.map(({ setting, message }) => `"${setting}" ${message}`).join('; ')
    throw new Failure('credentials', `profile ${name} in ${this.#path} cannot be used: ${complaints}`, {
      hints: [hint`Correct it by hand, or remove it with \`${paste('profile remove', name)}\` and add it again.`],
    })
  }

  /** The same, null for one that breaks the rules, too: it sends nothing. */
  usable(name: string): StoredProfile | null {
    try {
      return this.profile(name)
    } catch (error) {
      if (error instanceof Failure) return null
      throw error
    }
  }

  /** The team's store that a profile names, whatever else is wrong with it; null for none. */
  storeOf(name: string): string | null {
    const profiles = this.#whole.profiles ?? {}
    const raw = Object.hasOwn(profiles, name) ? profiles[name] : null
    return isRecord(raw) && typeof raw.store === 'string' && raw.store !== '' ? raw.store : null
  }
}

interface NamedStore {
  readonly profile: string
  readonly address: string
}

export class Profiles {
  readonly #directory: string
  readonly path: string

  constructor(directory: string) {
    this.#directory = directory
    this.path = join(directory, `${configName}.json`)
  }

  async read(): Promise<Kept> {
    return this.readNow()
  }

  /** The same for the last words of a command, which cannot wait. */
  readNow(): Kept {
    try {
      return new Kept(parseWhole(readFileSync(this.path, 'utf8')), this.path)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Kept({}, this.path)
      throw this.#damaged(error)
    }
  }

  /** Puts a profile, made from what is kept under the name by then. */
  async put(
    name: string,
    make: (kept: Kept) => Promise<StoredSettings>,
    more: { readonly asDefault: boolean } = { asDefault: false },
  ): Promise<Kept> {
    return this.#change(async (kept, now) => {
      const made = readSettings(await make(kept))
      if (!made.ok) throw new Failure('bug', `profile ${name} was made against its own rules`, { moneyMoved: 'no' })
      return {
        ...now,
        ...(more.asDefault ? { defaultProfile: name } : {}),
        profiles: { ...now.profiles, [name]: made.settings },
      }
    })
  }

  /** Makes a profile the one that is used when none is named. */
  async use(name: string): Promise<void> {
    await this.#change(async (kept, now) => {
      if (!isBuiltIn(name) && !kept.names.includes(name)) throw unknownProfile(name, kept)
      return { ...now, defaultProfile: name }
    })
  }

  /** Takes a profile away, a damaged one too. Gives back what is kept without it. */
  async remove(name: string): Promise<Kept> {
    return this.#change(async (kept, now) => {
      if (!kept.names.includes(name)) throw unknownProfile(name, kept)
      const { [name]: _, ...profiles } = now.profiles ?? {}
      const { defaultProfile, ...rest } = now
      return { ...rest, ...(defaultProfile === name ? {} : { defaultProfile }), profiles }
    })
  }

  async #change(make: (kept: Kept, now: Whole) => Promise<Whole>): Promise<Kept> {
    try {
      makePrivateDirectory(this.#directory)
    } catch (error) {
      throw this.#unwritable(error)
    }
    // Both are loaded here, because most commands only read.
    const [{ withLock }, { default: Conf }] = await Promise.all([import('../store/engine/lock.ts'), import('conf')])
    return withLock(`${this.path}-lock`, async () => {
      const conf = this.#open(Conf)
      const now = conf.store
      const next = await make(new Kept(now, this.path), now)
      try {
        conf.store = next
      } catch (error) {
        throw this.#unwritable(error)
      }
      return new Kept(next, this.path)
    })
  }

  #open(Conf: typeof import('conf').default) {
    try {
      return new Conf<Whole>({
        cwd: this.#directory,
        configName,
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
        clearInvalidConfig: false,
        // conf takes `null` or a list for an empty configuration and would write over it.
        deserialize: parseWhole,
      })
    } catch (error) {
      throw this.#damaged(error)
    }
  }

  #damaged(error: unknown): Failure {
    const why = error instanceof Damage ? error.message : fileTrouble(error)
    return new Failure('credentials', `config file ${this.path} cannot be read: ${why}`, {
      hints: [hint`The file was not changed. Correct it by hand, or move it away and add the profiles again.`],
    })
  }

  #unwritable(error: unknown): Failure {
    return new Failure(
      'unsent',
      `config file ${this.path} cannot be written: ${fileTrouble(error)}; nothing was changed`,
      {
        hints: [mendTheDisk],
      },
    )
  }
}

export class UnknownProfile extends Failure {
  readonly profile: string

  constructor(profile: string, message: string, facts: FailureFacts) {
    super('credentials', message, facts)
    this.profile = profile
  }

  override as(kind: FailureName, facts: FailureFacts): Failure {
    return kind === this.kind ? new UnknownProfile(this.profile, this.message, facts) : super.as(kind, facts)
  }
}

export function unknownProfile(name: string, { names }: { readonly names: readonly string[] }): Failure {
  const others = names.length > 0 ? `${names.join(', ')}, and the built-in sandbox` : 'only the built-in sandbox'
  const near = nearest(name, [...names, ...builtIn])
  return new UnknownProfile(name, `there is no profile "${name}"; there is ${others}`, {
    hints: [
      hint`\`${paste('profile list')}\` lists them; PAYDESK_HOME sets their directory.`,
      ...(near === null ? [] : [hint`Did you mean ${near}?`]),
    ],
  })
}

/**
 * The store that a profile names, the default one if none is named: a command needs it before it knows more. Null where it names
 * none, as no built-in one does, or where the file of the profiles is damaged: others tell that.
 */
export function storeNamed(directory: string, named: string | null): NamedStore | null {
  try {
    const kept = new Profiles(directory).readNow()
    const profile = named ?? kept.default
    const address = profile === null ? null : kept.storeOf(profile)
    return profile === null || address === null ? null : { profile, address }
  } catch {
    return null
  }
}

export type Removed = ResultOf<typeof profileRemovedResult>

export async function removeProfile(name: string, profiles: Profiles, keyring: Keyring): Promise<Removed> {
  const before = await profiles.read()
  if (!before.names.includes(name)) throw unknownProfile(name, before)
  const profile = before.usable(name)
  const kept = await profiles.remove(name)
  const wasDefault = before.default === name
  const warnings = [
    ...(wasDefault ? ['it was the default: set another with `profile use`'] : []),
    ...(profile ? await forgetUnused(profile, kept, keyring) : []),
  ]
  return { name, wasDefault, warnings }
}

/** Takes the secret of a former profile out of the keyring, unless another profile has it there. Gives back warnings. */
export async function forgetUnused(former: StoredProfile, kept: Kept, keyring: Keyring): Promise<readonly string[]> {
  if (former.clientSecret?.from !== 'keyring') return []
  const account = keyringAccount(former)
  const used = kept.names.some((name) => {
    const profile = kept.usable(name)
    return profile?.clientSecret?.from === 'keyring' && keyringAccount(profile) === account
  })
  if (used) return []
  try {
    await keyring.forget(account)
    return []
  } catch (error) {
    const why = error instanceof Failure ? error.message : 'unknown reason'
    return [`the old secret may still be in the keyring (paydesk, ${account}): ${why}`]
  }
}
