// Each row of the specification's table of limits that concerns areas B to D: at the limit, below it and above it.

import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../../../src/lib/contract/core/decimal.ts'
import {
  type Fields,
  limitedUser,
  qrOpen,
  qrRequest,
  secondShop,
  shop,
  walletUser,
} from '../../../kit/sandbox/integrator.ts'
import {
  day,
  expectRefused,
  expectSealed,
  hour,
  minute,
  second,
  servedTable,
  told,
} from '../../../kit/sandbox/stand.ts'

const here = await servedTable()
const { clock } = here
const integrator = await here.integrator('sandbox')
const wallet = await here.wallet()

/** A number token, digit for digit. */
const number = (text: string) => new JsonNumber(text)

/** A moment as the documented form has it, in Tbilisi, four hours east of UTC. */
const inTbilisi = (moment: number) => new Date(moment + 4 * hour).toISOString().slice(0, 19).replace('T', ' ')

async function registered(uri: string): Promise<string> {
  return told(await wallet.create(uri)).uniqueId ?? ''
}

const finalized = async (uniqueId: string, amount: string) =>
  told(await wallet.finalize(uniqueId, number(amount))).status

describe('amount of an order: greater than 0', () => {
  test.each([
    ['-12.50', 6068],
    ['-0.01', 6068],
    ['0', 6068],
    ['0.00', 6068],
    ['-0', 6068],
    ['0.001', 6058],
    ['12.345', 6058],
  ])('%s is refused', async (amount, code) => {
    expectRefused(await integrator.create({ amount: number(amount) }), code, 1)
  })

  test.each(['0.01', '0.010', '0.1', '1', '12.5', '50000'])('%s is accepted and kept to the cent', async (amount) => {
    const id = await integrator.created({ amount: number(amount) })
    expect(String((await here.entry(id)).amount)).toBe(Number(amount).toFixed(2))
  })
})

describe('amount of an order: far beyond the greatest', () => {
  // Whatever is accepted is kept to the cent; the one code for too much is 6026.
  test.each(['90071992547409.91', '90071992547409.93', '9007199254740993.01', '99999999999999999999', '1e30'])(
    '%s is kept to the cent or refused',
    async (amount) => {
      const heard = await integrator.create({ amount: number(amount) })
      if (heard.code === null) {
        expect(String((await here.entry(heard.value.integratorOrderId)).amount)).toBe(amount)
      } else {
        expectRefused(heard, [6021, 6026], 1)
      }
    },
  )

  test.each(['90071992547409.93', '99999999999999999999'])('nor of a wallet order: %s', async (amount) => {
    const heard = await wallet.create(qrRequest(walletUser, amount))
    expectSealed(heard)
    if (told(heard).status === 'REGISTERED') expect(told(heard).amount).toBe(amount)
    else expect(told(heard).rejectReason).toMatch(/\w/)
  })
})

describe('amount of an order with a plan: 0, and the plan’s greater than 0', () => {
  const withPlan = (amount: string, price: string): Fields => ({
    ...{ amount: number(amount), saveCard: true, directLinkProvider: 'BOG' },
    subscriptionPlan: { interval: 'WEEKLY', intervalCount: 1, amount: number(price) },
  })

  test.each([
    ['0', '0.01'],
    ['0.00', '0.01'],
    ['0', '9.90'],
  ])('an order of %s with a plan of %s is accepted', async (amount, price) => {
    expectSealed(await integrator.create(withPlan(amount, price)))
  })

  test.each([
    ['0.01', '9.90', 6113],
    ['9.90', '9.90', 6113],
    ['-0.01', '9.90', 6068],
    ['0', '0', 6068],
    ['0', '0.00', 6068],
    ['0', '-0.01', 6068],
    ['0', '0.001', 6058],
  ])('an order of %s with a plan of %s is refused', async (amount, price, code) => {
    expectRefused(await integrator.create(withPlan(amount, price)), code, 1)
  })
})

describe('split amounts: each greater than 0', () => {
  const split = (main: string, other: string): Fields => ({
    amount: number('12.50'),
    splitDetails: [
      { receiverType: 'BRANCH', receiverIdentifier: shop, amount: number(main) },
      { receiverType: 'BRANCH', receiverIdentifier: secondShop, amount: number(other) },
    ],
  })

  test.each([
    ['12.49', '0.01'],
    ['0.01', '12.49'],
  ])('%s and %s are accepted', async (main, other) => {
    expectSealed(await integrator.create(split(main, other)))
  })

  test.each([
    ['12.50', '0', 6068],
    ['0', '12.50', 6068],
    ['12.51', '-0.01', 6068],
    ['12.499', '0.001', 6058],
  ])('%s and %s are refused', async (main, other, code) => {
    expectRefused(await integrator.create(split(main, other)), code, 1)
  })
})

