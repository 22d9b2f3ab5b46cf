/** Objects of JSON texts, and lists of them. */
import { JsonNumber } from './decimal.ts'

export type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

/** The objects of a list, for rules that look across its entries; entries that are none are left to the field's own rule. */
export function entriesOf(list: unknown): readonly Members[] {
  return Array.isArray(list) ? list.filter(isMembers) : []
}
