/** The words of an answer that names another sum, or another payee, than the request. */
import { expect, test } from 'vitest'
import { reasonInWords } from '../../../../src/lib/journal/doubt/reason.ts'

test.each([
  ['amount is 99.00, not 12.50; currency is USD, not GEL', 'another sum: amount'],
  ['initialCurrency is USD, not GEL', 'another sum: initialCurrency'],
  ['toIban is GE00, not GE29', 'another sum or beneficiary: toIban'],
  ['amount is 99.00, not 12.50; beneficiaryName is Nana, not Nino', 'another sum or beneficiary: amount'],
])('%s', (otherSum, words) => {
  const said = reasonInWords('unknown', { kind: 'unknown', why: 'x', words: null, otherSum })
  expect(said).toContain(`the answer tells of ${words}`)
})
