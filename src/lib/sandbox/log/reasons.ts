/**
 * Why a request was refused, in words for the log: the rule that decided it ("B1", "service.md#orders"), and the cause
 * that the answer leaves open.
 */
import { readable } from '../../client/answer.ts'
import { codesOf } from '../../contract/codes/code-book.ts'
import { fieldsOf } from '../../contract/core/field.ts'
import type { Members } from '../../contract/core/members.ts'
import { type Permission, permissionOf, permissions } from '../../contract/core/permission.ts'
import { type Operation, type Violation, wrongWithin } from '../../contract/operation.ts'
import type { HttpRequest } from '../../http/message.ts'
import { excessIn } from '../../json.ts'
import { integratorOf, walletIntegratorOf } from '../accounts/fixtures.ts'

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

/** A foreign text as part of a sentence. */
const quote = (text: unknown) => JSON.stringify(String(text).slice(0, 100))

type Sent = Pick<HttpRequest, 'body'>

/** True of a text such as `amount=1&currency=GEL`. */
function isFormEncoded(text: string): boolean {
  return text.split('&').every((part) => part.includes('=') && !part.startsWith('=')) && !/[{}"\s]/.test(text)
}

/** The cause of a body that is no JSON object; null where it is one. */
export function unreadableBody({ body }: Sent): string | null {
  if (body === null || body.trim() === '') return 'there is no body'
  const value = readable(body)
  const excess = value === undefined ? excessIn(body) : null
  if (excess !== null) return `the body has ${excess}`
  if (value === undefined) return isFormEncoded(body) ? 'the body is form-encoded, not JSON' : 'the body is no JSON'
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'the body is JSON, but no object'
}

const ofEnvelope = ['encryptedData', 'encryptedKeys']

/** The cause of an envelope that lacks a member: it may be no envelope at all; null where it is one. */
export function whyNoEnvelope(operation: Operation, http: Sent, members: Members): string | null {
  const unreadable = operation.carriedIn === 'body' ? unreadableBody(http) : null
  if (unreadable !== null) return unreadable
  if (ofEnvelope.some((name) => Object.hasOwn(members, name))) return null
  const own = fieldsOf(operation.request).filter(({ name }) => name !== 'identifier' && Object.hasOwn(members, name))
  const where = operation.carriedIn === 'body' ? 'body' : 'query'
  return own.length > 0 ? `the ${where} is the payload itself, not sealed: it has ${own[0]?.name}` : null
}

/** The cause of a sender that is not found: known elsewhere, or nowhere. */
export function unknownIdentifier(identifier: unknown): string {
  const said = quote(identifier)
  const orders = integratorOf(identifier)
  if (orders) return `the envelope's identifier ${said} is that of ${orders.name} for orders, not for the wallet`
  const wallet = walletIntegratorOf(identifier)
  if (wallet) return `the envelope's identifier ${said} is that of ${wallet.name} for the wallet, not for orders`
  return `the envelope's identifier ${said} is unknown`
}

/** The cause where envelope and payload name different senders. */
export function otherSenderInside(name: string, inner: unknown, outer: string): string {
  return `the payload's ${name} ${quote(inner)} is not the envelope's identifier ${outer}`
}
