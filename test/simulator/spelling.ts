/** One address of a service in several spellings: other capitals, a default port, another name of this very machine. */
import { originOf } from '../../src/lib/contract/service.ts'
import type { Profile } from '../../src/lib/profile/profile.ts'
import type { Dice } from './dice.ts'

type Spellings = readonly [string, ...string[]]

const addresses: readonly [Spellings, ...Spellings[]] = [
  ['http://127.0.0.1:8080/pay', 'http://localhost:8080/pay', 'http://LOCALHOST:8080/pay', 'http://localhost:8080/pay/'],
  ['https://pay.example', 'https://PAY.example', 'https://pay.example:443', 'https://Pay.Example:443/'],
  ['http://localhost', 'http://127.0.0.1:80', 'http://localhost:80/'],
]

export class Spelling {
  readonly #fate: Dice
  readonly #address: Spellings

  constructor(fate: Dice) {
    this.#fate = fate
    this.#address = fate.pick(addresses)
  }

  /** The profile as it was put down the last time. */
  of(profile: Profile): Profile {
    const address = this.#fate.pick(this.#address)
    return { ...profile, service: address, serviceId: originOf(address), baseUrl: address }
  }
}
