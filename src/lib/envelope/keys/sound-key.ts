/**
 * RSA keys that seal nothing, whatever their size: with an exponent of 1 the block is the message itself, an even exponent or
 * modulus belongs to no pair, and a modulus with a small factor is taken apart by hand. Small odd exponents only need good
 * padding, which both schemes have: they are warned of.
 */
import { createPublicKey, type KeyObject } from 'node:crypto'

/** Products of two large primes have no factor below this. */
const smallest = 10_000
/** Primes whose product is divided by at once: one long division for all of them, and short ones for what it leaves. */
const primesAtOnce = 40
/** The usual exponent (RFC 8017 asks for no more than an odd one of 3 and up). */
const usualExponent = 65_537n

function numberIn(base64url: string | undefined): bigint {
  const hex = Buffer.from(base64url ?? '', 'base64url').toString('hex')
  return hex === '' ? 0n : BigInt(`0x${hex}`)
}

interface SmallPrimes {
  readonly primes: readonly bigint[]
  readonly product: bigint
}

function primesBelow(end: number): readonly bigint[] {
  const primes: number[] = []
  for (let number = 2; number < end; number += 1) {
    const last = primes.find((prime) => number % prime === 0 || prime * prime > number) ?? number
    if (last === number || number % last !== 0) primes.push(number)
  }
  return primes.map(BigInt)
}

function groupedPrimes(): readonly SmallPrimes[] {
  const all = primesBelow(smallest)
  return Array.from({ length: Math.ceil(all.length / primesAtOnce) }, (_, at) => {
    const primes = all.slice(at * primesAtOnce, (at + 1) * primesAtOnce)
    return { primes, product: primes.reduce((product, prime) => product * prime) }
  })
}

let smallPrimes: readonly SmallPrimes[] | undefined

function smallFactor(modulus: bigint): bigint | null {
  smallPrimes ??= groupedPrimes()
  for (const { primes, product } of smallPrimes) {
    const rest = modulus % product
    const factor = primes.find((prime) => rest % prime === 0n)
    if (factor !== undefined) return factor
  }
  return null
}

function publicNumbers(key: KeyObject): { readonly modulus: bigint; readonly exponent: bigint } {
  const half = key.type === 'private' ? createPublicKey(key) : key
  const { n, e } = half.export({ format: 'jwk' })
  return { modulus: numberIn(n), exponent: numberIn(e) }
}

/** The weakness of a key, in words that follow its name; null where it has none. */
export function weakness(key: KeyObject): string | null {
  const { modulus, exponent } = publicNumbers(key)
  if (exponent <= 1n) return `no key to seal with: its exponent is ${exponent}, so that everyone can read what it seals`
  if (exponent % 2n === 0n) return `no RSA key: its exponent ${exponent} is even`
  const factor = smallFactor(modulus)
  if (factor === 2n) return 'no RSA key: its modulus is even'
  return factor === null
    ? null
    : `no key to seal with: its modulus has the factor ${factor}, so that it can be taken apart`
}

/** The remark on the exponent of a key that can serve; null where it is usual. */
export function smallExponent(key: KeyObject): string | null {
  const { publicExponent } = key.asymmetricKeyDetails ?? {}
  if (publicExponent === undefined || publicExponent >= usualExponent) return null
  return `has the exponent ${publicExponent}; new keys have ${usualExponent}`
}
