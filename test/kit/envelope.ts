/** Key pairs and envelopes. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeKey } from '../../src/lib/envelope/key.ts'
import { newHome } from './program.ts'

export interface Pair {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export function newPair(bits = 2048): Pair {
  return generateKeyPairSync('rsa', { modulusLength: bits })
}

export const payload = '{"amount":12.50,"description":"ხელფასი, ნოემბერი"}'

export interface Scene {
  readonly home: string
  readonly pair: Pair
  readonly privateKey: string
  readonly publicKey: string
  /** Puts a text into a file of the home; gives its path. */
  readonly put: (name: string, text: string) => string
}

export function newScene(pair: Pair = newPair()): Scene {
  const home = newHome()
  const put = (name: string, text: string) => {
    writeFileSync(join(home, name), text, { mode: 0o600 })
    return join(home, name)
  }
  return {
    home,
    pair,
    put,
    privateKey: put('own.key', writeKey(pair.privateKey, 'base64')),
    publicKey: put('own.pub', writeKey(pair.publicKey, 'base64')),
  }
}

/** `profile add` for a test service, with whatever keys are given. */
export function addProfile(name: string, ...more: readonly string[]): string[] {
  const address = ['--base-url', 'https://pay.example.com', '--environment', 'test']
  return ['profile', 'add', name, ...address, ...more]
}
