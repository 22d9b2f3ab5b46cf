/** An envelope that does not open, as it is brought to the doctor, and what was tried with it. */
import type { KeyObject } from 'node:crypto'
import type { OpeningAttempt } from './envelope.ts'
import type { Scheme } from './scheme.ts'

export interface NamedKey {
  /** As the person named it: a flag and a file. */
  readonly name: string
  readonly key: KeyObject
}

export interface Patient {
  readonly text: string
  /** Private keys, at least one; the first is the one that should open it. */
  readonly keys: readonly NamedKey[]
  /** Public keys that may have been used for the envelope. */
  readonly publicKeys: readonly NamedKey[]
  /** The scheme that is set. */
  readonly setting: Scheme
  /** Breaches of the contract in a text, in words; none where it is fine. */
  readonly check?: ((text: string) => readonly string[]) | undefined
}

/** One key with one scheme. */
export interface Tried {
  readonly owner: NamedKey
  readonly scheme: Scheme
  readonly attempt: OpeningAttempt
}
