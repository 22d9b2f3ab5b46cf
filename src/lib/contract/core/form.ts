/**
 * Forms of values on the wire, in the words of JSON Schema, for those who read a description of the service. The rules decide
 * what is taken; a form says as much of them as a schema can.
 */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A member of an answer as the service writes it; readers take more. */
export interface WrittenForm {
  readonly form: JsonSchema
  /** False where some answers do without it. */
  readonly always: boolean
}

export function always(form: JsonSchema): WrittenForm {
  return { form, always: true }
}

export function sometimes(form: JsonSchema): WrittenForm {
  return { form, always: false }
}

/** Sums have up to 2 decimals. `multipleOf` does not say so: with floating point 4.35 is no multiple of 0.01. */
export const sumForm = { type: 'number', exclusiveMinimum: 0 } as const
export const sumOrZeroForm = { type: 'number', minimum: 0 } as const
export const wholeForm = { type: 'integer', minimum: 1 } as const
export const textForm = { type: 'string' } as const
/** Not empty: a blank alone is none. */
export const someTextForm = { type: 'string', pattern: '\\S' } as const
export const uuidForm = { type: 'string', format: 'uuid' } as const
export const ibanForm = { type: 'string', pattern: '^GE[0-9]{2}[A-Z]{2}[0-9]{16}$' } as const
export const uuidOrIbanForm = {
  type: 'string',
  pattern: '^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|GE[0-9]{2}[A-Z]{2}[0-9]{16})$',
} as const
export const identityForm = { type: 'string', pattern: '^([0-9]{9}|[0-9]{11})$' } as const
export const webForm = { type: 'string', format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$' } as const
/** dd.MM.yyyy and yyyy-MM-dd; the calendar decides the rest. */
export const dottedDateForm = { type: 'string', pattern: '^[0-9]{2}\\.[0-9]{2}\\.[0-9]{4}$' } as const
export const dashedDateForm = { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' } as const
/** Of the service's own zone, which it does not write. */
export const localTimeForm = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?$',
} as const

const statementLetters = "A-Za-z0-9\u10D0-\u10FF/\\\\\\-?:().,'+"

/** The alphabet of bank statements, and more than blanks. */
export const statementForm = {
  type: 'string',
  pattern: `^ *[${statementLetters}][ ${statementLetters}]*$`,
} as const

/** A new status may come: a reader takes one that is not in the list for no end. */
export function statusForm(statuses: Readonly<Record<string, unknown>>): JsonSchema {
  return oneOfForm(Object.keys(statuses))
}

export function oneOfForm(words: readonly string[]): JsonSchema {
  return { type: 'string', enum: words }
}
