import { expect, test } from 'vitest'
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

const fixed = { amount: number('25.00') }
const range = { minimum: number('0.10'), maximum: number('5000.00') }
const returned = 'as the service returned at creation, not'

/** What the service returned at creation; amounts that pass, and those that do not. */
test.each<[Partial<KnownWalletOrder>, readonly string[], string | null]>([
  [fixed, ['25', '25.0', '25.00'], null],
  [fixed, ['24.99', '25.01', '2500', '2.5', '0.25'], `--amount must be 25.00, ${returned}`],
  [range, ['0.10', '0.1', '12.34', '5000', '5000.00'], null],
  [range, ['0.09', '5000.01', '0.01', '50000'], `--amount must be from 0.10 to 5000.00, ${returned}`],
  // The answer of the creation was lost.
  [{}, ['99999'], null],
])('wallet finalize preflight: %j, the amounts %j: %s', (known, amounts, words) => {
  for (const amount of amounts) expect(objection(known, amount)).toBe(words === null ? null : `${words} ${amount}`)
})
