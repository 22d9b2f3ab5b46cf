/**
 * The flag that gives a new write an id, and an old one its repeat. The id of the old one, or the key it was derived from, is
 * used up: with it, a command only gets the old receipt again.
 */
import { fieldsOf } from '../contract/core/field.ts'
import type { WriteOperation } from '../contract/operation.ts'
import type { Draft } from '../journal/intent.ts'
import { shellWord } from '../shell-word.ts'

function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** "another --key", as the one before was named. */
export function anotherId(
  { businessKey }: Pick<Draft, 'businessKey'>,
  { idField }: Pick<WriteOperation, 'idField'> = { idField: 'uniqueId' },
): string {
  return businessKey === null ? `another ${flagOf(idField ?? 'key')} (or none: one is made)` : 'another --key'
}

/** "the same --key"; null where the command takes no id by flag. */
export function sameIdFlag(
  { idField, request }: Pick<WriteOperation, 'idField' | 'request'>,
  { businessKey, uniqueId }: Pick<Draft, 'businessKey' | 'uniqueId'>,
): string | null {
  if (businessKey !== null) return 'the same --key'
  const field = fieldsOf(request).find(({ name, made }) => name === idField && made)
  return field ? `${flagOf(field.name)} ${shellWord(uniqueId)}` : null
}
