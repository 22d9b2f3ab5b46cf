/** The flags of `profile add`, and the complaints about them: by flag, because a flag is what people can change. */
import { resolve } from 'node:path'
import type { Members } from '../../contract/core/members.ts'
import { type SettingName, settingNames, settings } from './setting.ts'

/**
 * The flags of `profile add` that are not settings. A secret itself is never one of them: every user of the machine can see
 * arguments.
 */
export const secretFlags = ['client-secret-file', 'client-secret-env', 'client-secret-stdin'] as const

/** Values by flag. */
export type GivenSettings = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** Something wrong with a flag, in words that follow its name. */
export interface FlagComplaint {
  readonly flag: string
  readonly message: string
}

/** The settings that were given, files as absolute paths. Not yet looked at by any rule. */
export function settingsOf(given: GivenSettings): Members {
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const { flag, takes } = settings[name]
      const value = given[flag]
      // A switch that is not set says nothing, so that `add` can add to a profile.
      if (value === undefined || value === false) return []
      return [[name, takes === 'file' && value !== '' ? resolve(String(value)) : value]]
    }),
  )
}

/** The flag that gives a setting. */
export function flagOf(setting: string): string {
  if (setting === 'clientSecret') return secretFlags[0]
  if (setting === 'limits') return 'limit'
  return Object.hasOwn(settings, setting) ? settings[setting as SettingName].flag : setting
}

/**
 * Complaints about identities that are given now. Those of a profile that an earlier paydesk kept are left to the requests that
 * hold them: what else it has stays usable.
 */
export function identityComplaints({ walletIdentifier }: Members): readonly FlagComplaint[] {
  if (walletIdentifier === undefined || settings.clientId.rule.safeParse(walletIdentifier).success) return []
  const message = `must be a UUID: it is who you are in each request of the wallet, in the place of --${settings.integratorId.flag}`
  return [{ flag: `--${settings.walletIdentifier.flag}`, message }]
}
