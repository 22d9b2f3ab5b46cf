/**
 * Schemes that seal a text (service.md#envelope and service.md#wallet-envelope). The names are the values of a profile's
 * --rsa-padding and --wallet-scheme. With the first three the text is sealed with AES and its key wrapped with RSA; with the
 * last two the text itself is one RSA block.
 */
import type { KeyObject } from 'node:crypto'

export const paddings = ['oaep-sha256', 'oaep-sha256-mgf1-sha1', 'pkcs1'] as const

/** The padding of an RSA block. MGF1 SHA-256 unless the name says otherwise; the label is empty. */
export type Padding = (typeof paddings)[number]

export const schemes = [...paddings, 'rsa-oaep-sha256', 'rsa-pkcs1'] as const

export type Scheme = (typeof schemes)[number]

interface SchemeFacts {
  readonly padding: Padding
  /** True if AES carries the text; else the text is one RSA block. */
  readonly aes: boolean
  readonly words: string
}

export const schemeFacts: Readonly<Record<Scheme, SchemeFacts>> = {
  'oaep-sha256': { padding: 'oaep-sha256', aes: true, words: 'AES, its key wrapped with OAEP SHA-256, MGF1 SHA-256' },
  'oaep-sha256-mgf1-sha1': {
    padding: 'oaep-sha256-mgf1-sha1',
    aes: true,
    words: 'AES, its key wrapped with OAEP SHA-256, MGF1 SHA-1',
  },
  pkcs1: { padding: 'pkcs1', aes: true, words: 'AES, its key wrapped with PKCS#1 v1.5' },
  'rsa-oaep-sha256': { padding: 'oaep-sha256', aes: false, words: 'one RSA block, OAEP SHA-256 (legacy)' },
  'rsa-pkcs1': { padding: 'pkcs1', aes: false, words: 'one RSA block, PKCS#1 v1.5 (legacy)' },
}

/** The schemes an envelope may have by its layout, in the order they are tried: OAEP first, because a random block in 256 looks like PKCS#1. */
export function schemesFor(envelope: { readonly keys: unknown }): readonly Scheme[] {
  return schemes.filter((scheme) => schemeFacts[scheme].aes === (envelope.keys !== null))
}

/** Sender and receiver of an envelope: what a profile makes of its keys, and what a wire needs of them. */
export interface Seal {
  /** The integrator's identity in the service. */
  readonly identifier: string
  readonly scheme: Scheme
  /** The service's public key; requests are sealed to it. */
  readonly toService: KeyObject
  /** The integrator's private keys; they open answers. At least one. */
  readonly own: readonly KeyObject[]
}
