/** The envelopes of test/vectors: sealed by independent clients in five languages. */
import { createHash, type KeyObject } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPrivateKey } from '../../src/lib/envelope/key.ts'
import type { Scheme } from '../../src/lib/envelope/scheme.ts'

const directory = import.meta.dirname

export interface Vector {
  readonly name: string
  readonly plaintextBytes: number
  readonly plaintextSha256: string
  readonly plaintext?: string
  readonly encryptedData: string
  readonly encryptedKeys?: string
  readonly aes?: boolean
}

export interface VectorSet {
  readonly client: string
  readonly scheme: Scheme
  readonly publicKey: string
  readonly privateKey: string
  readonly key: KeyObject
  readonly vectors: readonly Vector[]
}

const schemes: Readonly<Record<string, Scheme>> = {
  'oaep-sha256-mgf1sha256 | AES-256-CBC/PKCS7': 'oaep-sha256',
  'oaep-sha256-mgf1sha1 | AES-256-CBC/PKCS7': 'oaep-sha256-mgf1-sha1',
  'pkcs1 | AES-256-CBC/PKCS7': 'pkcs1',
  'pkcs1 | none (payload RSA-encrypted directly)': 'rsa-pkcs1',
}

export function jsonFile<Shape>(...path: readonly string[]): Shape {
  return JSON.parse(readFileSync(join(directory, ...path), 'utf8')) as Shape
}

export const wycheproofFiles: readonly string[] = readdirSync(join(directory, 'wycheproof'))

type Kept = Omit<VectorSet, 'scheme' | 'key'> & { readonly scheme: readonly [string] }

export const vectorSets: readonly VectorSet[] = readdirSync(join(directory, 'envelopes')).map((file) => {
  const kept = jsonFile<Kept>('envelopes', file)
  const scheme = schemes[kept.scheme[0]]
  if (!scheme) throw new Error(`${file}: the scheme ${kept.scheme[0]} is not known`)
  return { ...kept, scheme, key: readPrivateKey(Buffer.from(kept.privateKey), file) }
})

/** The members of an envelope in JSON, without the file's remarks about it. */
export function membersOf({ encryptedData, encryptedKeys, aes }: Vector): Record<string, unknown> {
  return { encryptedData, ...(encryptedKeys === undefined ? {} : { encryptedKeys, aes }) }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
