/**
 * What may be shown and kept of a request: whoever knows a card token can charge the card, so its place shows that there was
 * one, and nothing of it.
 */
import { getCard } from '../contract/card.ts'
import { fieldsOf } from '../contract/field.ts'
import { mask, withoutCardTokens } from '../contract/mask.ts'
import type { Operation } from '../contract/operation.ts'

function secretFields(operation: Operation): readonly string[] {
  return fieldsOf(operation.request)
    .filter(({ secret }) => secret)
    .map(({ name }) => name)
}

/** The request with its secrets masked. */
export function masked(
  operation: Operation,
  request: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const hidden = secretFields(operation).filter((name) => request[name] !== undefined)
  return { ...request, ...Object.fromEntries(hidden.map((name) => [name, mask])) }
}

/** Whether a kept request can no longer be sent, because its secret was masked. */
export function isMasked(operation: Operation, request: Readonly<Record<string, unknown>>): boolean {
  return secretFields(operation).some((name) => request[name] === mask)
}

/** The secrets themselves, for the redactor. */
export function secretsIn(operation: Operation, request: Readonly<Record<string, unknown>>): readonly string[] {
  return secretFields(operation).flatMap((name) => (typeof request[name] === 'string' ? [String(request[name])] : []))
}

/** An answer as it may be shown and kept. Only the command that is there to read a card's token is given one. */
export function maskedAnswer<Answer>(operation: Operation, answer: Answer): Answer {
  if (operation.wire !== 'sealed' || operation.name === getCard.name) return answer
  return withoutCardTokens(answer) as Answer
}
