/** Complaints about a value for which the contract's own rule has no words: it is of another kind, or fits no choice. */
import type { z } from 'zod'

const kinds: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  map: 'an object',
  array: 'a list',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
}

/** The complaint where a value fits no branch of a choice, or a rule is silent. */
export const formless = 'has a form that is not taken here'

/** For `safeParse(value, { error: complaint })`; words of a rule itself go before these. */
export const complaint: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'unrecognized_keys' || issue.code === 'custom') return undefined
  if (issue.code !== 'invalid_type') return formless
  if (issue.input === undefined) return 'is required'
  return `must be ${kinds[issue.expected] ?? 'of another kind'}`
}
