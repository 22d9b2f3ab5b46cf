/** The queries of registered users (B4). */
import type { UserRow } from './schema/orders.ts'
import type { SandboxReader, SandboxWriter } from './schema/schema.ts'

export async function userExists(db: SandboxReader, userId: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  return row !== undefined
}

export async function addUser(db: SandboxWriter, user: UserRow): Promise<void> {
  await db.insertInto('users').values(user).execute()
}

export async function listUsers(db: SandboxReader): Promise<UserRow[]> {
  return await db.selectFrom('users').selectAll().orderBy('created').orderBy('user_id').execute()
}
