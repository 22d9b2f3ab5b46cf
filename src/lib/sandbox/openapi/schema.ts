/** JSON Schemas of the contract's requests and answers, as they stand on the wire: inside every scalar is text, here it is not. */
import { z } from 'zod'
import { JsonNumber } from '../../contract/core/decimal.ts'
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import type { Operation } from '../../contract/operation.ts'
import { permissions } from '../../contract/permission.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The schema of a rule for one text: a format, a pattern, a list of words. */
function textSchema(rule: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(rule, { io: 'input', unrepresentable: 'any' })
  return schema
}

function valueSchema(field: Field, rule: z.ZodType): JsonSchema {
  const members = () => (field.members ? requestSchema(field.members) : {})
  switch (field.json) {
    case 'number':
    case 'boolean':
      return { type: field.json }
    case 'object':
      return members()
    case 'list':
      return { type: 'array', items: members() }
    case 'map':
      return { type: 'object', additionalProperties: members() }
    default:
      return textSchema(rule)
  }
}

function sentence({ help, permission, breachCode }: Field): string {
  const needs =
    permission && `Needs the permission ${permissions[permission].words}: otherwise ${permissions[permission].code}.`
  const breach = breachCode === undefined ? undefined : `A breach is ${breachCode}.`
  return [`${help.charAt(0).toUpperCase()}${help.slice(1)}.`, needs, breach].filter(Boolean).join(' ')
}

function exampleOf({ json, example }: Field): JsonSchema {
  if (example === undefined) return {}
  return { examples: [json === 'number' ? Number(example) : example] }
}

/** A field as it is sent: also where it is a parameter of a query. */
export function fieldSchema(field: Field, rule: z.ZodType): JsonSchema {
  const { suggestions } = field
  return {
    ...valueSchema(field, rule),
    description: sentence(field),
    ...exampleOf(field),
    ...(suggestions ? { 'x-in-use': suggestions } : {}),
    ...(field.secret ? { writeOnly: true } : {}),
  }
}

export function requestSchema(request: z.ZodObject): JsonSchema {
  const fields = fieldsOf(request)
  const properties = fields.map((field) => [field.name, fieldSchema(field, request.shape[field.name] as z.ZodType)])
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: fields.length === 0,
  }
}

/** The shape itself, where something is mended before it is read. */
function inner(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodPipe && schema.def.in instanceof z.ZodTransform
    ? inner(schema.def.out as z.ZodType)
    : schema
}

const isNumber = (schema: z.core.$ZodType) => z.safeParse(schema, new JsonNumber('1')).success

/** The answer as it arrives: a number of the wire is held with its digits, and is a number here. */
export function answerSchema({ answer, wrapped }: Pick<Operation, 'answer' | 'wrapped'>): JsonSchema {
  const { $schema: _, ...value } = z.toJSONSchema(inner(answer), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'custom' && isNumber(zodSchema)) jsonSchema.type = 'number'
    },
  })
  return wrapped ? { type: 'object', properties: { value }, required: ['value'] } : value
}
