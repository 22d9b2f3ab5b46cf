import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { readJson, writeJson } from '../../../../../src/lib/json.ts'
import { copiesOf } from '../../../../../src/lib/sandbox/console/requests.ts'
import type { WholeRequest } from '../../../../../src/lib/sandbox/log/entry.ts'

// Programs are started, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

const base = 'http://127.0.0.1:4010'

const asked: WholeRequest = {
  ...{ id: 1, time: '2026-11-20T10:00:00.000Z', milliseconds: 1, method: 'POST', path: '/api/distributor' },
  ...{ operation: 'payout.create', identifier: null, who: 'sandbox', http: 200, code: null, verdict: 'accepted' },
  ...{ rule: null, remarks: [], fault: null, payload: null, envelope: null, answer: null },
}

function copied(request: Partial<WholeRequest>, as: string): string {
  return copiesOf({ ...asked, ...request }, base).find((each) => each.as === as)?.text ?? ''
}

/** The line as a shell reads it: the words for curl, and the text that is sealed on the way. */
function inShell(line: string): { readonly words: readonly string[]; readonly sealed: string } {
  const stage = `paydesk() { printf 'SEALED\\036%s\\036' "$*"; cat; printf '\\036'; }
curl() { printf 'CURL'; for word; do printf '\\037%s' "$word"; done; case "$*" in *@-*) printf '\\037STDIN'; cat;; esac; }
TOKEN=secret
${line}`
  const out = execFileSync('sh', ['-c', stage], { encoding: 'utf8' })
  const [, , sealed = ''] = out.split('\u001e')
  return { words: out.split('\u001f'), sealed }
}

test('as JSON it is what `sandbox requests --id` prints', () => {
  expect(JSON.parse(copied({ payload: readJson('{"amount":12.50}') }, 'JSON'))).toEqual({
    ...asked,
    payload: { amount: 12.5 },
  })
  expect(copied({ payload: readJson('{"amount":12.50}') }, 'JSON')).toContain('12.50')
})

test('a request with a token goes to its address with the token of the shell', () => {
  const { words } = inShell(copied({ payload: { amount: 1 } }, 'curl'))
  expect(words.slice(1)).toEqual([
    ...['-X', 'POST', `${base}/api/distributor`, '-H', 'authorization: Bearer secret'],
    ...['-H', 'content-type: application/json', '--data-binary', '{"amount":1}'],
  ])
})

test('a query stands in the address', () => {
  const balance = { operation: 'payout.balance', method: 'GET', path: '/api/distributor/balance/check' }
  const { words } = inShell(copied({ ...balance, payload: { currency: 'GEL' } }, 'curl'))
  expect(words).toContain(`${base}/api/distributor/balance/check?currency=GEL`)
})

test.each([
  ['order.create', 'POST', '--as order.create |', 'body'],
  ['order.status', 'GET', '--as order.status --layout query)"', 'query'],
])('%s is sealed anew as the integrator that sent it', (operation, method, words) => {
  const line = copied({ operation, method, path: '/x', who: 'sandbox-bare', payload: { a: 1 } }, 'curl')
  expect(line).toContain(`paydesk envelope seal -p sandbox-bare ${words}`)
  expect(inShell(line).sealed).toBe('{"a":1}')
})

test.each([
  ['an envelope that did not open', { operation: 'order.create', payload: null }],
  ['a body that was no JSON', { payload: null }],
  ['a text that was too long to keep', { payload: 'the beginning…' }],
])('of %s there is JSON to copy, and no line', (_what, request) => {
  expect(copiesOf({ ...asked, ...request }, base).map(({ as }) => as)).toEqual(['JSON'])
})

test('a path that means nothing is asked for again', () => {
  const lost = { operation: null, method: 'GET', path: '/api/orders', payload: null }
  expect(inShell(copied(lost, 'curl')).words).toEqual(['CURL', '-X', 'GET', `${base}/api/orders`])
})

test('no text of a request gets out of its quotes', () => {
  const texts = fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '`', '(', ')', '\n', ';', '#', 'a', 'ნ') })
  fc.assert(
    fc.property(texts, fc.constantFrom('order.create', 'payout.create'), (description, operation) => {
      const payload = { description }
      const { words, sealed } = inShell(copied({ operation, payload }, 'curl'))
      expect(operation === 'order.create' ? sealed : words.at(-1)).toBe(writeJson(payload))
    }),
    { numRuns: 60 },
  )
})
