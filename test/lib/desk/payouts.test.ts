/** A payout in the journal against the one at the service: a difference in any one field is seen. */
import { expect, test } from 'vitest'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import type { Members } from '../../../src/lib/contract/core/members.ts'
import type { PayoutDetails } from '../../../src/lib/contract/payout/payout.ts'
import { compare, notShown, sumDiffers } from '../../../src/lib/desk/payouts.ts'
import { intent } from '../../kit/store.ts'

const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const request = {
  ...{ uniqueId: id, amount: '12.50', currency: 'GEL', toIban: 'GE29NB0000000101904917', description: 'Salary' },
}

function details(more: Partial<PayoutDetails> = {}): PayoutDetails {
  return {
    ...{ transactionId: '4711', status: 'SUCCESS', statusDescription: null, uniqueId: id },
    ...{ amount: new JsonNumber('12.5'), currency: 'GEL', toIban: 'GE29NB0000000101904917' },
    ...{ paymentDescription: 'Salary', createdAt: null, ...more },
  } as PayoutDetails
}

const differing = (sent: Members, shown: PayoutDetails) =>
  compare(sent, shown).flatMap(({ field, equal }) => (equal ? [] : [field]))
const kept = (members: Members) => intent({ body: JSON.stringify(members) })

test('payout comparison: the same payout is equal in every field, however it is spelled', () => {
  expect(compare(request, details()).map(({ field, equal }) => [field, equal])).toEqual([
    ...[['uniqueId', true] as const, ['amount', true] as const, ['currency', true] as const],
    ...[['toIban', true] as const, ['description', true] as const],
  ])
  const spelled = details({ uniqueId: id.toUpperCase(), currency: 'gel', toIban: 'ge29 nb00 0000 0101 9049 17' })
  expect(differing({ ...request, amount: '12.5' }, spelled)).toEqual([])
  expect(sumDiffers(kept(request), spelled)).toBeNull()
})

test.each<[string, Partial<PayoutDetails>, string | null]>([
  ['uniqueId', { uniqueId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a12' }, null],
  ['amount', { amount: new JsonNumber('12.51') }, 'amount is 12.51, not 12.50'],
  ['currency', { currency: 'USD' }, 'currency is USD, not GEL'],
  ['toIban', { toIban: 'GE18SB1000000000000014' }, 'toIban is GE18SB1000000000000014, not GE29NB0000000101904917'],
  ['description', { paymentDescription: 'Rent' }, null],
])('payout comparison: another %s differs, and is another sum if it says how much to whom', (field, more, words) => {
  expect(differing(request, details(more))).toEqual([field])
  expect(sumDiffers(kept(request), details(more))).toBe(words)
})

test('payout comparison: all that differs in the sum is told', () => {
  const other = details({ amount: new JsonNumber('1'), currency: 'EUR' })
  expect(sumDiffers(kept(request), other)).toBe('amount is 1.00, not 12.50; currency is EUR, not GEL')
})

test('payout comparison: a field that the service does not show differs in nothing, and is named', () => {
  const shown = details({ toIban: null, paymentDescription: null })
  expect(sumDiffers(kept(request), shown)).toBeNull()
  expect(notShown(kept(request), shown)).toEqual(['toIban', 'description'])
  expect(notShown(kept(request), details())).toEqual([])
})

test('payout comparison: a field that was not sent, or was removed from the journal, is not compared', () => {
  const { toIban: _, ...toReceiver } = request
  expect(compare(toReceiver, details()).map(({ field }) => field)).toEqual([
    ...['uniqueId', 'amount', 'currency', 'description'],
  ])
  expect(
    compare({ ...request, description: null }, details({ paymentDescription: 'Rent' })).map(({ field }) => field),
  ).toEqual(['uniqueId', 'amount', 'currency', 'toIban'])
})

test('payout comparison: a body that is no object says nothing', () => {
  const unread = intent({ body: '[]' })
  expect(sumDiffers(unread, details())).toBeNull()
  expect(notShown(unread, details({ toIban: null }))).toEqual([])
})

const debtor = { debtorName: 'Acme', debtorIban: 'GE18SB1000000000000014', debtorIdentityNumber: '204' }

test.each([
  [{}, 'Salary'],
  [{ debtorName: 'Acme' }, 'Acme, Salary'],
  [{ debtorIban: 'GE18SB1000000000000014' }, 'GE18SB1000000000000014, Salary'],
  [{ debtorIdentityNumber: '204' }, '204, Salary'],
  [debtor, 'Acme, GE18SB1000000000000014, 204, Salary'],
])('payout comparison: the description agrees alone and behind the debtor %j', (more, shown) => {
  const sent = { ...request, ...more }
  expect(differing(sent, details({ paymentDescription: 'Salary' }))).toEqual([])
  expect(differing(sent, details({ paymentDescription: shown }))).toEqual([])
  expect(differing(sent, details({ paymentDescription: `Other, ${shown}` }))).toEqual(['description'])
})
