/**
 * One answer that names every violation: the fields' own rules, the rules across fields, and what the client may not send.
 * The desk runs it before any socket, the sandbox on what arrived.
 */
import type { z } from 'zod'
import type { Circumstances, Operation, Permits, RequestOf, Violation } from '../operation.ts'
import { permissions } from '../permission.ts'
import { complaint } from './complaint.ts'
import { type Field, fieldsOf } from './field.ts'
import { type Members, overMembers } from './members.ts'

export type Validated<Request> =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly violations: readonly Violation[] }

function tidyMembers(request: z.ZodObject, typed: Members): Record<string, unknown> {
  const tidied: Record<string, unknown> = { ...typed }
  for (const field of fieldsOf(request)) {
    const value = tidied[field.name]
    if (typeof value === 'string') tidied[field.name] = field.tidy?.(value) ?? value
    else if (value !== undefined) tidied[field.name] = overMembers(field, value, tidyMembers)
  }
  return tidied
}

/** What a person typed, in the form the rules look at, inside lists and objects too. Other values are left to the rules. */
export function tidy(operation: Operation, typed: Members): Record<string, unknown> {
  return tidyMembers(operation.request, typed)
}

/** Where inside a field: an entry is counted from 1, a member named. */
function within(path: readonly PropertyKey[]): string {
  return path.map((step) => (typeof step === 'number' ? `entry ${step + 1}: ` : `${String(step)} `)).join('')
}

/** The code that a rule gave with its complaint. */
function codeOf(issue: z.core.$ZodIssue): number | undefined {
  const code = issue.code === 'custom' ? issue.params?.code : undefined
  return typeof code === 'number' ? code : undefined
}

/** The code of the innermost field on the way to what is wrong; steps that name an entry have none. */
function codeOnTheWay(path: readonly PropertyKey[], fields: readonly Field[]): number | undefined {
  const [first, ...inner] = path
  if (first === undefined) return undefined
  const field = fields.find(({ name }) => name === first)
  if (!field) return codeOnTheWay(inner, fields)
  return (field.members && codeOnTheWay(inner, fieldsOf(field.members))) ?? field.breachCode
}

function fromIssue(issue: z.core.$ZodIssue, operation: Operation, fields: readonly Field[]): Violation[] {
  const [first, ...inner] = issue.path
  const name = String(first ?? '')
  const code = codeOf(issue) ?? codeOnTheWay(issue.path, fields) ?? operation.breachCode
  if (issue.code === 'unrecognized_keys') {
    if (first === undefined) {
      return issue.keys.map((key) => ({
        field: key,
        message: 'is no field of this request',
        code: operation.breachCode,
      }))
    }
    return issue.keys.map((key) => ({ field: name, message: `${within(inner)}${key} is no field of it`, code }))
  }
  return [{ field: name, message: `${within(inner)}${issue.message}`, code }]
}

function forbidden(
  fields: readonly Field[],
  request: Readonly<Record<string, unknown>>,
  permits: Permits,
): Violation[] {
  return fields.flatMap((field) => {
    if (!field.permission || request[field.name] === undefined || permits.has(field.permission)) return []
    return [
      {
        field: field.name,
        message: `may be sent only by integrators that the service has permitted ${permissions[field.permission].words}`,
        code: permissions[field.permission].code,
      },
    ]
  })
}

/** The request if it keeps every rule of the contract, else all violations in the order of the specification's fields. */
export function validate<Op extends Operation>(
  operation: Op,
  request: Readonly<Record<string, unknown>>,
  circumstances: Circumstances,
): Validated<RequestOf<Op>> {
  const fields = fieldsOf(operation.request)
  const parsed = operation.request.safeParse(request, { error: complaint })
  const violations = [
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => fromIssue(issue, operation, fields))),
    ...operation.rules.flatMap((rule) => rule(request, circumstances)),
    ...forbidden(fields, request, circumstances.permits),
  ]
  if (parsed.success && violations.length === 0) return { ok: true, request: parsed.data as RequestOf<Op> }
  const order = fields.map((field) => field.name)
  const place = (violation: Violation) =>
    order.includes(violation.field) ? order.indexOf(violation.field) : order.length
  return { ok: false, violations: violations.toSorted((a, b) => place(a) - place(b)) }
}
