/** The keys of a profile, read and held against what they must be: a private key where a public one belongs is refused by name. */
import { readPrivateKey, readPublicKey } from '../../envelope/key.ts'
import type { Scheme, Seal } from '../../envelope/scheme.ts'
import { Failure } from '../../failure.ts'
import { contents, mustBeOwn } from '../../readable-file.ts'
import { missing } from '../missing.ts'
import type { Part } from '../parts.ts'
import type { Environment } from '../secrets/secret.ts'
import { identityFlag, identityOf } from './part.ts'
import { settings } from './setting.ts'
import type { StoredProfile } from './stored.ts'

export const privateKeyVariable = 'PAYDESK_PRIVATE_KEY_FILE'

function bytesOf(path: string, name: string): Buffer {
  const file = contents(path)
  if ('bytes' in file) return file.bytes
  throw new Failure('credentials', `${name} cannot be read: ${file.why}`)
}

/** The scheme of a part, where the profile sets none (service.md#envelope and service.md#wallet-envelope). */
export function schemeFor({ rsaPadding, walletScheme }: Partial<StoredProfile>, part: Part): Scheme {
  if (part === 'wallet' && walletScheme !== 'aes') return walletScheme ?? 'rsa-pkcs1'
  return rsaPadding ?? 'oaep-sha256'
}

interface Files {
  readonly publicKey: string | undefined
  readonly privateKey: string | undefined
}

function filesOf(stored: StoredProfile, part: Part, env: Environment): Files {
  const { servicePublicKeyFile, walletServicePublicKeyFile, privateKeyFile, walletPrivateKeyFile } = stored
  if (part === 'wallet') {
    return {
      publicKey: walletServicePublicKeyFile ?? servicePublicKeyFile,
      privateKey: walletPrivateKeyFile ?? (env[privateKeyVariable] || privateKeyFile),
    }
  }
  return { publicKey: servicePublicKeyFile, privateKey: env[privateKeyVariable] || privateKeyFile }
}

/** Identity, scheme and keys of a sealed part. Throws Failure('credentials') that names what the profile lacks. */
export function sealOf(stored: StoredProfile, part: Part, env: Environment): Seal {
  const identifier = identityOf(stored, part)
  const { publicKey, privateKey } = filesOf(stored, part, env)
  if (identifier === undefined || publicKey === undefined || privateKey === undefined) {
    throw missing(stored.name, `${absent({ identifier, publicKey, privateKey })}, which ${part} need`, [
      ...(identifier === undefined ? [`--${identityFlag[part]} <uuid>`] : []),
      ...(publicKey === undefined ? [`--${settings.servicePublicKeyFile.flag} <file>`] : []),
      ...(privateKey === undefined ? [`--${settings.privateKeyFile.flag} <file>`] : []),
    ])
  }
  mustBeOwn(publicKey, 'the key file')
  mustBeOwn(privateKey, 'the key file')
  const toService = readPublicKey(bytesOf(publicKey, publicKey), publicKey)
  const own = readPrivateKey(bytesOf(privateKey, privateKey), privateKey)
  return { identifier, scheme: schemeFor(stored, part), toService, own: [own] }
}

function absent(found: Files & { readonly identifier: string | undefined }): string {
  const names = [
    ...(found.identifier === undefined ? ['identity'] : []),
    ...(found.publicKey === undefined ? ['public key of the service'] : []),
    ...(found.privateKey === undefined ? ['private key'] : []),
  ]
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '')
}
