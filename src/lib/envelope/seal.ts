/** Sender and receiver of an envelope: what a profile makes of its keys, and what a wire needs of them. */
import type { KeyObject } from 'node:crypto'
import type { Scheme } from './scheme.ts'

export interface Seal {
  /** The integrator's identity in the service. */
  readonly identifier: string
  readonly scheme: Scheme
  /** The service's public key; requests are sealed to it. */
  readonly toService: KeyObject
  /** The integrator's private keys; they open answers. At least one. */
  readonly own: readonly KeyObject[]
}
