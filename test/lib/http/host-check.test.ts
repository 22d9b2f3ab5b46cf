import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAllowedHosts, readAuthority } from '../../../src/lib/http/host-check.ts'
import { leastWorkIn } from '../../kit/tools.ts'

test.each([
  ['127.0.0.1:4010', { name: '127.0.0.1', port: 4010 }],
  ['LocalHost.', { name: 'localhost', port: null }],
  ['[::1]:80', { name: '::1', port: 80 }],
  ['[::FFFF:127.0.0.1]:1', { name: '127.0.0.1', port: 1 }],
  ['127.1:4010', { name: '127.0.0.1', port: 4010 }],
  ['bücher.example', { name: 'xn--bcher-kva.example', port: null }],
  ['a_b.c-d:65535', { name: 'a_b.c-d', port: 65_535 }],
])('%s is read', (text, authority) => {
  expect(readAuthority(text)).toEqual(authority)
})

test.each([
  ...[
    '',
    ':80',
    'a:',
    'a:x',
    'a:123456',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'u@a',
    'u:p@a',
    '[::1',
    '::1',
    '[',
    '[x]',
    'a..b',
  ],
  ...['-a', 'a;b', 'a&b', '$(x)', '`x`', '*', '*.a', '.', '..', 'a\\b', `${'a'.repeat(254)}`, '1.2.3.4.5', '256.1.1.1'],
])('"%s" is no host', (text) => {
  expect(readAuthority(text)).toBeNull()
})

test('whatever is read as a name can be typed behind --allow-host, and is the same name then', () => {
  const part = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/)
  const host = fc.oneof(
    fc.string(),
    fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
  )
  fc.assert(
    fc.property(host, fc.option(fc.integer({ min: 0, max: 65_535 })), (given, port) => {
      const read = readAuthority(port === null ? given : `${given}:${port}`)
      if (read === null) return
      expect(read.name).toMatch(/^[a-z\d_.:-]+$/)
      expect([...readAllowedHosts([read.name])]).toEqual([read.name])
      // A given text may end in a port of its own, like 0:0, which --allow-host takes no more than any other.
      if (read.port === port) expect(readAllowedHosts([given.toUpperCase()])).toContain(read.name)
      else expect(() => readAllowedHosts([given])).toThrow('without https://, port or path')
    }),
    {
      numRuns: 2_000,
      examples: [
        ['[::1]', 80],
        ['0:0', null],
      ],
    },
  )
})

test('a mebibyte of any letter is refused at once', () => {
  for (const letter of ['a', '.', ':', '[', '1', '-', '@']) {
    const text = letter.repeat(1024 * 1024)
    expect(readAuthority(text)).toBeNull()
    expect(leastWorkIn(() => readAuthority(text), 100)).toBeLessThan(100)
  }
})
