/** A registered user as the ledger tells of it. */
import { z } from 'zod'
import { foreignObject, uuidText } from '../../result.ts'
import { sandboxMoment } from '../clock/result.ts'

export const ledgerUserResult = z.strictObject({
  userId: uuidText,
  integratorId: uuidText,
  payload: foreignObject.describe('What was registered, as it came.'),
  createdAt: sandboxMoment,
})
