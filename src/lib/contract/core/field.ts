/**
 * Facts of a field besides its rule: its form in JSON, its name for people, the permission it needs and the code that the
 * service answers to a breach. Flags, prompts, help, validation and the OpenAPI page read them from here. Below: the forms of
 * values in JSON Schema, and a request as JSON and back.
 */
import { z } from 'zod'
import { JsonNumber, plainDecimal } from './decimal.ts'
import { isMembers, type Members } from './members.ts'
import type { Permission } from './permission.ts'

export interface FieldFacts {
  /** Words for help texts, and for questions where there are no better ones; no full stop. */
  readonly help: string
  /** The question to a person at a terminal, in the words of a person. */
  readonly question?: string
  /** The same of the service alone, where `help` speaks of what the desk does. */
  readonly about?: string
  /** As much of the rule as a JSON Schema can say, where the rule does not say it itself. */
  readonly schema?: JsonSchema
  /**
   * The form of the value in JSON. Inside paydesk every scalar is text ("12.50", "true"); objects, lists of objects and maps
   * of objects hold members that are text again.
   */
  readonly json?: 'text' | 'number' | 'boolean' | 'object' | 'list' | 'map'
  /** The members of the object, of every entry of the list, or of every value of the map. */
  readonly members?: z.ZodObject
  readonly permission?: Permission
  /** The code the service answers to a breach of this field's rule, where it is not the general one of the operation. */
  readonly breachCode?: number
  /** Brings typed text into the form that the rule looks at. */
  readonly tidy?: (typed: string) => string
  /** A value that passes, for help and questions. */
  readonly example?: string
  /** True if the program makes a value where none is given. */
  readonly made?: boolean
  /** Fills in a value that is not given: the identity that the profile has at the service, or a fixed word. */
  readonly filled?: (identity: string) => string
  /** The service has a value of its own where none is given; what paydesk sends always names one. */
  readonly defaulted?: boolean
  /** True for a value that suffices to charge a card: no flag takes it, and it is masked wherever it is shown or kept. */
  readonly secret?: boolean
  /** Values in use today. Others are sent as they are, with a warning: the list is the service's to change. */
  readonly suggestions?: readonly string[]
  /** True if a question at the terminal asks for this optional field, given the values so far. */
  readonly asked?: (given: Readonly<Record<string, unknown>>) => boolean
}

const facts = new WeakMap<z.ZodType, Partial<FieldFacts>>()

/** A rule with the facts of every field that has it. */
export function withFacts<Rule extends z.ZodType>(rule: Rule, about: Partial<FieldFacts>): Rule {
  const own = rule.clone() as Rule
  facts.set(own, about)
  return own
}

function factsOf(rule: z.ZodType): Partial<FieldFacts> {
  return facts.get(rule) ?? (rule instanceof z.ZodOptional ? factsOf(rule.unwrap() as z.ZodType) : {})
}

/** A field of the contract: its rule together with its facts, those of the rule among them. Wrap last. */
export function field<Rule extends z.ZodType>(rule: Rule, about: FieldFacts): Rule {
  return withFacts(rule, { ...factsOf(rule), ...about })
}

export interface Field extends FieldFacts {
  readonly name: string
  readonly required: boolean
  /** The closed list of values, where there is one. */
  readonly options: readonly string[] | null
}

function optionsOf(rule: z.ZodType): readonly string[] | null {
  if (rule instanceof z.ZodOptional) return optionsOf(rule.unwrap() as z.ZodType)
  if (rule instanceof z.ZodEnum) return rule.options.map(String)
  return null
}

/** Requests are written once and never change, and so are their fields. */
const known = new WeakMap<z.ZodObject, readonly Field[]>()

/** The fields of a request in the order of the specification. */
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

const forms = new WeakMap<z.ZodType, WrittenForm>()

function member<Read extends z.ZodType>(written: WrittenForm, read: Read): Read {
  const own = read.clone() as Read
  forms.set(own, written)
  return own
}

/** A member that every answer has: the form in which the service writes it, and how it is read. */
export function always<Read extends z.ZodType>(form: JsonSchema, read: Read): Read {
  return member({ form, always: true }, read)
}

/** A member that some answers do without. */
export function sometimes<Read extends z.ZodType>(form: JsonSchema, read: Read): Read {
  return member({ form, always: false }, read)
}

/** The members of an answer, or of every entry of its list, in the form in which the service writes them. */
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

/**
 * Changes the objects inside a value with members. A value that holds no object stays as it is, so that the rules can
 * complain about it.
 */
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
 * The JSON value of a request that keeps its rules: an amount is a number token, digit for digit, and a switch a boolean.
 * Members that the contract does not know are written as they are.
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

/**
 * A request that arrived, as the rules hold it. Read leniently: numbers are taken by value and as text where clients send
 * text, switches as `true`, `"True"`, `1`. A value of another kind stays as it is, for the rules to name.
 */
export function readPayload(request: z.ZodObject, members: Members): Record<string, unknown> {
  const fields = new Map(fieldsOf(request).map((field) => [field.name, field]))
  // Null counts as absent, but a map that is null is an empty one: the service has a code for it.
  const given = Object.entries(members).flatMap(([name, value]) => {
    if (value !== null) return [[name, value] as const]
    return fields.get(name)?.json === 'map' ? [[name, {}] as const] : []
  })
  return Object.fromEntries(given.map(([name, value]) => [name, read(fields.get(name), value)]))
}
