import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { fromMinorUnits, JsonNumber, minorUnits } from '../../../../../src/lib/contract/core/decimal.ts'
import { type Fields, integratorNamed, secondShop, shop, waiter } from '../../../../kit/sandbox/integrator.ts'
import { desk, fileSandbox, freshDirectory, handClock, served } from '../../../../kit/sandbox/stand.ts'

// Hundreds of inputs, each of which takes its time.
vi.setConfig({ testTimeout: 60_000 })

const takes = 3000

async function paidOrder(fields: Fields = {}, tip?: string) {
  const at = await desk()
  const us = await at.integrator()
  const id = await us.created(fields)
  await at.pay(id, tip === undefined ? {} : { tip })
  const refunded = async (amount: unknown, more: Fields = {}) => {
    const heard = await us.refund(id, amount, more)
    at.clock.forward(takes)
    return heard
  }
  return { ...at, us, id, refunded }
}

const split = [
  { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 7 },
  { receiverType: 'BRANCH', receiverIdentifier: secondShop, amount: 3 },
]

test('a refund is requested at once and ends three seconds later: a part, then the rest', async () => {
  const { us, id, clock, entry } = await paidOrder({ amount: 10 })
  expect(await us.refund(id, 4)).toMatchObject({ value: { integratorOrderId: id, status: 'REFUND_REQUESTED' } })
  expect(await us.status(id)).toBe('REFUND_REQUESTED')
  expect(await us.refund(id, 1)).toMatchObject({ http: 400, code: 6006, group: 2 })
  clock.forward(takes)
  expect(await us.status(id)).toBe('PARTIALLY_REFUNDED')
  expect(await us.refund(id, 6.01)).toMatchObject({ code: 6007, group: 1 })
  expect(await us.refund(id, 6)).toMatchObject({ http: 200 })
  clock.forward(takes)
  expect(await us.status(id)).toBe('REFUNDED_BY_INTEGRATOR')
  expect(await us.refund(id, 0.01)).toMatchObject({ code: 6006 })
  const { refunds, refunded, returned, splits } = await entry(id)
  expect([refunds, String(refunded), String(returned)]).toEqual([2, '10.00', '10.00'])
  expect(splits.map(({ received }) => String(received))).toEqual(['0.00'])
})

test('the initiator names the end', async () => {
  const { us, id, refunded } = await paidOrder({ amount: 10 })
  await refunded(10, { refundInitiator: 'OPERATOR' })
  expect(await us.status(id)).toBe('REFUNDED_BY_OPERATOR')
})

test('a refund that fails gives the receivers their money back and may be asked again', async () => {
  const { us, id, sandbox, clock, entry } = await paidOrder({ amount: 10 })
  await us.refund(id, 10)
  expect(String((await entry(id)).splits[0]?.received)).toBe('0.00')
  expect(await sandbox.trigger({ what: 'refund-failed', order: id })).toMatchObject({ status: 'REFUNDED_FAILED' })
  clock.forward(takes)
  expect(await us.status(id)).toBe('REFUNDED_FAILED')
  expect(await entry(id)).toMatchObject({ refunds: 0 })
  expect(String((await entry(id)).splits[0]?.received)).toBe('9.80')
  await expect(sandbox.trigger({ what: 'refund-failed', order: id })).rejects.toMatchObject({ kind: 'refused' })
  expect(await us.refund(id, 10)).toMatchObject({ http: 200 })
  clock.forward(takes)
  expect(await us.status(id)).toBe('REFUNDED_BY_INTEGRATOR')
})

test('a part of a split order needs details (6094); the whole does not', async () => {
  const { us, id, refunded, entry } = await paidOrder({ amount: 10, splitDetails: split, commissionType: 'SENDER' })
  expect(await us.refund(id, 4)).toMatchObject({ code: 6094, group: 1 })
  expect(await refunded(10)).toMatchObject({ http: 200 })
  expect((await entry(id)).splits.map(({ received }) => String(received))).toEqual(['0.00', '0.00'])
})

