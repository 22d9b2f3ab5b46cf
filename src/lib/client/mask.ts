/** The part of a request that may be shown and kept. */
import { fieldsOf } from '../contract/core/field.ts'
import type { Members } from '../contract/core/members.ts'
import { mask } from '../contract/mask.ts'
import type { Operation } from '../contract/operation.ts'
import { mapTexts, Secrets } from '../redact.ts'

function secretFields(operation: Operation): readonly string[] {
  return fieldsOf(operation.request)
    .filter(({ secret }) => secret)
    .map(({ name }) => name)
}

/** Secrets are masked also where another field quotes one. The field that names the write stays. */
export function maskedRequest(operation: Operation, request: Members): Members {
  const hidden = secretFields(operation).filter((name) => request[name] !== undefined)
  if (hidden.length === 0) return request
  const secrets = new Secrets(requestSecrets(operation, request))
  const id = 'idField' in operation && operation.idField !== null ? [operation.idField] : []
  const kept = Object.fromEntries(id.map((name) => [name, request[name]]))
  const without = mapTexts(request, (text) => secrets.hide(text, mask, Number.POSITIVE_INFINITY))
  return { ...without, ...kept, ...Object.fromEntries(hidden.map((name) => [name, mask])) }
}

/** True if a kept request can no longer be sent. */
export function isMasked(operation: Operation, request: Members): boolean {
  return secretFields(operation).some((name) => request[name] === mask)
}

export function requestSecrets(operation: Operation, request: Members): readonly string[] {
  return secretFields(operation).flatMap((name) => (typeof request[name] === 'string' ? [String(request[name])] : []))
}
