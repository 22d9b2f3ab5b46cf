import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { type KnownWalletOrder, requireFinalizable } from '../../../src/lib/desk/wallet.ts'
import { intent } from '../../kit/store.ts'

const registered: KnownWalletOrder = {
  uniqueId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
  created: intent({ operation: 'wallet.create', state: 'accepted', status: 'REGISTERED' }),
  ...{ registered: true, reason: null, deleted: false, finalizeBy: 1000 },
  ...{ receiverName: null, currency: null, amount: null, minimum: null, maximum: null },
}
const number = (text: string) => new JsonNumber(text)

/** What the preflight says of this amount; null if it has no objection. */
function objection(known: Partial<KnownWalletOrder>, amount: string): string | null {
  const order = { ...registered, ...known }
  try {
    requireFinalizable({ uniqueId: order.uniqueId, known: order, underWay: false, time: () => 0 }, amount)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

describe('wallet finalize preflight', () => {
  const fixed = { amount: number('25.00') }
  const range = { minimum: number('0.10'), maximum: number('5000.00') }

  test.each(['25', '25.0', '25.00'])('wallet finalize preflight: %s is the fixed amount of 25.00', (amount) => {
    expect(objection(fixed, amount)).toBeNull()
  })

  test.each(['24.99', '25.01', '2500', '2.5', '0.25'])(
    'wallet finalize preflight: %s is refused for the fixed amount of 25.00',
    (amount) => {
      expect(objection(fixed, amount)).toBe(
        `--amount must be 25.00, as the service returned at creation, not ${amount}`,
      )
    },
  )

  test.each(['0.10', '0.1', '12.34', '5000', '5000.00'])(
    'wallet finalize preflight: %s is inside the range of 0.10 to 5000.00',
    (amount) => {
      expect(objection(range, amount)).toBeNull()
    },
  )

  test.each(['0.09', '5000.01', '0.01', '50000'])(
    'wallet finalize preflight: %s is refused outside the range of 0.10 to 5000.00',
    (amount) => {
      expect(objection(range, amount)).toBe(
        `--amount must be from 0.10 to 5000.00, as the service returned at creation, not ${amount}`,
      )
    },
  )

  test('wallet finalize preflight: any amount passes if the answer of the creation was lost', () => {
    expect(objection({}, '99999')).toBeNull()
  })
})
