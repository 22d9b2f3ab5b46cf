/** The ids of rows. With a key it is the id that `payout create --key` would send; without one it follows from the plan. */

import type { Members } from '../../contract/core/members.ts'
import { createPayout } from '../../contract/payout/payout.ts'
import { idOfKey, idsForKeys } from '../../desk/draft.ts'
import type { RowOwner } from '../rows/owner.ts'
import { contentOf } from './survey.ts'

/** The part of a row that its id follows from. */
export interface Nameable {
  readonly number: number
  readonly key: string | null
  readonly request: Members
  /** The id that it had in the plan whose paper it came from; absent or null where it follows from the row. */
  readonly givenId?: string | null
}

export interface NamedRow<PlannedRow extends Nameable> {
  readonly row: PlannedRow
  readonly content: string
  readonly uniqueId: string
}

/**
 * Gives rows their ids, piece by piece. A row without a key is named by the plan's name, what it asks for, and its place among
 * rows that ask for the same: a mended file keeps the ids of the rows that did not change.
 */
export class RowIds {
  readonly #desk: RowOwner
  readonly #name: string
  readonly #again: string | null
  /** By the first 48 bits of a row's digest: two rows that share them by chance only count on a little further. */
  readonly #alike = new Map<number, number>()

  constructor(desk: RowOwner, { name, again }: { readonly name: string; readonly again: string | null }) {
    this.#desk = desk
    this.#name = name
    this.#again = again
  }

  async of<PlannedRow extends Nameable>(rows: readonly PlannedRow[]): Promise<readonly NamedRow<PlannedRow>[]> {
    const keys = rows.flatMap(({ key }) => (key === null ? [] : [key]))
    const known = keys.length === 0 ? new Map<string, string>() : await idsForKeys(this.#desk, createPayout, keys)
    return rows.map((row) => {
      const content = contentOf(row)
      const own = () => (row.key === null ? this.#derived(content) : (known.get(row.key) ?? ''))
      const uniqueId = row.givenId ?? own()
      return { row, content, uniqueId }
    })
  }

  #derived(content: string): string {
    const brief = Buffer.from(content, 'base64url').readUIntBE(0, 6)
    const ordinal = (this.#alike.get(brief) ?? 0) + 1
    this.#alike.set(brief, ordinal)
    const named = JSON.stringify([this.#name, ...(this.#again === null ? [] : [this.#again]), content, ordinal])
    return idOfKey(this.#desk.profile, 'a row of a plan', named)
  }
}
