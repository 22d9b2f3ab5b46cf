/**
 * A request as JSON, and back. Inside paydesk every scalar is text; on the wire an amount is a number token, digit for digit,
 * and a switch a boolean. Written exactly; read leniently: null counts as absent (a map that is null as empty), numbers are taken by value and as text
 * where people's clients send text, switches as `true`, `"True"`, `1`.
 */
import type { z } from 'zod'
import { JsonNumber, plainDecimal } from './decimal.ts'
import { type Field, fieldsOf } from './field.ts'
import { type Members, overMembers } from './members.ts'

function written(field: Field | undefined, value: unknown): unknown {
  if (field?.json === 'number') return new JsonNumber(String(value))
  if (field?.json === 'boolean') return value === 'true'
  return field ? overMembers(field, value, writePayload) : value
}

/** The JSON value of a request that keeps its rules. Members that the contract does not know are written as they are. */
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

/** A request that arrived, as the rules hold it. A value of another kind stays as it is, for the rules to name. */
export function readPayload(request: z.ZodObject, members: Members): Record<string, unknown> {
  const fields = new Map(fieldsOf(request).map((field) => [field.name, field]))
  // Null counts as absent, but a map that is null is an empty one: the service has a code for it.
  const given = Object.entries(members).flatMap(([name, value]) => {
    if (value !== null) return [[name, value] as const]
    return fields.get(name)?.json === 'map' ? [[name, {}] as const] : []
  })
  return Object.fromEntries(given.map(([name, value]) => [name, read(fields.get(name), value)]))
}
