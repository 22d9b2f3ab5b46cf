/**
 * Errors of the service as a schema (service.md#payout-codes and service.md#order-codes): a code, a group, and words. Every area has
 * the same shape. It takes no other member, so that an answer which also tells of something else is no error.
 */
import { z } from 'zod'
import { JsonNumber } from './core/decimal.ts'

const number = z
  .instanceof(JsonNumber)
  .refine(({ text }) => /^\d{1,9}$/.test(text))
  .transform(({ text }) => Number(text))
  .nullish()
const words = z.union([z.string(), z.instanceof(JsonNumber)]).nullish()

/** The recorded members, and those of the gateways that are in use (Spring, OAuth, RFC 9457). */
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

/** Members that no success has: one with a value beside a success makes it unbelievable. */
export const errorMembers = [
  ...['statusCode', 'exceptionGroup', 'error', 'errors', 'errorCode', 'errorMessage', 'error_message'],
  ...['errorDescription', 'error_description', 'exception', 'exceptionName', 'exception_name', 'fault'],
] as const
