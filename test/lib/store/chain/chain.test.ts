/** The hash of a link covers its number, what it seals, its changes and the link before. */
import { expect, test } from 'vitest'
import { linkHash } from '../../../../src/lib/store/chain/chain.ts'

const link = { number: 1, seals: 0, changes: '{"payees:a":"d"}' }
const first = 'a1c830cc925f7072ea8b467304252e12c14a4806036ea96c665c129029cceb69'

test('the hash of a link is what another program computes: SHA-256 of four members as JSON', () => {
  expect(linkHash('', link)).toBe(first)
  expect(linkHash(first, { ...link, number: 2 })).toBe(
    'ec51920486db196cc4f4c57ed7196e5705d7a6fe61c0636c02ba975164255044',
  )
})

test.each([
  ['link before', 'x', {}],
  ['number', '', { number: 2 }],
  ['seal', '', { seals: 1 }],
  ['change', '', { changes: '{"payees:a":"e"}' }],
])('the hash of a link with another %s alone is another hash', (_what, before, more) => {
  expect(linkHash(before, { ...link, ...more })).not.toBe(first)
})
