/** A person's own key of a write: `--key`. The same key is the same write. */
import { businessKeyInWords, isBusinessKey } from '../../contract/core/text.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'

/** Throws Failure('usage') for a key that could be mistyped unseen. */
export function requireBusinessKey(key: string): void {
  if (isBusinessKey(key)) return
  throw new Failure('usage', `--key must be ${businessKeyInWords}`, {
    hints: [hint`What nobody sees would make it another key, and another payment.`],
  })
}
