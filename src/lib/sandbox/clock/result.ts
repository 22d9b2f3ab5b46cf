/** The sandbox's time, as `--json` prints it. */
import { z } from 'zod'

export const sandboxMoment = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}$/)
  .describe("The sandbox's time, without a zone as the service's.")

export const sandboxTimeResult = z
  .strictObject({
    utc: z.string().regex(/Z$/).describe("The sandbox's time in UTC."),
    service: z.string().describe('The same at the service (Tbilisi), without a zone as the service writes it.'),
    aheadMilliseconds: z.int().min(0).describe("How far ahead of this machine's clock."),
  })
  .meta({ file: 'sandbox-clock', title: 'sandbox clock show|advance|set --json' })
