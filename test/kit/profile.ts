/** Directories, keys and settings for profiles. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fingerprint, writeKey } from '../../src/lib/envelope/key.ts'
import { type AddContext, addProfile } from '../../src/lib/profile/add.ts'
import { Profiles } from '../../src/lib/profile/profiles.ts'
import { type Keyring, systemKeyring } from '../../src/lib/profile/secret.ts'
import type { GivenSettings } from '../../src/lib/profile/settings.ts'
import { sharedDirectory, temporaryDirectory } from './run/temporary.ts'
import { selfSigned } from './service.ts'

export const clientId = '3f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c11'

/** The least that makes a profile. */
export const plainGiven: GivenSettings = { 'base-url': 'https://pay.example.com', environment: 'test' }

export function drawer(): string {
  return temporaryDirectory('drawer')
}

export function put(directory: string, name: string, text: string | Uint8Array, mode = 0o600): string {
  const path = join(directory, name)
  writeFileSync(path, text, { mode })
  return path
}

export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

/** A certificate with its key, the key of another one, and a key behind a passphrase: made anew for each run. */
const made = sharedDirectory('certificates')
const client = selfSigned({ host: 'client' })
put(made, 'client.pem', client.cert)
put(made, 'client.key', client.key)
put(made, 'other.key', selfSigned({ host: 'other' }).key)
const locked = createPrivateKey(client.key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'x',
})
put(made, 'locked.key', locked.toString())

export function fixture(name: string): string {
  return join(made, name)
}

export function contextIn(directory: string, more: Partial<AddContext> = {}): AddContext {
  return {
    profiles: new Profiles(join(directory, 'config')),
    keyring: systemKeyring,
    env: {},
    stdin: Readable.from([]),
    ...more,
  }
}

export function add(directory: string, name: string, given: GivenSettings, more: Partial<AddContext> = {}) {
  return addProfile(name, given, contextIn(directory, more))
}

/** A keyring that works, on machines that have none: it forgets with the test. */
export function memoryKeyring(): { readonly keyring: Keyring; readonly secrets: ReadonlyMap<string, string> } {
  const secrets = new Map<string, string>()
  const keyring: Keyring = {
    read: async (account) => secrets.get(account) ?? null,
    write: async (account, secret) => {
      secrets.set(account, secret)
    },
    forget: async (account) => {
      secrets.delete(account)
    },
  }
  return { keyring, secrets }
}

function pair(form: 'base64' | 'pem') {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { pub: writeKey(publicKey, form), key: writeKey(privateKey, form), fingerprint: fingerprint(publicKey) }
}

export const keys = { service: pair('base64'), own: pair('pem'), walletService: pair('pem'), wallet: pair('base64') }
