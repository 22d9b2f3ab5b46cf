/** Requests of the log, as `--json` prints them. */
import { z } from 'zod'
import { openingSteps } from '../../envelope/envelope.ts'
import { inspectionResult } from '../../envelope/result.ts'

const { damage: _, ...outlined } = inspectionResult.shape

const requestEntry = z.strictObject({
  id: z.int().describe('For --id. Numbers go on within a world.'),
  time: z.string().describe("UTC, by the sandbox's clock."),
  milliseconds: z.int(),
  method: z.string(),
  path: z.string(),
  operation: z.string().nullable().describe('Null where the path means none.'),
  identifier: z.string().nullable().describe('The client id, integrator id or wallet identifier, as it came.'),
  who: z.string().nullable().describe('The name that the world knows it by.'),
  http: z.int().nullable().describe('Null where no whole answer was sent.'),
  code: z.int().nullable(),
  verdict: z.string().describe('What was decided, in words.'),
  rule: z.string().nullable().describe('Where the specification says so; null where nothing was refused.'),
  remarks: z
    .array(z.string())
    .describe('What is unusual about the request, though it may be accepted; `--strict` of the sandbox refuses it.'),
  fault: z.string().nullable().describe('The fault that struck, such as "reset after".'),
})
export const requestEntriesResult = z
  .array(requestEntry)
  .describe('The newest first; with --follow one list after the other, a line each, the newest last.')

export const wholeRequestResult = z
  .strictObject({
    ...requestEntry.shape,
    payload: z
      .unknown()
      .describe(
        'What was asked, in the clear; null where it could not be read, a text where it was too long to keep whole.',
      ),
    envelope: z
      .strictObject({
        ...outlined,
        schemes: z.array(z.string()).describe('Those it may have by its layout.'),
        opened: z.string().nullable().describe('What opened it; null where nothing did.'),
        step: z.enum(openingSteps).nullable().describe('Where opening failed. On the wire this is never told.'),
        sealedTo: z
          .string()
          .nullable()
          .describe('Whose key it is sealed to, where that is not the one of the service; null where none is known.'),
        remarks: z.array(z.string()).describe('What is unusual about it, or what would mend it.'),
      })
      .nullable()
      .describe('How it was sealed; null where nothing is.'),
    answer: z.unknown().describe('What was answered, before it was sealed.'),
  })
  .meta({ file: 'sandbox-request', title: 'sandbox requests --id --json' })
  .describe('One request, whole. Card tokens, client secrets and access tokens are hidden.')
