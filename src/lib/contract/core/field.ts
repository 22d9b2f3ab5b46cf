/**
 * Facts of a field besides its rule, from which flags, prompts, help, validation and the OpenAPI page are made; forms
 * of values in JSON Schema; a request as JSON and back.
 */
import { z } from 'zod'
import { JsonNumber, plainDecimal } from './decimal.ts'
import { isMembers, type Members } from './members.ts'
import type { Permission } from './permission.ts'

export interface FieldFacts {
  /** For help, and for questions where there are no better words; no full stop. */
  readonly help: string
  /** The question to a person at a terminal. */
  readonly question?: string
  /** As `help`, of the service alone. */
  readonly about?: string
  /** What the rule itself does not say in JSON Schema. */
  readonly schema?: JsonSchema
  /** The form in JSON. Inside paydesk every scalar is text ("12.50", "true"). */
  readonly json?: 'text' | 'number' | 'boolean' | 'object' | 'list' | 'map'
  /** Of the object, of every entry, or of every value. */
  readonly members?: z.ZodObject
  readonly permission?: Permission
  /** The code for a breach, where it is not that of the operation. */
  readonly breachCode?: number
  readonly tidy?: (typed: string) => string
  readonly example?: string
  readonly made?: boolean
  /** Fills in the identity that the profile has at the service, or a fixed word. */
  readonly filled?: (identity: string) => string
  /** The service has a value where none is given; paydesk always sends one. */
  readonly defaulted?: boolean
  /** Suffices to charge a card: no flag takes it, and it is masked wherever it is shown or kept. */
  readonly secret?: boolean
  /** Values in use today. Others are sent with a warning. */
  readonly suggestions?: readonly string[]
  /** True if a person is asked for this optional field. */
  readonly asked?: (given: Readonly<Record<string, unknown>>) => boolean
}

const facts = new WeakMap<z.ZodType, Partial<FieldFacts>>()

export function withFacts<Rule extends z.ZodType>(rule: Rule, about: Partial<FieldFacts>): Rule {
  const own = rule.clone() as Rule
  facts.set(own, about)
  return own
}

function factsOf(rule: z.ZodType): Partial<FieldFacts> {
  return facts.get(rule) ?? (rule instanceof z.ZodOptional ? factsOf(rule.unwrap() as z.ZodType) : {})
}

/** The rule together with its facts. Wrap last. */
export function field<Rule extends z.ZodType>(rule: Rule, about: FieldFacts): Rule {
  return withFacts(rule, { ...factsOf(rule), ...about })
}

export interface Field extends FieldFacts {
  readonly name: string
  readonly required: boolean
  readonly options: readonly string[] | null
}

function optionsOf(rule: z.ZodType): readonly string[] | null {
  if (rule instanceof z.ZodOptional) return optionsOf(rule.unwrap() as z.ZodType)
  if (rule instanceof z.ZodEnum) return rule.options.map(String)
  return null
}

/** Requests never change, and so do their fields. */
const known = new WeakMap<z.ZodObject, readonly Field[]>()

/** In the order of the specification. */
export function fieldsOf(request: z.ZodObject): readonly Field[] {
  const fields = known.get(request) ?? readFields(request)
  known.set(request, fields)
  return fields
}

function readFields(request: z.ZodObject): readonly Field[] {
  return Object.entries(request.shape).map(([name, rule]) => {
    const { help, ...about } = factsOf(rule as z.ZodType)
    if (help === undefined) throw new Error(`the field ${name} has no facts: wrap its rule in field()`)
    return {
      name,
      help,
      ...about,
      required: !z.safeParse(rule, undefined).success,
      options: optionsOf(rule as z.ZodType),
    }
  })
}

/** The form of a value on the wire. The rules decide what is taken. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A member of an answer as the service writes it; readers take more. */
export interface WrittenForm {
  readonly form: JsonSchema
  readonly always: boolean
}

const forms = new WeakMap<z.ZodType, WrittenForm>()

function member<Read extends z.ZodType>(written: WrittenForm, read: Read): Read {
  const own = read.clone() as Read
  forms.set(own, written)
  return own
}

/** A member that every answer has: its form, and how it is read. */
export function always<Read extends z.ZodType>(form: JsonSchema, read: Read): Read {
  return member({ form, always: true }, read)
}

/** A member that some answers do without. */
export function sometimes<Read extends z.ZodType>(form: JsonSchema, read: Read): Read {
  return member({ form, always: false }, read)
}

/** Of an answer, or of every entry of its list. */
export function formsOf(answer: z.ZodType): Readonly<Record<string, WrittenForm>> {
  if (answer instanceof z.ZodPipe) return formsOf(answer.out as z.ZodType)
  if (answer instanceof z.ZodArray) return formsOf(answer.element as z.ZodType)
  const members: [string, z.ZodType][] = answer instanceof z.ZodObject ? Object.entries(answer.shape) : []
  return Object.fromEntries(
    members.flatMap(([name, read]) => {
      const form = forms.get(read)
      return form ? [[name, form]] : []
    }),
  )
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

function valuesOf(map: Members, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))
}

/** Changes the objects inside a value. Any other value stays for the rules to complain about. */
export function overMembers(
  field: FieldFacts,
  value: unknown,
  each: (schema: z.ZodObject, members: Members) => unknown,
): unknown {
  const { members } = field
  if (!members) return value
  const one = (entry: unknown) => (isMembers(entry) ? each(members, entry) : entry)
  if (field.json === 'list') return Array.isArray(value) ? value.map(one) : value
  if (field.json === 'map') return isMembers(value) ? valuesOf(value, one) : value
  return one(value)
}

function written(field: Field | undefined, value: unknown): unknown {
  if (field?.json === 'number') return new JsonNumber(String(value))
  if (field?.json === 'boolean') return value === 'true'
  return field ? overMembers(field, value, writePayload) : value
}

/**
 * The JSON value of a request: an amount is a number token, digit for digit, a switch a boolean. Unknown members are
 * written as they are.
 */
export function writePayload(request: z.ZodObject, values: Members): Record<string, unknown> {
  const fields = new Map(fieldsOf(request).map((field) => [field.name, field]))
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, written(fields.get(name), value)]))
}

const switches: Readonly<Record<string, string>> = { true: 'true', '1': 'true', false: 'false', '0': 'false' }

function read(field: Field | undefined, value: unknown): unknown {
  if (field?.json === 'number' && value instanceof JsonNumber) return plainDecimal(value.text) ?? value
  if (field?.json === 'boolean') return switches[String(value).trim().toLowerCase()] ?? value
  return field ? overMembers(field, value, readPayload) : value
}

/** A request that arrived, as the rules hold it: numbers by value, switches as `true`, `"True"`, `1`. */
export function readPayload(request: z.ZodObject, members: Members): Record<string, unknown> {
  const fields = new Map(fieldsOf(request).map((field) => [field.name, field]))
  // Null counts as absent, but a map that is null is an empty one: the service has a code for it.
  const given = Object.entries(members).flatMap(([name, value]) => {
    if (value !== null) return [[name, value] as const]
    return fields.get(name)?.json === 'map' ? [[name, {}] as const] : []
  })
  return Object.fromEntries(given.map(([name, value]) => [name, read(fields.get(name), value)]))
}
