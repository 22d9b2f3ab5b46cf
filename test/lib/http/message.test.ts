import fc from 'fast-check'
import { expect, test } from 'vitest'
import { target } from '../../../src/lib/http/message.ts'

const targetOf = (query: readonly (readonly [string, string])[]) =>
  target({ method: 'GET', path: '/api/x', query, headers: {}, body: null })

test('a request without a query has its path as target, and the signs of base64 are percent-encoded', () => {
  expect(targetOf([])).toBe('/api/x')
  expect(targetOf([['a', '+/= &']])).toBe('/api/x?a=%2B%2F%3D%20%26')
})

test('names and values of a query come out of a URL as they went in', () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 5 }), (query) => {
      expect(targetOf(query)).toMatch(/^[!-~]+$/)
      const url = new URL(targetOf(query), 'http://localhost')
      expect(url.pathname).toBe('/api/x')
      expect([...url.searchParams]).toEqual(query)
    }),
  )
})
