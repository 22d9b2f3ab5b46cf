/** Sums as the store keeps them and as people and programs read them. */
import { largestSandboxSum } from '../../contract/assumed.ts'
import { fromMinorUnits, JsonNumber, minorUnits } from '../../contract/core/decimal.ts'

/** The largest sum that the sandbox takes, in minor units: many of them still add up without loss. */
export const largestSum = minorUnits(largestSandboxSum) ?? 0n

/** Minor units of the store as the JSON number that people and programs read. */
export function money(minor: number): JsonNumber {
  return new JsonNumber(fromMinorUnits(BigInt(minor)))
}
