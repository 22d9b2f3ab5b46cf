import fc from 'fast-check'
import { expect, test } from 'vitest'
import { target } from '../../../src/lib/http/message.ts'

test('a request without a query has its path as target', () => {
  expect(target({ method: 'GET', path: '/api/x', query: [], headers: {}, body: null })).toBe('/api/x')
})

test('names and values of a query come out of a URL as they went in', () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 5 }), (query) => {
      const said = target({ method: 'GET', path: '/api/x', query, headers: {}, body: null })
      expect(said).toMatch(/^[!-~]+$/)
      const url = new URL(said, 'http://localhost')
      expect(url.pathname).toBe('/api/x')
      expect([...url.searchParams]).toEqual(query)
    }),
  )
})

test('the signs of base64 are percent-encoded', () => {
  expect(target({ method: 'GET', path: '/p', query: [['a', '+/= &']], headers: {}, body: null })).toBe(
    '/p?a=%2B%2F%3D%20%26',
  )
})
