/**
 * Keys from files, in any form. A key that cannot serve is refused by its name; a private key that others may read gets a
 * warning.
 */
import type { KeyObject } from 'node:crypto'
import { readPrivateKey, readPublicKey, requireRsaKey } from '../../envelope/keys/key.ts'
import { smallExponent } from '../../envelope/keys/sound-key.ts'
import type { NamedKey } from '../../envelope/patient.ts'
import { Failure } from '../../failure.ts'
import { contents, mustBeOwn, othersMayRead } from '../../readable-file.ts'

/** Hears what is unusual about a key that is used all the same. */
export type KeyWarning = (line: string) => void

export interface KeyFile {
  readonly path: string
  /** The flag or the variable that named it. */
  readonly by: string
}

function bytesOf(path: string, name: string): Buffer {
  mustBeOwn(path, 'the key file')
  const file = contents(path)
  if ('bytes' in file) return file.bytes
  throw new Failure('credentials', `${name} cannot be read: ${file.why}`)
}

function remarkUpon(path: string, key: KeyObject, warn: KeyWarning): void {
  if (key.type === 'private' && othersMayRead(path)) warn(`others may read ${path}: chmod 600 keeps it to yourself`)
  const unusual = smallExponent(key)
  if (unusual !== null) warn(`the key in ${path} ${unusual}`)
}

/** A key of either half. Throws Failure('credentials'). */
export function keyIn(path: string, warn: KeyWarning): KeyObject {
  const key = requireRsaKey(bytesOf(path, path), path)
  remarkUpon(path, key, warn)
  return key
}

function half(read: (bytes: Buffer, name: string) => KeyObject) {
  return ({ path, by }: KeyFile, warn: KeyWarning): NamedKey => {
    const name = `${by} ${path}`
    const key = read(bytesOf(path, name), name)
    remarkUpon(path, key, warn)
    return { name: path, key }
  }
}

/** Throw Failure('credentials'). */
export const privateKeyIn = half(readPrivateKey)
export const publicKeyIn = half(readPublicKey)
