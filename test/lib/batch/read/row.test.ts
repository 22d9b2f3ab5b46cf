import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeFormula, unescapeFormula } from '../../../../src/lib/batch/read/row.ts'

const cell = fc.oneof(fc.string(), fc.stringMatching(/^'{0,3}[=+\-@＝]?.{0,3}$/))

test('every cell is given back as it was, and no spreadsheet takes one for a formula', () => {
  fc.assert(
    fc.property(cell, (given) => {
      const written = escapeFormula(given)
      expect(unescapeFormula(written)).toBe(given)
      expect(written).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
    }),
  )
})

test('a cell that no spreadsheet would take for a formula stays as it is', () => {
  for (const plain of ['Nino', "'Nino'", '', '12.50', "O'Brien"]) expect(escapeFormula(plain)).toBe(plain)
})
