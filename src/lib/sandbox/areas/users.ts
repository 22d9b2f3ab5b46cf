/**
 * Registered users (B4). Nothing of the payload is known, so it is kept to the letter; the user is then a receiver of
 * type USER (assumed).
 */
import { z } from 'zod'
import { registerUser } from '../../contract/user.ts'
import { readJson } from '../../json.ts'
import { foreignObject, type ResultOf, uuidText } from '../../result.ts'
import { addRow, listRows } from '../../store/sandbox/rows.ts'
import type { SandboxReader } from '../../store/sandbox/schema.ts'
import { orderRoute } from '../access/sealed.ts'
import { localMoment, sandboxMoment } from '../clock.ts'

export const registerRoute = orderRoute(registerUser, async (db, { text, integrator, context, now }) => {
  const userId = context.random.uuid()
  await addRow(db, 'users', { user_id: userId, integrator_id: integrator.identifier, payload: text, created: now })
  return { userId }
})

export async function userLedger(db: SandboxReader): Promise<ResultOf<typeof ledgerUserResult>[]> {
  return (await listRows(db, 'users')).map(({ user_id, integrator_id, payload, created }) => ({
    userId: user_id,
    integratorId: integrator_id,
    payload: readJson(payload) as Record<string, unknown>,
    createdAt: localMoment(created),
  }))
}

export const ledgerUserResult = z.strictObject({
  userId: uuidText,
  integratorId: uuidText,
  payload: foreignObject.describe('What was registered, as it came.'),
  createdAt: sandboxMoment,
})
