/** A person's own key of a write: `--key`. The same key is the same write. */
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'

/** Throws Failure('usage') for a key that could be mistyped unseen. */
export function requireBusinessKey(key: string): void {
  if (/^[^\s\p{Cc}](?:[^\p{Cc}]{0,198}[^\s\p{Cc}])?$/u.test(key)) return
  throw new Failure('usage', '--key must be 1 to 200 characters, without blanks at its ends and without line breaks', {
    hints: [hint`A stray blank would make it another key, and another payment.`],
  })
}
