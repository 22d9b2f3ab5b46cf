/** The sum of an answer is compared by value, and a difference is told in the digits that came. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AskedSum, differenceIn } from '../../../src/lib/contract/asked-sum.ts'
import { fromMinorUnits, JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { isRecord, readJson } from '../../../src/lib/json.ts'

const asked: AskedSum = { amount: ['13.00'], currency: ['GEL'] }

function difference(answer: string): string | null {
  const members = readJson(answer)
  return differenceIn(isRecord(members) ? members : {}, asked)
}

describe('the sum of an answer', () => {
  test.each(['{}', '{"amount":13,"currency":"GEL"}', '{"Amount":"13.0","currency":"gel"}', '{"amount":null}'])(
    '%s repeats 13.00 GEL or says nothing of it',
    (answer) => expect(difference(answer)).toBeNull(),
  )

  test.each([
    ['{"amount":99}', 'amount is 99.00, not 13.00'],
    ['{"amount":13,"currency":"USD"}', 'currency is USD, not GEL'],
    ['{"amount":"13.001"}', 'amount is 13.001, not 13.00'],
    ['{"amount":[13.10]}', 'amount is ["13.10"], not 13.00'],
    ['{"amount":{"value":13}}', 'amount is {"value":"13"}, not 13.00'],
  ])('%s is another one: %s', (answer, words) => expect(difference(answer)).toBe(words))

  test('is another one exactly where it has other minor units', () => {
    const units = fc.bigInt(1n, 10n ** 15n)
    fc.assert(
      fc.property(units, units, (one, other) => {
        const answer = { amount: new JsonNumber(fromMinorUnits(other)) }
        expect(differenceIn(answer, { amount: [fromMinorUnits(one)] }) === null).toBe(one === other)
        expect(differenceIn(answer, { amount: [fromMinorUnits(other)] })).toBeNull()
      }),
    )
  })
})
