/** A person's own key of a payment: `--key`, a column of a file, an EndToEndId. The same key is the same payment. */

import { unseenCharacter } from './text.ts'

export const businessKeyInWords =
  '1 to 200 characters, without blanks at its ends, blanks of another kind than the space, line breaks and characters that nobody sees (Unicode NFC)'

/** False for a key that reads like another one: a stray blank, a wide one, a soft hyphen, an é in two characters would be another payment. */
export function isBusinessKey(key: string): boolean {
  const isPlain = /^[^\s\p{C}\p{Z}](?: *[^\s\p{C}\p{Z}])*$/u.test(key) && !unseenCharacter.test(key)
  return isPlain && [...key].length <= 200 && key === key.normalize('NFC')
}
