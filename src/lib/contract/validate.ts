/** Names every violation at once: the fields' own rules, rules across fields, what the client may not send. */
import type { z } from 'zod'
import { type Field, fieldsOf, overMembers } from './core/field.ts'
import type { Members } from './core/members.ts'
import { permissions } from './core/permission.ts'
import {
  type Circumstances,
  type Operation,
  type Permits,
  type RequestOf,
  type Violation,
  violation,
} from './operation.ts'

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

/** Typed values in the form that the rules look at. */
export function tidy(operation: Operation, typed: Members): Record<string, unknown> {
  return tidyMembers(operation.request, typed)
}

function codeOf(issue: z.core.$ZodIssue): number | undefined {
  const code = issue.code === 'custom' ? issue.params?.code : undefined
  return typeof code === 'number' ? code : undefined
}

/** The code of the innermost field on the way to the breach. */
function codeOnTheWay(path: readonly PropertyKey[], fields: readonly Field[]): number | undefined {
  const [first, ...inner] = path
  if (first === undefined) return undefined
  const field = fields.find(({ name }) => name === first)
  if (!field) return codeOnTheWay(inner, fields)
  return (field.members && codeOnTheWay(inner, fieldsOf(field.members))) ?? field.breachCode
}

function violationsOfIssue(issue: z.core.$ZodIssue, operation: Operation, fields: readonly Field[]): Violation[] {
  const [first = '', ...within] = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
  const field = String(first)
  const code = codeOf(issue) ?? codeOnTheWay(issue.path, fields) ?? operation.breachCode
  if (issue.code !== 'unrecognized_keys') return [violation([field, ...within], issue.message, code)]
  return issue.path.length === 0
    ? issue.keys.map((key) => violation(key, 'is not a field of this request', operation.breachCode))
    : issue.keys.map((key) => violation([field, ...within, key], 'is not a field of it', code))
}

function forbidden(fields: readonly Field[], request: Members, permits: Permits): Violation[] {
  return fields.flatMap((field) => {
    if (!field.permission || request[field.name] === undefined || permits.has(field.permission)) return []
    const { words, code } = permissions[field.permission]
    return [violation(field.name, `may be sent only by integrators that the service has permitted ${words}`, code)]
  })
}

/** The request, or all violations in the order of the specification's fields. */
export function validate<Op extends Operation>(
  operation: Op,
  request: Members,
  circumstances: Circumstances,
): Validated<RequestOf<Op>> {
  const fields = fieldsOf(operation.request)
  const parsed = operation.request.safeParse(request, { error: complaint })
  const violations = [
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => violationsOfIssue(issue, operation, fields))),
    ...operation.rules.flatMap((rule) => rule(request, circumstances)),
    ...forbidden(fields, request, circumstances.permits),
  ]
  if (parsed.success && violations.length === 0) return { ok: true, request: parsed.data as RequestOf<Op> }
  const order = fields.map((field) => field.name)
  const place = ({ field }: Violation) => (order.includes(field) ? order.indexOf(field) : order.length)
  return { ok: false, violations: violations.toSorted((a, b) => place(a) - place(b)) }
}

/** For complaints where the contract's own rule has no words. */
const kinds: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  map: 'an object',
  array: 'a list',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
}

/** Where a value fits no branch of a choice, or a rule is silent. */
export const formless = 'has a form that is not taken here'

/** For `safeParse(value, { error: complaint })`: words of the rule itself go first. */
export const complaint: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'unrecognized_keys' || issue.code === 'custom') return undefined
  if (issue.code !== 'invalid_type') return formless
  if (issue.input === undefined) return 'is required'
  return `must be ${kinds[issue.expected] ?? 'of another kind'}`
}
