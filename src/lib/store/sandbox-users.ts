/** The queries of registered users (B4). */
import type { UserRow } from './sandbox-order-schema.ts'
import type { Reader, Writer } from './sandbox-schema.ts'

export async function userExists(db: Reader, userId: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  return row !== undefined
}

export async function addUser(db: Writer, user: UserRow): Promise<void> {
  await db.insertInto('users').values(user).execute()
}

export async function listUsers(db: Reader): Promise<UserRow[]> {
  return await db.selectFrom('users').selectAll().orderBy('created').orderBy('user_id').execute()
}
