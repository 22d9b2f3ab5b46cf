/**
 * One answer that names every violation: the fields' own rules, the rules across fields, and what the client may not send.
 * The desk runs it before any socket, the sandbox on what arrived.
 */
import type { z } from 'zod'
import { generalBreach } from './assumed.ts'
import { type Field, fieldsOf } from './field.ts'
import type { Operation, Permits, RequestOf, Violation } from './operation.ts'

export type Validated<Request> =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly violations: readonly Violation[] }

/** What a person typed, in the form the rules look at. Values that are not text are left to the rules. */
export function tidy(operation: Operation, typed: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const tidied: Record<string, unknown> = { ...typed }
  for (const field of fieldsOf(operation.request)) {
    const value = tidied[field.name]
    if (field.tidy && typeof value === 'string') tidied[field.name] = field.tidy(value)
  }
  return tidied
}

function fromIssues(issues: readonly z.core.$ZodIssue[], fields: readonly Field[]): Violation[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ field: key, message: 'is no field of this request', code: generalBreach }))
    }
    const name = String(issue.path[0] ?? '')
    const code = fields.find((field) => field.name === name)?.breachCode ?? generalBreach
    return [{ field: name, message: issue.message, code }]
  })
}

const permissionBreach = { debtor: 5047, fromIban: 5048 } as const

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
        message: 'may be sent only by integrators that the service has permitted',
        code: permissionBreach[field.permission],
      },
    ]
  })
}

/** The request if it keeps every rule of the contract, else all violations in the order of the specification's fields. */
export function validate<Op extends Operation>(
  operation: Op,
  request: Readonly<Record<string, unknown>>,
  permits: Permits,
): Validated<RequestOf<Op>> {
  const fields = fieldsOf(operation.request)
  const parsed = operation.request.safeParse(request)
  const violations = [
    ...(parsed.success ? [] : fromIssues(parsed.error.issues, fields)),
    ...operation.rules.flatMap((rule) => rule(request)),
    ...forbidden(fields, request, permits),
  ]
  if (parsed.success && violations.length === 0) return { ok: true, request: parsed.data as RequestOf<Op> }
  const order = fields.map((field) => field.name)
  const place = (violation: Violation) =>
    order.includes(violation.field) ? order.indexOf(violation.field) : order.length
  return { ok: false, violations: violations.toSorted((a, b) => place(a) - place(b)) }
}
