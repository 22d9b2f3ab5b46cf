import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutEnd, withoutEnds } from '../../src/lib/ends.ts'

const few = fc.string({ unit: fc.constantFrom('=', '0', 'a', '/'), maxLength: 20 })

test('the letters at the end go, and no others', () => {
  fc.assert(
    fc.property(few, (text) => {
      expect(withoutEnd(text, '=')).toBe(text.replace(/=+$/, ''))
      expect(withoutEnd(text, '=0')).toBe(text.replace(/[=0]+$/, ''))
      expect(withoutEnds(text, '/')).toBe(text.replace(/^\/+|\/+$/g, ''))
    }),
  )
})
