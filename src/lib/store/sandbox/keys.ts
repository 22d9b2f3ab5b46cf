/** The sandbox's RSA keys. The first pair that is written counts; a later one is thrown away. */
import type { KeyPairRow } from './schema/orders.ts'
import type { SandboxReader, SandboxWriter } from './schema/schema.ts'

export async function findKeyPairs(db: SandboxReader, owners: readonly string[]): Promise<KeyPairRow[]> {
  return await db.selectFrom('key_pairs').selectAll().where('owner', 'in', owners).execute()
}

/** All that have been made in this world. */
export async function listKeyPairs(db: SandboxReader): Promise<KeyPairRow[]> {
  return await db.selectFrom('key_pairs').selectAll().orderBy('owner').execute()
}

export async function addKeyPairs(db: SandboxWriter, pairs: readonly KeyPairRow[]): Promise<void> {
  await db
    .insertInto('key_pairs')
    .values(pairs)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
