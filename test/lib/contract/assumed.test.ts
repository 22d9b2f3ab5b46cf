import { expect, test } from 'vitest'
import * as assumed from '../../../src/lib/contract/assumed.ts'
import { minorUnits } from '../../../src/lib/contract/core/decimal.ts'
import { currencies } from '../../../src/lib/contract/payout/request.ts'

test('every currency has a rate, and the wallet a range, in plain decimals', () => {
  expect(Object.keys(assumed.ratesToGel)).toEqual(currencies)
  for (const rate of Object.values(assumed.ratesToGel)) expect(minorUnits(rate)).toBeGreaterThan(0n)
  const { minimum, maximum } = assumed.walletLimits
  expect(minorUnits(minimum)).toBeLessThan(minorUnits(maximum) ?? 0n)
})

test('refusals come with HTTP 400, failures of the service with 500', () => {
  expect(assumed.groupHttp).toEqual({ 1: 400, 2: 400, 3: 400, 4: 500, 5: 400, 6: 500, 7: 500 })
})

test('the desk gives a wallet order up before the service does', () => {
  expect(assumed.walletLifetime).toBe(300)
  expect(assumed.walletDeadlineMargin).toBeGreaterThan(0)
  expect(assumed.absentAfter).toBeGreaterThan(assumed.walletLifetime)
})
