/** Values that hold members of their own: an object, a list of objects, a map of objects. */

import type { z } from 'zod'
import { JsonNumber } from './decimal.ts'
import type { FieldFacts } from './field.ts'

export type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
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

/** The objects of a list, for rules that look across its entries; entries that are none are left to the field's own rule. */
export function entriesOf(list: unknown): readonly Members[] {
  return Array.isArray(list) ? list.filter(isMembers) : []
}
