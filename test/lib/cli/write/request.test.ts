import { expect, test } from 'vitest'
import { suggestNames } from '../../../../src/lib/cli/write/request.ts'
import type { WriteOperation } from '../../../../src/lib/contract/operation.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { createPayout } from '../../../../src/lib/contract/payout/payout.ts'
import { validate } from '../../../../src/lib/contract/validate.ts'

async function said(operation: WriteOperation, members: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const checked = validate(operation, members, { permits: new Set(), orderType: null, now: 0 })
  if (checked.ok) throw new Error('nothing is wrong with it')
  return (await suggestNames(operation, checked.violations)).map(({ message }) => message)
}

test('a key of a payout that no field has is told with the one that was meant', async () => {
  const told = await said(createPayout, { amout: '5', 'to-iban': 'x', zebra: '1' })
  expect(told).toContain('is not a field of this request; did you mean amount?')
  expect(told).toContain('is not a field of this request; did you mean toIban?')
  expect(told).toContain('is not a field of this request')
})

test('inside lists, objects and maps the members of that place are known', async () => {
  const told = await said(createOrder, {
    splitDetails: [{ amout: '1' }],
    orderProperties: { PAYER_NAM: { value: 'x' }, PAYER_NAME: { vale: 'x' } },
  })
  expect(told).toContain('is not a field of it; did you mean amount?')
  expect(told).toContain('is not a field of it; did you mean value?')
  expect(told.some((line) => line.endsWith('; did you mean PAYER_NAME?'))).toBe(true)
})
