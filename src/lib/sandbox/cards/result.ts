/** Saved cards as the ledger tells of them, and the test cards of the world. */
import { z } from 'zod'
import { mask } from '../../contract/mask.ts'
import { uuidText } from '../../result.ts'
import { sandboxMoment } from '../clock/result.ts'

export const ledgerCardResult = z.strictObject({
  token: z.literal(mask).describe('Hidden: `card get` prints it.'),
  integratorId: uuidText,
  integratorOrderId: z.string().describe('The order it was saved with.'),
  card: z.string().describe('The test card behind it.'),
  provider: z.string(),
  cardMask: z.string(),
  cardBrand: z.string(),
  expirationDate: z.string().describe('MM/YY.'),
  createdAt: sandboxMoment,
})

export const testCardResult = z.strictObject({
  name: z.string().describe('For `sandbox trigger paid --card`.'),
  cardMask: z.string(),
  cardBrand: z.string(),
  expirationDate: z.string().describe('MM/YY.'),
  outcome: z.string(),
})
