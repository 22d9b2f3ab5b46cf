import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Failure } from '../../src/lib/failure.ts'
import { hint } from '../../src/lib/hint.ts'
import { longestMessage, shortened } from '../../src/lib/limits.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 3000 }).map((text) => text.repeat(3))

test('a message has 4 KiB at most; what is cut is counted, and nothing is cut twice', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = shortened(text)
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(longestMessage)
      expect(shortened(shown)).toBe(shown)
      if (shown === text) return
      const [, kept = '', more = ''] = /^(.*)… (\d+) more characters$/s.exec(shown) ?? []
      expect(text.startsWith(kept)).toBe(true)
      expect(kept.length + Number(more)).toBe(text.length)
    }),
  )
})

test('one that fits stays as it is', () => {
  const fitting = 'ა'.repeat(1365)
  expect(shortened(fitting)).toBe(fitting)
  expect(shortened(`${fitting}12`)).toMatch(/… \d+ more characters$/)
})

test('a failure, and what the service said, are cut; said more about, it stays as it was', () => {
  const service = { http: 400, statusCode: null, exceptionGroup: null, message: 'y'.repeat(10_000) }
  const failure = new Failure('refused', 'x'.repeat(10_000), { service }).with({ hints: [hint`more`] })
  expect(failure.message).toMatch(/^x{4032}… 5968 more characters$/)
  expect(failure.toLine().error).toMatchObject({
    message: failure.message,
    service: { message: expect.stringMatching(/^y{4032}… 5968 more characters$/) },
  })
})

test('line breaks of a failure and the blanks around them are one blank', () => {
  const told = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', 'a'), maxLength: 20 })
  fc.assert(
    fc.property(told, (text) => {
      expect(new Failure('usage', text).toLine().error.message).toBe(text.replace(/\s*\n\s*/g, ' '))
    }),
  )
})