test('details say who gives back what, never more than was got, and receivers of the order only', async () => {
  const { us, id, refunded, entry } = await paidOrder({ amount: 10, splitDetails: split, commissionType: 'SENDER' })
  const from = (receiverIdentifier: string, amount: number, receiverType = 'BRANCH') => ({
    refundDetails: [{ receiverType, receiverIdentifier, amount }],
  })
  expect(await us.refund(id, 4, from(secondShop, 4))).toMatchObject({ code: 6096, group: 1 })
  expect(await us.refund(id, 1, from(waiter, 1, 'USER'))).toMatchObject({ code: 6096 })
  expect(await us.refund(id, 2, from(secondShop, 1))).toMatchObject({ code: 6096 })
  expect(await refunded(3, from(secondShop, 3))).toMatchObject({ http: 200 })
  expect(await us.refund(id, 1, from(secondShop, 1))).toMatchObject({ code: 6096 })
  expect((await entry(id)).splits.map(({ received }) => String(received))).toEqual(['7.00', '0.00'])
  // The rest belongs to one recipient, and is the whole rest.
  expect(await refunded(7)).toMatchObject({ http: 200 })
  expect(await us.status(id)).toBe('REFUNDED_BY_INTEGRATOR')
})

test('without details the tip goes back last', async () => {
  const tips = { amount: 10, tipReceiverId: waiter, tipReceiverType: 'USER', commissionType: 'SENDER' }
  const { us, id, refunded, entry } = await paidOrder(tips, '2.00')
  expect(await refunded(11)).toMatchObject({ http: 200 })
  expect((await entry(id)).splits.map(({ received }) => String(received))).toEqual(['0.00', '1.00'])
  expect(await us.refund(id, 1.01)).toMatchObject({ code: 6007 })
  await refunded(1)
  expect(await us.status(id)).toBe('REFUNDED_BY_INTEGRATOR')
})

test('however an order is refunded in parts, in the end all have what they had', { timeout: 60_000 }, async () => {
  const parts = fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 5 })
  const currency = fc.constantFrom('GEL', 'USD', 'EUR')
  const terms = fc.record({
    currency,
    acquiringCurrency: currency,
    distributionCurrency: currency,
    commissionType: fc.constantFrom('SENDER', 'RECEIVER', 'BOTH'),
  })
  const at = await desk()
  const us = await at.integrator()
  const money = (units: number) => new JsonNumber(fromMinorUnits(BigInt(units)))
  await fc.assert(
    fc.asyncProperty(parts, terms, async (refunds, fields) => {
      const whole = refunds.reduce((sum, each) => sum + each, 0)
      const id = await us.created({ amount: money(whole), ...fields })
      await at.pay(id)
      for (const [index, part] of refunds.entries()) {
        expect((await us.refund(id, money(part))).http).toBe(200)
        at.clock.forward(takes)
        const { refunded, returned, acquiringAmount, splits } = await at.entry(id)
        expect(minorUnits(String(refunded))).toBe(BigInt(refunds.slice(0, index + 1).reduce((a, b) => a + b, 0)))
        expect(minorUnits(String(returned)) ?? -1n).toBeLessThanOrEqual(minorUnits(String(acquiringAmount)) ?? 0n)
        expect(minorUnits(String(splits[0]?.received)) ?? -1n).toBeGreaterThanOrEqual(0n)
      }
      const { status, returned, acquiringAmount, splits } = await at.entry(id)
      expect(status).toBe('REFUNDED_BY_INTEGRATOR')
      expect(String(returned)).toBe(String(acquiringAmount))
      expect(String(splits[0]?.received)).toBe('0.00')
    }),
    { numRuns: 25 },
  )
})

test('twenty refunds at once through two servers of one world refund once', async () => {
  const directory = freshDirectory()
  const clock = handClock()
  const [one, other] = [await fileSandbox(directory, clock), await fileSandbox(directory, clock)]
  const [here, there] = [
    await integratorNamed(one, (await served(one)).url),
    await integratorNamed(other, (await served(other)).url),
  ]
  const id = await here.created({ amount: 10 })
  await one.trigger({ what: 'paid', order: id })
  const heard = await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 ? here : there).refund(id, 10)))
  expect(heard.filter(({ http }) => http === 200)).toHaveLength(1)
  expect(heard.filter(({ code }) => code === 6006)).toHaveLength(19)
  clock.forward(takes)
  expect((await other.ledger()).orders).toMatchObject([{ refunds: 1, status: 'REFUNDED_BY_INTEGRATOR' }])
})
