/** Callbacks that the sandbox sends, as `--json` prints them. */
import { z } from 'zod'
import { foreignObject, uuidText } from '../../result.ts'
import { sandboxMoment } from '../clock/result.ts'

/** Members that every description of a callback has. */
export const callbackFacts = {
  id: z.string().regex(/^[0-9]+$/),
  kind: z.enum(['payment', 'subscription']),
  state: z
    .enum(['waiting', 'delivered', 'given-up'])
    .describe('given-up: not tried again, or never where nobody can be reached.'),
}

export const sentCallbacksResult = z
  .array(
    z.strictObject({
      ...callbackFacts,
      integratorOrderId: z.string(),
      integratorId: uuidText,
      url: z.string(),
      sealed: z.boolean().describe('To the integrator; else it is sent as plain JSON.'),
      note: z
        .string()
        .nullable()
        .describe(
          'What was played with it by `sandbox trigger callback`; null where the service sent it by itself. What happened is in the ledger.',
        ),
      payload: foreignObject.describe('What it says, before it is sealed.'),
      createdAt: sandboxMoment,
      nextAttemptAt: z.string().nullable(),
      attempts: z.array(
        z.strictObject({
          number: z.int().min(1),
          at: sandboxMoment,
          http: z.int().nullable().describe('Null where no answer came.'),
          why: z.string().nullable().describe('Why it was no success.'),
          milliseconds: z.int().min(0),
          reply: z
            .string()
            .nullable()
            .describe('The body of the answer: 4096 bytes of it, secrets hidden. Null where no answer came.'),
        }),
      ),
    }),
  )
  .describe('What integrators were told, the oldest first, and every attempt to deliver it.')

/** One that a trigger caused. */
export const causedCallback = z.strictObject({
  ...callbackFacts,
  url: z.string(),
  why: z.string().nullable().describe('Why it is not sent.'),
})

/** As the ledger tells of it. */
export const ledgerCallbackResult = z.strictObject({
  ...callbackFacts,
  integratorOrderId: z.string(),
  attempts: z.int().min(0).describe('How often it was tried.'),
})
