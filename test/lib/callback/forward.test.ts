import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressFor, forward, ownHeaders } from '../../../src/lib/callback/forward.ts'
import type { Transmission } from '../../../src/lib/http/client.ts'

const hop = [
  ...['Connection', 'keep-alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Proxy-Authorization', 'Host'],
  ...['Content-Length', 'Expect'],
]

test('headers: any others stay, in their order, as often as they came', () => {
  const name = fc
    .stringMatching(/^[A-Za-z][\w-]{0,12}$/)
    .filter((each) => !hop.some((other) => other.toLowerCase() === each.toLowerCase()) && !/^(proxy-|keep)/i.test(each))
  const own = fc.array(fc.tuple(name, fc.string()))
  fc.assert(
    fc.property(own, fc.subarray(hop), (mine, theirs) => {
      const foreign = theirs.map((each): [string, string] => [each, 'x y z'])
      expect(ownHeaders([...foreign, ...mine])).toEqual(mine)
    }),
  )
})

test.each([
  ['http://a/x', '/callback', 'http://a/x'],
  ['http://a/x', '/callback?b=1', 'http://a/x?b=1'],
  ['http://a/x?a=1', '/callback?b=2&b=3', 'http://a/x?a=1&b=2&b=3'],
  ['http://a/x?a=1', '/callback?', 'http://a/x?a=1'],
  ['http://a/', 'http://other/callback?b=%20', 'http://a/?b=%20'],
])('%s for a callback to %s is %s', (target, came, address) => {
  expect(addressFor(target, came).href).toBe(address)
})

/** The words about an answer of the target, where these secrets are known. */
async function wordsOf(status: number, body: string, ...secrets: readonly string[]) {
  const answer: Transmission = { kind: 'answered', answer: { status, headers: {}, body }, milliseconds: 1 }
  const sent = { method: 'POST', headers: [], body: Buffer.from(''), target: '/' }
  const limits = { connectTimeout: 1, answerTimeout: 1, signal: new AbortController().signal }
  const relay = async () => answer
  return await forward(relay, 'http://a/', sent, limits, async () => secrets)
}

test('of an answer of any length only the beginning is looked at, and no token is shown in halves', async () => {
  const long = 'a'.repeat(8 * 1024 - 10)
  const body = `${' '.repeat(100)}${long}${'secret-of-a-card'.repeat(4_000_000)}`
  const started = performance.now()
  expect((await wordsOf(500, body, long, 'secret-of-a-card')).why).toBe('[hidden][hidden]')
  expect(performance.now() - started).toBeLessThan(5000)
})
