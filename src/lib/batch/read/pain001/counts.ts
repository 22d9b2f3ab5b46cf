/** The counts and control sums of a pain.001, added up as the payments come, to be compared with what its headers say. */
import { withoutEnd } from '../../../ends.ts'
import { collapsed, scaled } from './values.ts'

/** A sum that was scaled, as people write it; at least two decimals. */
function unscaled(value: bigint): string {
  const digits = value.toString().padStart(18, '0')
  const fraction = digits.slice(-17)
  return `${digits.slice(0, -17)}.${fraction.slice(0, 2)}${withoutEnd(fraction.slice(2), '0')}`
}

export class Counted {
  #payments = 0
  #sum: bigint | null = 0n

  /** Adds a payment; null for a sum that cannot be read, after which no control sum is compared. */
  add(amount: bigint | null): void {
    this.#payments += 1
    this.#sum = this.#sum === null || amount === null ? null : this.#sum + amount
  }

  /** The complaint about a NbOfTxs; null where it is right or absent. */
  aboutCount(says: string | undefined): string | null {
    if (says === undefined || BigInt(says) === BigInt(this.#payments)) return null
    return `says ${says}, and there ${this.#payments === 1 ? 'is' : 'are'} ${this.#payments}`
  }

  /** The same about a CtrlSum: all amounts, whatever their currency. */
  aboutSum(says: string | undefined): string | null {
    if (says === undefined || this.#sum === null || scaled(says) === this.#sum) return null
    return `says ${collapsed(says)}, and the amounts are ${unscaled(this.#sum)}`
  }
}
