/** A refusal of the service, for a support person, with its exit code. */
import { codesOf } from '../contract/codes/code-book.ts'
import { fieldsOf } from '../contract/core/field.ts'
import type { Members } from '../contract/core/members.ts'
import { permissionOf } from '../contract/core/permission.ts'
import type { Operation, ReadOperation } from '../contract/operation.ts'
import { about, Failure, type FailureFacts, type FailureName, type ServiceWords } from '../failure.ts'
import { filledIn, type Hint, hint } from '../hint.ts'

/** "5038 insufficient balance: the balance does not cover …". */
export function refusalInWords(operation: Pick<Operation, 'area'>, words: ServiceWords): string {
  const code = words.statusCode === null ? undefined : codesOf(operation.area).get(words.statusCode)
  const said = words.message ? ` (it says: ${words.message})` : ''
  if (code) return `${code.code} ${code.name}: ${code.means}${said}`
  // In a success: only its words say that it is none.
  if (words.statusCode === null && words.http === 200 && words.message) return `"${words.message}"`
  return words.statusCode === null ? `HTTP ${words.http}${said}` : `code ${words.statusCode}, HTTP ${words.http}${said}`
}

export function isUnknownObject({ unknownObject }: ReadOperation, { http, statusCode }: ServiceWords): boolean {
  if (unknownObject === null || statusCode !== unknownObject.statusCode) return false
  return unknownObject.http === null || unknownObject.http === http
}

function permissionHint(operation: Operation, code: number): Hint[] {
  const permission = permissionOf(code)
  const fields = fieldsOf(operation.request).filter((field) => permission !== null && field.permission === permission)
  return fields.length > 0 ? [hint`It is needed for ${fields.map(({ name }) => name).join(', ')}.`] : []
}

/** `request`: what was asked or sent. */
export function refusal(
  operation: Operation,
  words: ServiceWords,
  request: Members,
  facts: FailureFacts = {},
): Failure {
  const told = { ...about(operation), service: words, ...facts }
  const unknown = operation.effect === 'read' && isUnknownObject(operation, words) ? operation.unknownObject : null
  if (unknown?.words) return new Failure('not-found', `the service knows ${unknown.words}`, { ...told, retry: 'never' })
  const code = words.statusCode === null ? undefined : codesOf(operation.area).get(words.statusCode)
  const kind: FailureName = code ? code.exit : 'refused'
  const permission = words.statusCode === null ? [] : permissionHint(operation, words.statusCode)
  return new Failure(kind, `the service refused: ${refusalInWords(operation, words)}`, {
    retry: kind === 'duplicate' ? 'never' : 'after-fix',
    ...told,
    hints: [...(facts.hints ?? []), ...permission, ...(code ? [filledIn(code.next, request)] : [])],
  })
}
