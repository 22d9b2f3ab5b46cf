/** The sentences about another request under a known name: they name what the person typed, and a way that there is. */
import { describe, expect, test } from 'vitest'
import { completeOrder } from '../../../src/lib/contract/order/order.ts'
import { refundOrder } from '../../../src/lib/contract/order/refund.ts'
import { createPayout } from '../../../src/lib/contract/payout/payout.ts'
import { finalizeWalletOrder } from '../../../src/lib/contract/wallet/wallet.ts'
import type { Intent } from '../../../src/lib/journal/intent.ts'
import { otherBody } from '../../../src/lib/journal/objection.ts'
import type { State } from '../../../src/lib/journal/verdict.ts'

const order = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const derived = '1874fa88-5a5b-4c1e-9d53-0f1b8a6f2c11'

function intent(operation: string, state: State, more: Partial<Intent> = {}): Intent {
  return {
    ...{ operation, state, uniqueId: derived, businessKey: null, journalId: 'j-97e33bf5c2b4' },
    ...{ profile: 'sandbox', environment: 'sandbox', service: 'sandbox:1', serviceId: 'sandbox:1', clientId: order },
    ...{ body: `{"integratorOrderId":"${order}"}`, bodyDigest: 'a', payee: `order ${order}` },
    ...{ amountMinor: '500', currency: null, transactionId: null, status: null, statusDescription: null },
    ...{
      createdAt: null,
      answer: null,
      because: null,
      operatorWord: null,
      openedAt: '',
      changedAt: '',
      holder: null,
      heldUntil: null,
    },
    ...{ heldUntilSteady: null, sumConfirmed: null, otherSum: null, answeredSum: null },
    ...more,
  }
}

function told(kept: Intent): { readonly message: string; readonly hints: string } {
  const { error } = otherBody(kept, { ...kept, amountMinor: '600', bodyDigest: 'b' }).toLine()
  return { message: error.message, hints: error.hints.join('\n') }
}

describe('another request', () => {
  test('under a known key names the key, and never the id that was derived from it', () => {
    const { message, hints } = told(intent(refundOrder.name, 'accepted', { businessKey: 'r1' }))
    expect(message).toContain('the key r1 stands for another request (j-97e33bf5c2b4: 5.00 to order')
    expect(message + hints).not.toContain(derived)
    expect(hints).toContain('another --key')
  })

  test('under a known id names the id, and offers no key to who gave none', () => {
    const { message, hints } = told(intent(createPayout.name, 'accepted'))
    expect(message).toContain(`the id ${derived} stands for another request`)
    expect(hints).not.toContain('--key')
  })

  test.each([
    [completeOrder.name, 'completed'],
    [finalizeWalletOrder.name, 'finalized'],
  ])('%s is done once: what was done is told, and no other id is offered', (operation, done) => {
    for (const businessKey of [null, 'w1']) {
      const { message, hints } = told(intent(operation, 'accepted', { businessKey }))
      expect(message).toContain(`the order was ${done} with 5.00 already (j-97e33bf5c2b4)`)
      expect(hints).not.toMatch(/another (id|--key)/)
    }
  })

  test.each(['unknown', 'turned-away'] as const)('after one that is %s, that one has to be resolved first', (state) => {
    const { message, hints } = told(intent(completeOrder.name, state))
    expect(message).toContain('is still open (j-97e33bf5c2b4)')
    expect(hints).toContain('paydesk resume j-97e33bf5c2b4')
  })
})
