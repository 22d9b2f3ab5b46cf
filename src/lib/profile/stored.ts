/**
 * A profile as it is kept. Read and written through the same rules; keys that a newer paydesk wrote are kept. It holds a
 * secret only where `--store-secrets` asked for that; otherwise it names the place of the secret.
 */
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import type { Members } from '../contract/core/members.ts'
import { complaint } from '../contract/validate.ts'
import { readAddress } from './address.ts'
import { isBuiltIn } from './built-in.ts'
import { limitsRule } from './limits.ts'
import { type SettingName, settings } from './settings.ts'

export const environmentName = /^[A-Za-z_][A-Za-z0-9_]*$/

const secretSource = z.discriminatedUnion(
  'from',
  [
    z.looseObject({
      from: z.literal('file'),
      path: z.string().refine(isAbsolute, { error: 'must be an absolute path' }),
    }),
    z.looseObject({ from: z.literal('env'), name: z.string().regex(environmentName, { error: 'must be a name' }) }),
    z.looseObject({ from: z.literal('keyring') }),
    z.looseObject({ from: z.literal('config'), value: z.string().min(1, { error: 'must not be empty' }) }),
  ],
  { error: 'must say where it is: file, env, keyring or config' },
)

export type SecretSource = z.output<typeof secretSource>

type Shape = { [Name in SettingName]: (typeof settings)[Name]['rule'] }

const rules: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(settings).map(([name, { rule }]) => [name, rule]),
)
const shape = rules as Shape

const serviceName = z.string().min(1, { error: 'must not be empty' }).optional()

/** The service's own name of each part, under which journal and --key know it; made by `profile add`. */
const services = z.looseObject({ payouts: serviceName, orders: serviceName, wallet: serviceName })

const storedSettings = z.looseObject({
  ...shape,
  clientSecret: secretSource.optional(),
  limits: limitsRule,
  services: services.optional(),
})

export type StoredSettings = z.output<typeof storedSettings>
export type StoredProfile = StoredSettings & { readonly name: string }

/** A complaint about a profile: the setting, and words that follow its name. */
interface Complaint {
  readonly setting: string
  readonly message: string
}

type ReadSettings =
  | { readonly ok: true; readonly settings: StoredSettings }
  | { readonly ok: false; readonly complaints: readonly Complaint[] }

/** The complaint about a name for a profile; null if it may be used. */
export function nameComplaint(name: string): string | null {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
    return 'must be letters, digits, - _ and . (at most 64, the first a letter or a digit)'
  }
  // In any case: "Sandbox" must not be taken for the sandbox.
  return isBuiltIn(name.toLowerCase()) ? 'is built in' : null
}

const addresses = ['baseUrl', 'distributorUrl', 'ordersUrl', 'walletUrl'] as const

/** Rules over several settings. They look at what was given even when single settings are wrong, so that one answer tells all. */
function acrossSettings(given: Members): Complaint[] {
  const complaints: Complaint[] = []
  for (const name of addresses) {
    const typed = given[name]
    const read = typeof typed === 'string' ? readAddress(typed) : null
    if (given.environment === 'live' && read?.ok && read.plain) {
      complaints.push({ setting: name, message: 'must be https: a live profile never uses plain http' })
    }
  }
  const { clientCertificateFile: certificate, clientKeyFile: key } = given
  if (certificate !== undefined && key === undefined) {
    complaints.push({ setting: 'clientKeyFile', message: 'is required with a client certificate' })
  }
  if (key !== undefined && certificate === undefined) {
    complaints.push({ setting: 'clientCertificateFile', message: 'is required with a client key' })
  }
  if (given.clientSecret !== undefined && given.clientId === undefined) {
    complaints.push({ setting: 'clientId', message: 'is required with a client secret' })
  }
  return complaints
}

/** The settings of a profile if they keep every rule, else all complaints. */
export function readSettings(given: Members): ReadSettings {
  const parsed = storedSettings.safeParse(given, { error: complaint })
  const complaints = [
    ...(parsed.success ? [] : parsed.error.issues).map(({ path, message }) => ({
      setting: String(path[0] ?? 'profile'),
      message,
    })),
    ...acrossSettings(given),
  ]
  return parsed.success && complaints.length === 0 ? { ok: true, settings: parsed.data } : { ok: false, complaints }
}
