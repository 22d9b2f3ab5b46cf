/** The queries of known payees. Their rows have digests as all of the journal have. */

import { isIntact, withDigest } from './digest.ts'
import { damagedRow } from './intents.ts'
import type { JournalReader, JournalWriter, PayeeRow } from './schema.ts'

/** The payees of a profile, by name. */
export async function payeesOf(db: JournalReader, profile: string): Promise<PayeeRow[]> {
  const rows = await db.selectFrom('payees').selectAll().where('profile', '=', profile).orderBy('name').execute()
  const changed = rows.find((row) => !isIntact(row))
  if (changed) throw damagedRow(`the payee ${changed.id}`)
  return rows
}

export async function addPayee(db: JournalWriter, row: Omit<PayeeRow, 'digest'>): Promise<PayeeRow> {
  const payee = withDigest<PayeeRow>(row)
  await db.insertInto('payees').values(payee).execute()
  return payee
}

export async function changePayee(db: JournalWriter, row: Omit<PayeeRow, 'digest'>): Promise<PayeeRow> {
  const { id, ...changes } = withDigest<PayeeRow>(row)
  await db.updateTable('payees').set(changes).where('id', '=', id).execute()
  return { id, ...changes }
}

export async function removePayee(db: JournalWriter, { id }: Pick<PayeeRow, 'id'>): Promise<void> {
  await db.deleteFrom('payees').where('id', '=', id).execute()
}
