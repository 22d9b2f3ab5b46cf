/**
 * Facts of a field besides its rule: its form in JSON, its name for people, the permission it needs and the code that the
 * service answers to a breach. Flags, prompts, help, validation and the OpenAPI page read them from here.
 */
import { z } from 'zod'
import type { Permission } from '../permission.ts'
import type { JsonSchema } from './form.ts'

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

const facts = new WeakMap<z.ZodType, FieldFacts>()

/** A field of the contract: its rule together with its facts. Wrap last, so that `optional()` cannot hide the facts. */
export function field<Rule extends z.ZodType>(rule: Rule, about: FieldFacts): Rule {
  const own = rule.clone() as Rule
  facts.set(own, about)
  return own
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
    const about = facts.get(rule as z.ZodType)
    if (!about) throw new Error(`the field ${name} has no facts: wrap its rule in field()`)
    return { name, ...about, required: !z.safeParse(rule, undefined).success, options: optionsOf(rule as z.ZodType) }
  })
}
