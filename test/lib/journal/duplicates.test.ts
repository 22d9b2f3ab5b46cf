/** The sentences about another request under a known name: they name what the person typed, and a way that there is. */
import { describe, expect, test } from 'vitest'
import { completeOrder } from '../../../src/lib/contract/order/order.ts'
import { refundOrder } from '../../../src/lib/contract/order/refund.ts'
import { createPayout } from '../../../src/lib/contract/payout/payout.ts'
import { finalizeWalletOrder } from '../../../src/lib/contract/wallet/wallet.ts'
import { otherBody, requireUnchanged } from '../../../src/lib/journal/duplicates.ts'
import type { Intent } from '../../../src/lib/journal/intent.ts'
import type { State } from '../../../src/lib/journal/verdict.ts'
import { intent } from '../../kit/store.ts'

const order = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const derived = '1874fa88-5a5b-4c1e-9d53-0f1b8a6f2c11'

function kept(operation: string, state: State, more: Partial<Intent> = {}): Intent {
  const body = `{"integratorOrderId":"${order}"}`
  const named = { journalId: 'j-97e33bf5c2b4', uniqueId: derived, clientId: order, payee: `order ${order}` }
  return intent({ operation, state, body, amountMinor: '500', ...named, ...more })
}

function told(before: Intent): { readonly message: string; readonly hints: string } {
  const { error } = otherBody(before, { ...before, amountMinor: '600', bodyDigest: 'b' }).toLine()
  return { message: error.message, hints: error.hints.join('\n') }
}

describe('another request', () => {
  test('under a known key names the key, and never the id that was derived from it', () => {
    const { message, hints } = told(kept(refundOrder.name, 'accepted', { idempotencyKey: 'r1' }))
    expect(message).toContain('the key r1 belongs to another request (j-97e33bf5c2b4: 5.00 to order')
    expect(message + hints).not.toContain(derived)
    expect(hints).toContain('another --key')
  })

  test('under a known id names the id, and offers no key to who gave none', () => {
    const { message, hints } = told(kept(createPayout.name, 'accepted'))
    expect(message).toContain(`the id ${derived} belongs to another request`)
    expect(hints).not.toContain('--key')
  })

  test.each([
    [completeOrder.name, 'completed'],
    [finalizeWalletOrder.name, 'finalized'],
  ])('%s is done once: what was done is told, and no other id is offered', (operation, done) => {
    for (const idempotencyKey of [null, 'w1']) {
      const { message, hints } = told(kept(operation, 'accepted', { idempotencyKey }))
      expect(message).toContain(`the order was ${done} with 5.00 already (j-97e33bf5c2b4)`)
      expect(hints).not.toMatch(/another (id|--key)/)
    }
  })

  test.each(['unknown', 'turned-away'] as const)('after one that is %s, that one has to be resolved first', (state) => {
    const { message, hints } = told(kept(completeOrder.name, state))
    expect(message).toContain('is still unknown (j-97e33bf5c2b4)')
    expect(hints).toContain('paydesk resume j-97e33bf5c2b4')
  })
})

describe('an intent that another run has changed', () => {
  const looked = kept(createPayout.name, 'unknown', { status: 'INITIAL' })
  const resolving = (more: Partial<Intent>, deniedBy?: string | null) => () =>
    requireUnchanged(looked, { ...looked, ...more }, deniedBy)

  test('resolving an intent that stands as it was looked at is allowed', () => {
    for (const deniedBy of [undefined, null, 'FAILED']) expect(resolving({}, deniedBy)).not.toThrow()
  })

  test.each<[string, Partial<Intent>]>([
    ['state', { state: 'accepted' }],
    ['conflict', { isTaken: true }],
  ])('resolving an intent whose %s alone has changed meanwhile is locked (12)', (_what, more) => {
    for (const deniedBy of [undefined, null, 'FAILED'])
      expect(resolving(more, deniedBy)).toThrow(/another run has changed j-97e33bf5c2b4: it is now/)
  })

  test('resolving as not executed an intent that was read in another status meanwhile is locked (12)', () => {
    expect(resolving({ status: 'SUCCESS' }, null)).toThrow(/has changed/)
    expect(resolving({ status: 'SUCCESS' }, 'FAILED')).toThrow(/has changed/)
    expect(resolving({ status: null }, 'FAILED')).toThrow(/has changed/)
    // The status that denies it, or a word that denies nothing.
    expect(resolving({ status: 'FAILED' }, 'FAILED')).not.toThrow()
    expect(resolving({ status: 'SUCCESS' })).not.toThrow()
  })
})
