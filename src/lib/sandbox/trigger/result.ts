/** The result of a trigger, as `--json` prints it. */
import { z } from 'zod'
import { warningTexts } from '../../result.ts'
import { causedCallback } from '../callbacks/result.ts'
import { triggers } from './trigger.ts'

export const triggeredResult = z.strictObject({
  played: z.enum(triggers),
  integratorOrderId: z.string(),
  status: z.string().describe("The order's status now; of a subscription-charge the charge's."),
  failReason: z.string().nullable().describe('Why the last try to pay failed.'),
  callbacks: z.array(causedCallback).describe('What the integrator is told of it.'),
  warnings: warningTexts,
})
