/** The proof of an answer, as it is read back from JSON. */
import { z } from 'zod'
import type { Verdict } from '../verdict.ts'

const text = z.string().nullable()
const number = z.number().nullable()

const words = z.strictObject({ http: number, statusCode: number, exceptionGroup: number, message: text })

const shown = z.strictObject({ status: z.string(), because: z.string(), isDone: z.boolean() })

export const verdictForm: z.ZodType<Verdict> = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('accepted'),
    transactionId: text,
    status: text,
    statusDescription: text,
    createdAt: text,
    answer: text,
  }),
  z.strictObject({
    kind: z.literal('duplicate'),
    words,
    sumConfirmed: z.boolean().default(false),
    isOwn: z.boolean().default(false),
    otherSum: text.default(null),
    shown: shown.nullable().default(null),
  }),
  z.strictObject({
    kind: z.literal('refused'),
    words,
    bodyOnly: z.boolean(),
    status: text,
    seen: text.default(null),
  }),
  z.strictObject({
    kind: z.literal('turned-away'),
    words,
    by: z.enum(['token', 'rate', 'redirect']),
    location: text.default(null),
    wait: number,
  }),
  z.strictObject({ kind: z.literal('unsent'), why: z.string(), besides: text.default(null) }),
  z.strictObject({
    kind: z.literal('unknown'),
    why: z.string(),
    words: words.nullable(),
    wait: number.default(null),
    otherSum: text.default(null),
    told: text.default(null),
  }),
])
