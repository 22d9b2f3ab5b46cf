/** Sums as the store keeps them and as people and programs read them. */
import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'

/** The largest sum that the sandbox takes, in minor units: many of them still add up without loss. Assumed. */
export const largestSum = 10_000_000_000n

/** Minor units of the store as the JSON number that people and programs read. */
export function money(minor: number): JsonNumber {
  return new JsonNumber(fromMinorUnits(BigInt(minor)))
}
