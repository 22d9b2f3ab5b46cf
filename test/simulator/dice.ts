/** All chance of a simulation comes from one seed, so that a seed replays byte for byte. */
import type { Random } from '../../src/lib/edge.ts'
import { pairOf } from './keys.ts'

export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** mulberry32: evenly spread in [0, 1). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number in [0, below). */
  below(below: number): number {
    return Math.floor(this.fraction() * below)
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0]
  }

  hex(digits: number): string {
    return Array.from({ length: digits }, () => this.below(16).toString(16)).join('')
  }

  /** The randomness of one part of the program. */
  random(): Random {
    return {
      uuid: () => `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-a${this.hex(3)}-${this.hex(12)}`,
      fraction: () => this.fraction(),
      secret: (bytes) => this.hex(bytes * 2),
      rsaKeyPair: async (bits) => pairOf(bits),
    }
  }
}