describe('wallet amount range: what creation answers', async () => {
  const { minAmountAllowed = '', maxAmountAllowed = '' } = told(await wallet.create(qrOpen(walletUser)))
  const cent = (amount: string, more: number) => (Number(amount) + more / 100).toFixed(2)

  test.each([
    ['below the minimum', cent(minAmountAllowed, -1), 'AMOUNT_NOT_IN_RANGE'],
    ['the minimum', minAmountAllowed, 'SUCCESS'],
    ['above the minimum', cent(minAmountAllowed, 1), 'SUCCESS'],
    ['below the maximum', cent(maxAmountAllowed, -1), 'SUCCESS'],
    ['the maximum', maxAmountAllowed, 'SUCCESS'],
    ['above the maximum', cent(maxAmountAllowed, 1), 'AMOUNT_NOT_IN_RANGE'],
  ])('%s', async (_where, amount, result) => {
    clock.forward(day)
    const uniqueId = await registered(qrOpen(walletUser))
    expect(await finalized(uniqueId, amount)).toBe(result)
    expect(await here.walletEntry(uniqueId)).toMatchObject({ executions: result === 'SUCCESS' ? 1 : 0 })
  })

  test('an amount that the address fixes has no range', async () => {
    for (const amount of ['0.01', cent(maxAmountAllowed, 1)]) {
      clock.forward(day)
      expect(await finalized(await registered(qrRequest(walletUser, amount)), amount)).toBe('SUCCESS')
    }
  })
})

describe('receiver limit: 100.00 a day for this one', () => {
  const uri = qrOpen(limitedUser)

  /** Midnight at the service, and a minute. */
  function nextDay(): void {
    const local = clock.now() + 4 * hour
    clock.forward(day - (local % day) + minute)
  }

  test.each([
    ['below', '99.99', 'SUCCESS'],
    ['at', '100.00', 'SUCCESS'],
    ['above', '100.01', 'RECEIVER_REACHED_LIMIT'],
  ])('%s the limit at once', async (_where, amount, result) => {
    nextDay()
    expect(await finalized(await registered(uri), amount)).toBe(result)
  })

  test('several payments add up', async () => {
    nextDay()
    const amounts = ['60.00', '40.01', '40.00', '0.10']
    const results: unknown[] = []
    for (const amount of amounts) results.push(await finalized(await registered(uri), amount))
    expect(results).toEqual(['SUCCESS', 'RECEIVER_REACHED_LIMIT', 'SUCCESS', 'RECEIVER_REACHED_LIMIT'])
  })

  test('orders that were registered before the limit was reached are refused as well', async () => {
    nextDay()
    const [first, next] = [await registered(uri), await registered(uri)]
    expect([await finalized(first, '100.00'), await finalized(next, '1.00')]).toEqual([
      'SUCCESS',
      'RECEIVER_REACHED_LIMIT',
    ])
  })

  test('of payments at the same moment so many run as the limit has room for', async () => {
    nextDay()
    const orders = await Promise.all([1, 2, 3, 4, 5].map(() => registered(uri)))
    const results = await Promise.all(orders.map((uniqueId) => finalized(uniqueId, '40.00')))
    expect(results.filter((result) => result === 'SUCCESS').length).toBe(2)
    expect(results.filter((result) => result === 'RECEIVER_REACHED_LIMIT').length).toBe(3)
  })

  // Counting by the day is assumed.
  test('midnight at the service raises it again', async () => {
    nextDay()
    clock.forward(day - 3 * minute)
    expect(await finalized(await registered(uri), '100.00')).toBe('SUCCESS')
    const uniqueId = await registered(uri)
    expect(await finalized(uniqueId, '100.00')).toBe('RECEIVER_REACHED_LIMIT')
    clock.forward(2 * minute)
    expect(await finalized(uniqueId, '100.00')).toBe('SUCCESS')
  })
})

