/** The damage that spreadsheets leave in a sum: what is to be written instead is the sum that stood there, never an example. */
import { expect, test } from 'vitest'
import { damageOf } from '../../../../src/lib/batch/read/row-builder.ts'
import { minorUnits } from '../../../../src/lib/contract/core/decimal.ts'

test.each([
  ['1250,00', '1250.00'],
  ['5,50', '5.50'],
  ['0,5', '0.5'],
  ['1,250.00', '1250.00'],
  ['1.250,00', '1250.00'],
  ["12'345.6", '12345.6'],
  ['1 250', '1250'],
  ['1.250.000,07', '1250000.07'],
  ['1,250,000', '1250000'],
  ['3\u00A0450,10', '3450.10'],
])('%s is to be written as %s', (typed, mended) => {
  const said = damageOf('amount', typed, false) ?? ''

  expect(said).toMatch(new RegExp(`: write it as ${mended.replace('.', '\\.')}$`))
  expect(damageOf('amount', mended, false)).toBeNull()
  expect(minorUnits(mended)).not.toBeNull()
})

test.each(['1,250.000', '1.250,000', "1'250.000"])('%s may be two sums, and no other is offered for it', (typed) => {
  expect(damageOf('amount', typed, false)).toBe(
    `${typed} has separators between its digits: write it without them, and with a dot before the decimals`,
  )
})
