/**
 * Reads the values of answers leniently: unknown members are kept, numbers may come as text, no digit is lost. Also the
 * sum that a write asks for, as answers may repeat it, and the error shape.
 */
import { z } from 'zod'
import { shortened } from '../text.ts'
import { fromMinorUnits, JsonNumber, minorUnits, plainDecimal } from './core/decimal.ts'
import { isMembers, type Members } from './core/members.ts'

/** Digits of any length, as text: JavaScript and jq lose integers above 2^53. */
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

/** Without blanks around it, and in the newer spelling. */
export function readOrderStatus(text: string): string {
  const status = text.trim()
  return status === 'CANCELLED' ? 'CANCELED' : status
}

export const orderStatusReceived = statusReceived.transform(readOrderStatus)

/** A number or a text, as text with all its digits. */
export const scalarReceived = z.union([z.string(), z.instanceof(JsonNumber).transform(String)])

/** Samples begin some members with a capital letter ("Amount", "Status"). */
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

/** An answer whose members may begin with a capital letter. */
export function answerOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => withSmallInitials(Object.keys(shape), value), z.looseObject(shape))
}

/** The sum that a write asks for: members, and the values that each may have, that of the request first. */
export type AskedSum = Readonly<Record<string, readonly unknown[]>>

const ofSums: ReadonlySet<string> = new Set(['amount', 'currency', 'initialCurrency'])

/** Null says nothing, and neither does an empty payee. */
function membersToldAs(name: string, answer: Members): readonly unknown[] {
  const names = [name, name.charAt(0).toUpperCase() + name.slice(1)]
  const told = names.flatMap((each) => (Object.hasOwn(answer, each) ? [answer[each]] : []))
  return told.filter((each) => each != null && !(each === '' && !ofSums.has(name)))
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || value instanceof JsonNumber ? String(value).trim() : null
}

/** One form for all spellings of a value; null for a value that such a member cannot have. */
function normal(name: string, value: unknown): string | null {
  const text = textOf(value)
  if (text === null || name === 'amount') return plainDecimal(text ?? '')
  const letters = text.normalize('NFC').toUpperCase()
  return name === 'toIban' ? letters.replace(/\s/g, '') : letters.replace(/\s+/g, ' ')
}

function asTold(_name: string, value: unknown): unknown {
  return value instanceof JsonNumber ? value.text : value
}

function inWords(name: string, value: unknown): string {
  const text = textOf(value)
  if (text === null) return shortened(JSON.stringify(value, asTold))
  const units = name === 'amount' ? minorUnits(normal(name, value) ?? '') : null
  return units === null ? text || 'empty' : fromMinorUnits(units)
}

/** "amount is 99.00, not 25.00"; null where the sums agree. */
export function differenceIn(answer: Members, asked: AskedSum): string | null {
  const different = Object.entries(asked).flatMap(([name, values]) => {
    const same = values.map((value) => normal(name, value))
    const others = membersToldAs(name, answer).filter(
      (told) => normal(name, told) === null || !same.includes(normal(name, told)),
    )
    // A card's token is shown nowhere.
    if (name === 'cardToken' && others.length > 0) return ['the answer speaks of another card']
    return others.map((told) => `${name} is ${inWords(name, told)}, not ${inWords(name, values[0])}`)
  })
  return different.length === 0 ? null : different.join('; ')
}

const number = z
  .instanceof(JsonNumber)
  .refine(({ text }) => /^\d{1,9}$/.test(text))
  .transform(({ text }) => Number(text))
  .nullish()
const words = z.union([z.string(), z.instanceof(JsonNumber)]).nullish()

/**
 * An error of the service (service.md#payout-codes and #order-codes): the recorded members, and those of gateways in
 * use (Spring, OAuth, RFC 9457). No other member: an answer that also tells of something else is no error.
 */
export const errorReceived = z.strictObject({
  statusCode: number,
  exceptionGroup: number,
  message: z.string().nullish(),
  /** That of HTTP. */
  status: number,
  ...{ application_name: words, method_name: words, exception_name: words, timestamp: words, path: words },
  ...{ error: words, error_description: words, type: words, title: words, detail: words, instance: words },
  ...{ traceId: words, requestId: words, request_id: words },
})

/** Members that no success has: one with a value makes it unbelievable. */
export const errorMembers = [
  ...['statusCode', 'exceptionGroup', 'error', 'errors', 'errorCode', 'errorMessage', 'error_message'],
  ...['errorDescription', 'error_description', 'exception', 'exceptionName', 'exception_name', 'fault'],
] as const
