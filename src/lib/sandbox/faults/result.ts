/** Faults on order, as `--json` prints them. */
import { z } from 'zod'
import { faultKinds, faultPlaces, faultTargets } from './kinds.ts'

export const faultResult = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9]+$/)
    .describe('For `sandbox fault clear`.'),
  op: z.enum(faultTargets).describe('An operation, all of one object, or every one.'),
  at: z.enum(faultPlaces).describe('Before or after the service executed the request.'),
  kind: z.literal(faultKinds),
  nth: z
    .int()
    .min(1)
    .nullable()
    .describe('Which request it strikes first, counted from now; null where it strikes by chance or by rate.'),
  times: z.int().min(1).nullable().describe('How many in a row are left; null where it strikes by chance or by rate.'),
  perMille: z
    .int()
    .min(1)
    .max(1000)
    .nullable()
    .describe('How many of a thousand requests it strikes by chance; null where it strikes by count or by rate.'),
  seed: z.int().min(0).nullable().describe('What chance is drawn from: draw n of a seed is always the same.'),
  draws: z.int().min(0).describe('How many requests were drawn for so far.'),
  delay: z
    .int()
    .min(0)
    .nullable()
    .describe('Milliseconds that a slow answer, or a slow request, takes; null where nothing is slow.'),
  above: z
    .string()
    .regex(/^[1-9][0-9]*\/[smh]$/)
    .nullable()
    .describe('The rate that passes, such as "50/s": what comes faster is turned away; null of other faults.'),
})

export const faultsListedResult = z.array(faultResult).describe('Those that have not struck yet.')
