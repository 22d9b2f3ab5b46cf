/**
 * The rule that decided a request: a section of the specification ("B1") or of a page of docs/explanation
 * ("service.md#orders").
 */
import { codesOf } from '../../contract/codes/code-book.ts'
import { type Permission, permissionOf, permissions } from '../../contract/core/permission.ts'
import { type Operation, type Violation, wrongWithin } from '../../contract/operation.ts'

/** The codes that the specification itself shows (Errors); the others stand in service.md. */
const shown: ReadonlySet<number> = new Set([5017, 5021, 6031, 6075])

const ofPayouts = { codes: 'service.md#payout-codes', permissions: 'A1 rule 1' } as const
const ofSealed = { codes: 'service.md#order-codes', permissions: 'service.md#permissions' } as const

function sections({ area }: Operation) {
  return area === 'A' ? ofPayouts : ofSealed
}

/** "service.md#permissions: saveCard needs the permission to save cards". */
export function rulePermitting(operation: Operation, what: string, permission: Permission): string {
  return `${sections(operation).permissions}: ${what} needs the permission ${permissions[permission].words}`
}

/** "B1 validUntil: must be in the future". */
export function ruleBroken(operation: Operation, broken: Violation): string {
  const { field, code } = broken
  const permission = permissionOf(code)
  return permission
    ? rulePermitting(operation, field, permission)
    : `${operation.section} ${field}: ${wrongWithin(broken)}`.replace(' :', ':')
}

/** A refusal that names no rule was decided by the state of things: "B3, service.md#order-codes: 6006 not found or final". */
export function ruleOfCode(operation: Operation, code: number): string {
  const known = codesOf(operation.area).get(code)
  const source = shown.has(code) ? 'Errors' : sections(operation).codes
  // One place names the operation; the other explains the code.
  const [place] = operation.section.split(', ')
  return `${place}, ${source}: ${code}${known ? ` ${known.name}` : ''}`
}
