/**
 * Leniency of the service beyond the specification (service.md#leniency): members that are not listed, numbers and switches
 * written as text. It is remarked in the log and dropped; a strict world refuses it.
 */
import { z } from 'zod'
import type { PlainRequest } from '../../client/bearer.ts'
import { readsOtherTypes } from '../../contract/assumed.ts'
import { type Field, fieldsOf, overMembers } from '../../contract/core/field.ts'
import type { Members } from '../../contract/core/members.ts'
import type { Operation } from '../../contract/operation.ts'
import { shortened } from '../../text.ts'
import type { HandlerContext } from '../handler.ts'
import type { Refusal } from '../shape.ts'

/** True of a request whose members the specification leaves open. */
function isOpen(schema: z.ZodObject): boolean {
  const { catchall } = schema.def
  return catchall !== undefined && !(catchall instanceof z.ZodNever)
}

function remarksOnType({ name, json }: Field, value: unknown): string[] {
  if (json === 'number' && typeof value === 'string') return [`${name}: a number, written as text`]
  if (json !== 'boolean' || typeof value === 'boolean') return []
  return [`${name}: a switch, written as ${typeof value === 'string' ? 'text' : 'a number'}`]
}

/** `where` names what the members lie in. In a query everything is text. */
function remarksOn(schema: z.ZodObject, members: Members, where: string, isQuery: boolean): string[] {
  const fields = new Map(fieldsOf(schema).map((field) => [field.name, field]))
  return Object.entries(members).flatMap(([name, value]) => {
    if (value === null) return []
    const field = fields.get(name)
    if (!field) return isOpen(schema) ? [] : [`${where}${name}: a member that the specification does not list`]
    const found = isQuery ? [] : remarksOnType(field, value).map((remark) => `${where}${remark}`)
    overMembers(field, value, (inner, entry) => {
      found.push(...remarksOn(inner, entry, `${where}${name} `, isQuery))
      return entry
    })
    return found
  })
}

function pickListed(schema: z.ZodObject, members: Members): Record<string, unknown> {
  if (isOpen(schema)) return { ...members }
  const fields = fieldsOf(schema).filter(({ name }) => Object.hasOwn(members, name))
  return Object.fromEntries(fields.map((field) => [field.name, overMembers(field, members[field.name], pickListed)]))
}

/** The most remarks on one request, which may hold thousands of members. */
const most = 20

function limitRemarks(remarks: readonly string[]): readonly string[] {
  const different = [...new Set(remarks)]
  if (different.length <= most) return different
  return [...different.slice(0, most), `and ${different.length - most} more`]
}

/** The answer of a strict world to remarks. */
function strictRefusal({ breachCode }: Operation, remarks: readonly string[]): Refusal {
  const rule = 'service.md#leniency: a strict world refuses what is only remarked otherwise'
  return { code: breachCode, message: shortened(`strict: ${remarks.join('; ')}`), rule }
}

const jsonType = /^application\/(?:[\w.-]+\+)?json\b/i

/** A body that says of itself that it is something else than JSON. Many clients say nothing, and are left alone. */
function otherType(operation: Operation, type: string | undefined): string[] {
  if (operation.carriedIn === 'query' || type === undefined || jsonType.test(type.trim())) return []
  return [`content-type ${JSON.stringify(type.slice(0, 100))}: a body is application/json`]
}

/**
 * The request with what the specification lists and nothing else, and the refusal of a strict world to the rest; the log hears
 * what is remarkable. `payload` is what came, `read` the same as the rules hold it.
 */
export function takeLeniently(
  operation: Operation,
  { payload, read, headers }: PlainRequest,
  { record, settings }: Pick<HandlerContext, 'record' | 'settings'>,
): { readonly request: Record<string, unknown>; readonly refusal: Refusal | null } {
  const isQuery = operation.wire === 'bearer' && operation.carriedIn === 'query'
  const found = remarksOn(operation.request, payload, '', isQuery)
  const types = otherType(operation, headers['content-type'])
  const remarks = limitRemarks([...types, ...found])
  if (remarks.length > 0) record({ remarks })
  const isRefused = (settings.strict && remarks.length > 0) || (!readsOtherTypes && types.length > 0)
  return {
    request: pickListed(operation.request, read),
    refusal: isRefused ? strictRefusal(operation, remarks) : null,
  }
}
