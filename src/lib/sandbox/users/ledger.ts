/** Registered users as the ledger tells of them. */
import { readJson } from '../../json.ts'
import type { ResultOf } from '../../result.ts'
import type { SandboxReader, UserRow } from '../../store/sandbox/schema.ts'
import { listUsers } from '../../store/sandbox/world.ts'
import { localMoment } from '../clock/clock.ts'
import type { ledgerUserResult } from './result.ts'

export type LedgerUser = ResultOf<typeof ledgerUserResult>

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
