/** Requests on their way into the log. */
import type { NewRequest } from './schema/requests.ts'
import type { SandboxWriter } from './schema/schema.ts'

/** SQLite takes so many parameters in one statement that this is safe, whatever was compiled in. */
const atOnce = 50

/** Adds requests in their order, and lets go of all but the newest. */
export async function addRequests(db: SandboxWriter, requests: readonly NewRequest[], keep: number): Promise<void> {
  let newest = 0
  for (let from = 0; from < requests.length; from += atOnce) {
    const { insertId } = await db
      .insertInto('requests')
      .values(requests.slice(from, from + atOnce))
      .executeTakeFirstOrThrow()
    newest = Number(insertId)
  }
  if (newest <= keep) return
  await db
    .deleteFrom('requests')
    .where('request_id', '<=', newest - keep)
    .execute()
}
