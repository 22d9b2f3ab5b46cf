/** JSON Schemas of the contract's requests and answers, as they stand on the wire: inside every scalar is text, here it is not. */
import { z } from 'zod'
import { type Field, fieldsOf, type JsonSchema } from '../../contract/core/field.ts'
import { permissions } from '../../contract/core/permission.ts'
import type { Operation } from '../../contract/operation.ts'

/** The codes that each field takes, by its name, where they are a setting of the service. */
export type CodeLists = Readonly<Record<string, readonly string[]>>

/** The schema of a rule for one text: a format, a pattern, a list of words. */
function textSchema(rule: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(rule, { io: 'input', unrepresentable: 'any' })
  return schema
}

function valueSchema(field: Field, rule: z.ZodType, lists: CodeLists): JsonSchema {
  const members = () => (field.members ? requestSchema(field.members, lists) : {})
  const codes = lists[field.name] ?? field.suggestions
  switch (field.json) {
    case 'number':
    case 'boolean':
      return { type: field.json, ...field.schema }
    case 'object':
      return members()
    case 'list':
      return { type: 'array', ...field.schema, items: members() }
    case 'map':
      return { type: 'object', ...field.schema, additionalProperties: members() }
    default:
      return { ...textSchema(rule), ...field.schema, ...(codes ? { enum: codes } : {}) }
  }
}

/** A permission is named with its code: that one is needed has been said by then. */
const permissionInHelp = '; needs a permission of the service'

function sentence({ help, about = help, permission, breachCode }: Field): string {
  const words = permission ? about.replace(permissionInHelp, '') : about
  const needs =
    permission && `Needs the permission ${permissions[permission].words}: otherwise ${permissions[permission].code}.`
  const breach = breachCode === undefined ? undefined : `A breach is ${breachCode}.`
  return [`${words.charAt(0).toUpperCase()}${words.slice(1)}.`, needs, breach].filter(Boolean).join(' ')
}

function exampleOf({ json, example }: Field): JsonSchema {
  if (example === undefined) return {}
  return { examples: [json === 'number' ? Number(example) : example] }
}

/** A field as it is sent: also where it is a parameter of a query. */
export function fieldSchema(field: Field, rule: z.ZodType, lists: CodeLists): JsonSchema {
  return {
    ...valueSchema(field, rule, lists),
    description: sentence(field),
    ...exampleOf(field),
    ...(field.secret ? { writeOnly: true } : {}),
  }
}

export const isDemanded = ({ required, defaulted }: Field) => required && defaulted !== true

/** Members that are not listed are taken, without effect (service.md#leniency): nothing forbids them here. */
export function requestSchema(request: z.ZodObject, lists: CodeLists): JsonSchema {
  const fields = fieldsOf(request)
  const properties = fields.map((field) => [
    field.name,
    fieldSchema(field, request.shape[field.name] as z.ZodType, lists),
  ])
  const required = fields.filter(isDemanded).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** The shape itself, where something is mended before it is read. */
function inner(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodPipe && schema.def.in instanceof z.ZodTransform
    ? inner(schema.def.out as z.ZodType)
    : schema
}

const inValue = (schema: JsonSchema) => ({ type: 'object', properties: { value: schema }, required: ['value'] })

/**
 * The answer as the service writes it. That of a write of area A is documented flat, and was recorded in `value`
 * (service.md#payouts).
 */
export function answerSchema({ answer, answerForms, wrapped, area }: Operation): JsonSchema {
  const members = Object.entries(answerForms)
  const required = members.filter(([, { always }]) => always).map(([name]) => name)
  const object = {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, { form }]) => [name, form])),
    ...(required.length > 0 ? { required } : {}),
  }
  if (inner(answer) instanceof z.ZodArray) return { type: 'array', items: object }
  if (wrapped) return inValue(object)
  return area === 'A' ? { oneOf: [object, inValue(object)] } : object
}
