/**
 * Under which id a new one is made, and an old one repeated. The id of the old one, or the key it was derived from, is used
 * up: whoever keeps it only gets the old receipt again.
 */
import { fieldsOf } from '../contract/core/field.ts'
import type { WriteOperation } from '../contract/operation.ts'
import type { Draft } from '../journal/intent.ts'
import { shellWord } from '../shell-word.ts'

/** "another --key", as the one before was named. */
export function anotherId({ businessKey }: Pick<Draft, 'businessKey'>): string {
  return businessKey === null ? 'another --unique-id (or none: one is made)' : 'another --key'
}

/** "the same --key"; null where the command takes no id by flag. */
export function sameIdFlag(
  { idField, request }: Pick<WriteOperation, 'idField' | 'request'>,
  { businessKey, uniqueId }: Pick<Draft, 'businessKey' | 'uniqueId'>,
): string | null {
  if (businessKey !== null) return 'the same --key'
  const field = fieldsOf(request).find(({ name, made }) => name === idField && made)
  return field
    ? `--${field.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${shellWord(uniqueId)}`
    : null
}
