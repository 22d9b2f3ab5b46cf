/** A schema of zod's as people read it: without empty statements, the description first. */
import type { z } from 'zod'

type Written = z.core.JSONSchema.BaseSchema

/** `text or null` as one list of types, instead of a choice between two schemas. */
function nullable({ anyOf, ...rest }: Written): Written {
  const [value, none] = anyOf ?? []
  const { type } = value ?? {}
  if (anyOf?.length !== 2 || none?.type !== 'null' || typeof type !== 'string') return anyOf ? { anyOf, ...rest } : rest
  const list = value?.enum ? { enum: [...value.enum, null] } : {}
  return { ...value, ...list, ...rest, type: [type, 'null'] }
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** Bounds that every whole number of JavaScript has, names that are text, and the name of the file. */
function isIdle(name: string, value: unknown): boolean {
  if (name === 'minimum' || name === 'maximum') return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
  return name === 'propertyNames' || name === 'file' || (name === 'properties' && isEmpty(value))
}

/** Rewrites a schema in place: the `override` of z.toJSONSchema. */
export function readable({ jsonSchema }: { readonly jsonSchema: Written }): void {
  const { title, description, ...rest } = nullable(jsonSchema)
  const said = { title, description, ...rest }
  for (const name of Object.keys(jsonSchema)) delete jsonSchema[name]
  for (const [name, value] of Object.entries(said)) {
    if (value === undefined || isIdle(name, value)) continue
    jsonSchema[name] = name === 'additionalProperties' && isEmpty(value) ? true : value
  }
}

/** The text of a schema; a short list stands in one line. */
export function written(schema: object): string {
  const text = JSON.stringify(schema, null, 2).replace(/\[\n\s+([^[\]{}]*)\n\s+\]/g, (list, inside: string) => {
    const line = `[${inside.split(/,\n\s+/).join(', ')}]`
    return line.length > 90 ? list : line
  })
  return `${text}\n`
}
