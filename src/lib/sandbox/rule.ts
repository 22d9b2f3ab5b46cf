/** Which rule of the specification decided a request, in words that can be looked up there. */
import { codesOf } from '../contract/code-book.ts'
import type { Operation, Violation } from '../contract/operation.ts'
import { type Permission, permissionOf, permissions } from '../contract/permission.ts'

/** The codes that the specification itself shows (Errors); the others were observed. */
const shown: ReadonlySet<number> = new Set([5017, 5021, 6031, 6075])

const observed = { A: 'observed 5', B: 'observed 6', C: 'observed 8', D: 'observed 6' } as const

/** "observed 6: saveCard needs the permission to save cards". */
export function rulePermitting({ area }: Operation, what: string, permission: Permission): string {
  const where = area === 'A' ? 'A1 rule 1' : observed[area]
  return `${where}: ${what} needs the permission ${permissions[permission].words}`
}

/** "B1 validUntil: must be in the future". */
export function ruleBroken(operation: Operation, { field, message, code }: Violation): string {
  const permission = permissionOf(code)
  return permission
    ? rulePermitting(operation, field, permission)
    : `${operation.section} ${field}: ${message}`.replace(' :', ':')
}

/** A refusal that names no rule was decided by the state of things: "B3, observed 6: 6006 cannot cancel". */
export function ruleOfCode(operation: Operation, code: number): string {
  const known = codesOf(operation.area).get(code)
  const source = shown.has(code) ? 'Errors' : observed[operation.area]
  const places = operation.section.split(', ')
  const where = places.includes(source) ? places : [...places, source]
  return `${where.join(', ')}: ${code}${known ? ` ${known.name}` : ''}`
}
