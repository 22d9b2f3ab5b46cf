/** Openings to others than the service: secrets that they may read, and a connection whose other end is not checked. */
import { FailureBeforeSending } from '../../failure-before-sending.ts'
import { blank, hint, paste } from '../../hint.ts'
import { othersMayRead } from '../../readable-file.ts'
import type { StoredProfile } from '../settings/stored.ts'
import type { Environment } from './secret.ts'

/** A line for every file of the profile that holds a secret and may be read by others. */
export function openToOthers(profile: StoredProfile, configFile: string): readonly string[] {
  const { clientSecret, clientKeyFile, privateKeyFile, walletPrivateKeyFile } = profile
  const secret =
    clientSecret?.from === 'file' ? clientSecret.path : clientSecret?.from === 'config' ? configFile : undefined
  const files = [secret, clientKeyFile, privateKeyFile, walletPrivateKeyFile].filter((file) => file !== undefined)
  return [...new Set(files)]
    .filter(othersMayRead)
    .map((file) => `others may read ${file}: chmod 600 keeps it to yourself`)
}

const variable = 'NODE_TLS_REJECT_UNAUTHORIZED'

/** The warning where certificates are not checked; null where they are. Throws Failure('credentials') for a live profile. */
export function uncheckedCertificates({ name, environment }: StoredProfile, env: Environment): string | null {
  if (env[variable] !== '0') return null
  const why = `${variable}=0 lets anybody stand in for the service`
  if (environment !== 'live') return `CERTIFICATES ARE NOT CHECKED: ${why}; unset it, and name your own with --ca-file`
  throw new FailureBeforeSending('credentials', `${why}: the live profile ${name} is not used so`, {
    hints: [
      hint`unset ${variable}`,
      hint`A certificate of your own is trusted with \`${paste('profile add', blank('…'), '--ca-file', blank('<file>'))}\`.`,
    ],
  })
}