describe('personal number: 9 or exactly 11 digits for Georgian citizens', () => {
  const numbers: readonly (readonly [string, boolean])[] = [
    ['12345678', false],
    ['123456789', true],
    ['1234567890', false],
    ['12345678901', true],
    ['123456789012', false],
    ['1234 56789', false],
    ['12345678X', false],
  ]
  const withInstallment = { installmentPaymentProvider: 'CREDO' }

  // No code is known for it: "create parameter" is assumed.
  test.each(numbers)('%s of a citizen', async (personalNumber, isRight) => {
    for (const more of [{ isForeign: false }, { isForeign: false, ...withInstallment }, {}]) {
      const heard = await integrator.create({ personalNumber, ...more })
      if (isRight) expectSealed(heard)
      else expectRefused(heard, 6049, 1)
    }
  })

  test.each(numbers)('%s of a foreigner', async (personalNumber) => {
    expectSealed(await integrator.create({ personalNumber, isForeign: true, ...withInstallment }))
  })

  test('an installment needs it, and whether the payer is a foreigner', async () => {
    expectRefused(await integrator.create({ ...withInstallment, isForeign: false }), 6070, 1)
    expectRefused(await integrator.create({ ...withInstallment, isForeign: true }), 6070, 1)
    expectRefused(await integrator.create({ ...withInstallment, personalNumber: '01001000001' }), [6049, 6070], 1)
  })
})

describe('order validity: until validUntil', () => {
  /** Whole seconds, because the documented form has no smaller ones. */
  const wholeSecond = () => clock.forward(second - (clock.now() % second))

  test.each([
    ['an hour ago', -hour, false],
    ['a second ago', -second, false],
    ['now', 0, false],
    ['in a second', second, true],
    ['in a year', 365 * day, true],
  ])('an order that is valid until %s', async (_when, after, isRight) => {
    wholeSecond()
    const moment = clock.now() + after
    for (const validUntil of [inTbilisi(moment), new Date(moment).toISOString()]) {
      const heard = await integrator.create({ validUntil })
      if (isRight) expectSealed(heard)
      else expectRefused(heard, 6035, 1)
    }
  })

  test.each([
    ['the documented form', (moment: number) => inTbilisi(moment)],
    ['ISO 8601 in UTC', (moment: number) => new Date(moment).toISOString()],
    ['ISO 8601 with an offset', (moment: number) => `${inTbilisi(moment).replace(' ', 'T')}+04:00`],
  ])('it can be paid until then and no longer: %s', async (_form, written) => {
    wholeSecond()
    const validUntil = written(clock.now() + hour)
    const [early, late, never] = [
      await integrator.created({ validUntil }),
      await integrator.created({ validUntil }),
      await integrator.created({ validUntil }),
    ]
    clock.forward(hour - 1)
    expect(await integrator.status(never)).toBe('INITIAL')
    await here.play('paid', early)
    clock.forward(1)
    expect(await integrator.status(early)).toBe('SUCCESS')
    expect(await integrator.status(never)).toBe('EXPIRED')
    await expect(here.play('paid', late)).rejects.toThrow(/EXPIRED/)
    expect(await here.entry(late)).toMatchObject({ charges: 0 })
  })

  test.each(['2026-13-01 00:00:00', '2027-02-29 10:00:00', '2099-12-31', '31.12.2099', 'tomorrow', ''])(
    '%j is no moment',
    async (validUntil) => {
      expectRefused(await integrator.create({ validUntil }), [6035, 6041, 6049], 1)
    },
  )
})

describe('start date of a plan: today or later', () => {
  const starting = (startDate: string): Fields => ({
    ...{ amount: 0, saveCard: true, directLinkProvider: 'BOG' },
    subscriptionPlan: { interval: 'WEEKLY', intervalCount: 1, amount: 9.9, startDate },
  })

  test('today is the day at the service, four hours ahead of UTC', async () => {
    // 23:30 in Tbilisi, then half an hour past midnight there: in UTC it is the same day.
    const local = (clock.now() + 4 * hour) % day
    clock.forward(day - local + 23 * hour + 30 * minute)
    const [today, tomorrow] = [0, day].map((more) => inTbilisi(clock.now() + more).slice(0, 10))
    const yesterday = inTbilisi(clock.now() - day).slice(0, 10)
    expectSealed(await integrator.create(starting(today ?? '')))
    expectSealed(await integrator.create(starting(tomorrow ?? '')))
    expectRefused(await integrator.create(starting(yesterday)), [6041, 6049], 1)
    clock.forward(hour)
    expectRefused(await integrator.create(starting(today ?? '')), [6041, 6049], 1)
    expectSealed(await integrator.create(starting(tomorrow ?? '')))
  })
})
