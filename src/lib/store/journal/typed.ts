/**
 * Writes whose ids begin as somebody types them. It reads the file as it lies there and opens no store: nothing is made, mended
 * or waited for, because a shell asks on every key.
 */
import { DatabaseSync } from '@photostructure/sqlite'

export interface TypedWrite {
  readonly id: string
  readonly uniqueId: string
  readonly key: string | null
  readonly operation: string
  readonly state: string
  readonly amountMinor: string | null
  readonly currency: string | null
  readonly openedAt: string
}

/** The newest first, `most` of them. Throws where the file is not there or cannot be read now. */
export function writesTyped(path: string, typed: string, operations: string, most: number): readonly TypedWrite[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 0 })
  try {
    const begins = `${typed.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
    return database
      .prepare(
        `select id, unique_id as uniqueId, business_key as key, operation, state, amount_minor as amountMinor, currency,
           opened_at as openedAt
         from intents
         where operation like ? and (id like ? escape '\\' or unique_id like ? escape '\\' or business_key like ? escape '\\')
         order by opened_at desc limit ?`,
      )
      .all(`${operations}%`, begins, begins, begins, most) as readonly TypedWrite[]
  } finally {
    database.close()
  }
}
