/**
 * Decides which breach of a payload's rules gives the refusal its code; the message names them all. First values that no
 * single field may have, then fields that this integrator may not send, then combinations that are not allowed: without the
 * permission to save cards no missing provider is told (the specification's own example, 6031). Among missing permissions the
 * one that needs others comes first: a plan needs a saved card, a saved card needs a provider.
 */

import { type Permission, permissionNames, permissionOf } from '../../contract/core/permission.ts'
import type { Circumstances, Operation, Violation } from '../../contract/operation.ts'
import { validate } from '../../contract/validate.ts'
import { violationsInWords } from '../handler.ts'
import { ruleBroken } from '../log/rule.ts'
import type { Refusal } from '../shape.ts'

const needingOthers: readonly (Permission | null)[] = ['plan', 'saveCard']

function rank({ code }: Violation): number {
  const at = needingOthers.indexOf(permissionOf(code))
  return at < 0 ? needingOthers.length : at
}

export function decisiveRefusal(
  operation: Operation,
  request: Readonly<Record<string, unknown>>,
  circumstances: Circumstances,
  violations: readonly Violation[],
): Refusal {
  const everything = { ...circumstances, permits: new Set(permissionNames) }
  const ofFields = validate<Operation>({ ...operation, rules: [] }, request, everything)
  const forbidden = violations.filter(({ code }) => permissionOf(code) !== null).toSorted((a, b) => rank(a) - rank(b))
  const [first] = [...(ofFields.ok ? [] : ofFields.violations), ...forbidden, ...violations]
  return {
    code: first?.code ?? operation.breachCode,
    message: violationsInWords(violations),
    ...(first ? { rule: ruleBroken(operation, first) } : {}),
  }
}
