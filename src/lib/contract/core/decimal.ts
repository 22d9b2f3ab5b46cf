/**
 * Money without floating point: decimal text ("12.50") inside, integer minor units in arithmetic, JSON number tokens on
 * the wire. `Number()` reads "0x10" as 16, so there is one strict parser.
 */
import { withoutEnd } from '../../text.ts'

/** A number of a JSON text, as it was written. */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

const decimal = /^(0|[1-9]\d*)(?:\.(\d+))?$/
const jsonNumber = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** More digits are no sum, and turning them into one takes the square of their number. */
const longestUnfolded = 400

/**
 * Minor units of decimal text with at most two decimals: "12.5" → 1250n. Null for a sign, an exponent, a comma, a
 * blank, a leading zero, a third decimal, an absurd length.
 */
export function minorUnits(text: string): bigint | null {
  if (text.length > longestUnfolded) return null
  const parts = decimal.exec(text)
  if (!parts) return null
  const [, whole = '', fraction = ''] = parts
  if (fraction.length > 2) return null
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'))
}

/** Advice about a comma before decimals, to follow a complaint; '' for other texts. */
export function commaAdvice(value: string): string {
  return /^\d+,\d{1,2}$/.test(value) ? `: write it as ${value.replace(',', '.')}` : ''
}

/** 1250n → "12.50", -5n → "-0.05". */
export function fromMinorUnits(units: bigint): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** By value: "1e3" → "1000", "12.500" → "12.5". Null for no number, or an absurd length. */
export function plainDecimal(token: string): string | null {
  const parts = jsonNumber.exec(token)
  if (!parts) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const shift = Number(exponent)
  if (Math.abs(shift) > longestUnfolded || token.length > longestUnfolded) return null
  const point = whole.length + shift
  const digits = `${whole}${fraction}`
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, '')
  const rest = withoutEnd(padded.slice(at), '0')
  return `${sign}${integer}${rest ? `.${rest}` : ''}`
}

/** Minor units, null where it moves none; currency null where its request names none. */
export interface Sum {
  readonly amountMinor: string | null
  readonly currency: string | null
}

/** "GEL 12.50", "12.50" where the request names no currency, null where it moves no sum. */
export function sumOf({ amountMinor, currency }: Sum): string | null {
  if (amountMinor === null) return null
  const amount = fromMinorUnits(BigInt(amountMinor))
  return currency === null ? amount : `${currency} ${amount}`
}
