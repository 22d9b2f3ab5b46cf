/**
 * Registered users (B4). Nothing of the payload is known, so it is kept to the letter; the user is then a receiver of
 * type USER (assumed).
 */
import { z } from 'zod'
import { registerUser } from '../../contract/user.ts'
import { readJson } from '../../json.ts'
import { foreignObject, type ResultOf, uuidText } from '../../result.ts'
import type { SandboxReader, UserRow } from '../../store/sandbox/schema.ts'
import { addUser, listUsers } from '../../store/sandbox/world.ts'
import { sealedWrite } from '../access/sealed.ts'
import { localMoment, sandboxMoment } from '../clock.ts'
import type { SandboxArea } from '../handler.ts'

const registerRoute = sealedWrite(registerUser, async (db, { text, integrator, context, now }) => {
  const userId = context.random.uuid()
  await addUser(db, { user_id: userId, integrator_id: integrator.identifier, payload: text, created: now })
  return { kind: 'value', value: { userId } }
})

export const userArea: SandboxArea = { routes: [registerRoute] }

type LedgerUser = ResultOf<typeof ledgerUserResult>

function describeUser(user: UserRow): LedgerUser {
  return {
    userId: user.user_id,
    integratorId: user.integrator_id,
    payload: readJson(user.payload),
    createdAt: localMoment(user.created),
  }
}

export async function userLedger(db: SandboxReader): Promise<LedgerUser[]> {
  return (await listUsers(db)).map(describeUser)
}

/** A registered user as the ledger tells of it. */
export const ledgerUserResult = z.strictObject({
  userId: uuidText,
  integratorId: uuidText,
  payload: foreignObject.describe('What was registered, as it came.'),
  createdAt: sandboxMoment,
})
