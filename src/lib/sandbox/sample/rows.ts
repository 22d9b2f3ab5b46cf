/**
 * Payouts to try a file with: invented people, their valid IBANs, sums that the sandbox's balances cover, and every description
 * that leads a payout to an end of its own. The same seed gives the same rows.
 */
import { fromMinorUnits } from '../../contract/core/decimal.ts'
import { ibanOf } from '../../contract/core/iban.ts'
import { nthDraw } from '../faults/draw.ts'
import { magicDescriptions } from '../payouts/advance.ts'

export interface SamplePayout {
  readonly key: string
  readonly amount: string
  readonly currency: string
  readonly description: string
  readonly toIban: string
  readonly beneficiaryName: string
  readonly beneficiaryIdentityNumber: string
  readonly birthDate: string
}

export const sampleColumns = [
  ...[
    'key',
    'amount',
    'currency',
    'description',
    'toIban',
    'beneficiaryName',
    'beneficiaryIdentityNumber',
    'birthDate',
  ],
] as readonly (keyof SamplePayout)[]

const firstNames = ['Nino', 'Giorgi', 'Mariam', 'Luka', 'Ana', 'Davit', 'Tamar', 'Irakli', 'ნანა', 'ზურაბ'] as const
const lastNames = ['Beridze', 'Kapanadze', 'Gelashvili', 'Maisuradze', 'Lomidze', 'Tsiklauri', 'ხუციშვილი'] as const
const banks = ['NB', 'TB', 'BG', 'LB'] as const
const purposes = ['Salary, November', 'Bonus (2026)', 'ხელფასი', 'Rent 11/2026', 'Refund: invoice 1044'] as const

/** Minor units that one row pays at most, and that all rows together stay below. */
const most = { row: 50_000, all: 20_000_000 }

/** Every so many rows one in dollars, and one with a description of its own end. */
const every = { dollars: 10, magic: 25 }

/** Draws for one row: the same seed and row give the same. */
class Draws {
  readonly #seed: number
  #next: number

  constructor(seed: number, row: number) {
    this.#seed = seed
    this.#next = row * 16
  }

  below(limit: number): number {
    this.#next += 1
    return Math.floor(nthDraw(this.#seed, this.#next) * limit)
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value
  }

  digits(count: number): string {
    const half = (digits: number) => String(this.below(10 ** digits)).padStart(digits, '0')
    return count > 8 ? half(8) + half(count - 8) : half(count)
  }
}

export interface SampleOrder {
  readonly rows: number
  readonly seed: number
}

/** The payout in a row; rows count from 0. */
export function samplePayout({ rows, seed }: SampleOrder, row: number): SamplePayout {
  const draws = new Draws(seed, row)
  const limit = Math.max(1, Math.min(most.row, Math.floor(most.all / rows)))
  const magic = magicDescriptions[Math.floor(row / every.magic) % magicDescriptions.length]
  // In a short file they come one after the other.
  const isMagic = row < magicDescriptions.length || row % every.magic === 0
  const short = row < magicDescriptions.length ? magicDescriptions[row] : magic
  const purpose = draws.of(purposes)
  const year = 1950 + draws.below(55)
  return {
    key: `sample-${seed}:${row + 1}`,
    amount: fromMinorUnits(BigInt(1 + draws.below(limit))),
    currency: row % every.dollars === every.dollars - 1 ? 'USD' : 'GEL',
    description: isMagic && short ? short.description : purpose,
    toIban: ibanOf(draws.of(banks), draws.digits(16)),
    beneficiaryName: `${draws.of(firstNames)} ${draws.of(lastNames)}`,
    beneficiaryIdentityNumber: `0${draws.digits(10)}`,
    birthDate: `${String(1 + draws.below(28)).padStart(2, '0')}.${String(1 + draws.below(12)).padStart(2, '0')}.${year}`,
  }
}
