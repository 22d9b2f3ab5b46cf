/**
 * Lenient reading of the values of answers: unknown members are kept (loose objects), numbers may come as text, and no digit
 * is lost. Requests are written exactly, elsewhere (core/payload.ts).
 */
import { z } from 'zod'
import { JsonNumber, plainDecimal } from './core/decimal.ts'
import { isMembers } from './core/members.ts'

/** An identifier the service numbers: digits of any length, as text (JavaScript and jq lose integers above 2^53). */
export const numericId = z.union([z.instanceof(JsonNumber), z.string()]).transform((value, context) => {
  const text = value instanceof JsonNumber ? value.text : value.trim()
  if (/^\d+$/.test(text)) return text
  context.addIssue({ code: 'custom', message: 'must be a whole number' })
  return z.NEVER
})

/** An amount as the service wrote it, digits kept. */
export const amountReceived = z.union([z.instanceof(JsonNumber), z.string()]).transform((value, context) => {
  const text = value instanceof JsonNumber ? value.text : value.trim()
  if (plainDecimal(text) !== null) return new JsonNumber(text)
  context.addIssue({ code: 'custom', message: 'must be a number' })
  return z.NEVER
})

/** Free text; absent and null are the same. */
export const textReceived = z
  .string()
  .nullish()
  .transform((text) => text ?? null)

/** The few words a status field may come with around it (service.md#wallet-envelope: " SUCCESS"). */
export const statusReceived = z.string().transform((status) => status.trim())

/** A number or a text of which nothing is computed, as text with all its digits. */
export const scalarReceived = z.union([z.string(), z.instanceof(JsonNumber).transform(String)])

/** Members whose samples begin with a capital letter ("Amount", "Status") under the name that the specification has. */
function withSmallInitials(names: readonly string[], value: unknown): unknown {
  if (!isMembers(value)) return value
  const read: Record<string, unknown> = { ...value }
  for (const name of names) {
    const capital = name.charAt(0).toUpperCase() + name.slice(1)
    if (Object.hasOwn(read, name) || !Object.hasOwn(read, capital)) continue
    read[name] = read[capital]
    delete read[capital]
  }
  return read
}

/** An answer whose members may begin with a capital letter; others are kept as they came. */
export function answerOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => withSmallInitials(Object.keys(shape), value), z.looseObject(shape))
}
