/** A person's own key of a write: `--key`. The same key is the same write. */
import { Failure } from '../../failure.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import type { PaymentInQuestion } from '../desk/journal.ts'
import type { Invocation } from '../invocation.ts'

/** Throws Failure('usage') for a key that could be mistyped unseen. */
export function requireBusinessKey(key: string): void {
  if (/^[^\s\p{Cc}](?:[^\p{Cc}]{0,198}[^\s\p{Cc}])?$/u.test(key)) return
  throw new Failure('usage', '--key must be 1 to 200 characters, without blanks at its ends and without line breaks', {
    hints: ['A stray blank would make it another key, and another payment.'],
  })
}

const mayHaveMoved = ['unknown', 'accepted', 'exists']

/** The question of a write that ended early: what an earlier run with the same --key may have moved. */
export function sameKey(invocation: Invocation): PaymentInQuestion {
  return () => {
    const key = invocation.typed('--key')
    return key === undefined ? null : (journal) => underKey(invocation, journal, key)
  }
}

async function underKey(invocation: Invocation, journal: Journal, key: string): Promise<Intent | null> {
  const { id, edge } = invocation
  const profile = invocation.typed('--profile') ?? invocation.typed('-p') ?? edge.env.PAYDESK_PROFILE
  const filter = { named: key, states: mayHaveMoved, ...(profile === undefined ? {} : { profile }) }
  const own = (await journal.list(filter)).filter(({ businessKey, operation }) => {
    return businessKey === key && (!id || operation === id.replace(':', '.'))
  })
  return own.find(({ state }) => state === 'unknown') ?? own[0] ?? null
}
