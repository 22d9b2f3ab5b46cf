/** The wishes of those who read a file. */
import type { Circumstances } from '../../contract/operation.ts'
import type { Peeked } from './bytes/peeked.ts'
import type { FileFormat } from './row.ts'
import type { RowContract } from './rows/contract.ts'
import type { ColumnMap } from './rows/map.ts'

export interface ReadingOptions {
  /** What each row of a table is; payouts if not given. */
  readonly contract?: RowContract
  /** Null: it is seen from the beginning of the file. */
  readonly format: FileFormat | null
  /** `readColumnMap` makes one. Of a pain.001 it gives the text of payments that have none. */
  readonly map: ColumnMap | null
  /** The column that holds the key of each row; null: `key`, where there is one. In pain.001 it is always the EndToEndId. */
  readonly keyColumn: string | null
  /**
   * The debtor's account in a pain.001: it becomes `fromIban` of each payout (`any-account`, where the profile may send it), or
   * all blocks must name the same (`one-account`). Null leaves it alone, where no profile is known.
   */
  readonly debits: 'any-account' | 'one-account' | null
  /** The permissions of the profile, and the time. */
  readonly circumstances: Circumstances
}

/** A file whose beginning is in hand. */
export interface OpenedFile {
  readonly name: string
  readonly bytes: Peeked
}
