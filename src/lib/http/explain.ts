/** Reasons why a request was not answered, in words. */
import { largestBodyInWords } from '../limits.ts'

/** An error of undici or of a socket. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return `the answer has more than ${largestBodyInWords}`
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  const text = error.message || (inner instanceof Error ? inner.message : '')
  return [code && !text.includes(code) ? code : null, text.trim()].filter(Boolean).join(': ') || 'the request failed'
}
