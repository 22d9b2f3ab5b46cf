import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { readJson, writeJson } from '../../../../src/lib/json.ts'
import { copiesOf, foldPolls, type Gisted, groupName } from '../../../../src/lib/sandbox/console/requests.ts'
import type { WholeRequest } from '../../../../src/lib/sandbox/log/entry.ts'

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

type Seen = readonly [operation: string | null, about: string | null, verdict?: string, fault?: string | null]

/** Requests, the oldest first, as they would be read: the newest first. */
function log(...seen: readonly Seen[]): Gisted[] {
  const rows = seen.map(([operation, id, verdict = 'answered', fault = null], at): Gisted => {
    const row = {
      ...{ request_id: at + 1, time: at, milliseconds: 1, method: 'GET', path: '/', operation, identifier: 'we' },
      ...{ plain: null, outline: null, http: 200, code: null, verdict, rule: null, answer: null, remarks: '[]', fault },
    }
    return { row, gist: { amount: null, payee: null, id, entry: null, order: null } }
  })
  return rows.toReversed()
}

const shape = (requests: readonly Gisted[]) =>
  foldPolls(requests).map((alike) => [alike[0].row.request_id, alike.length])

test('the same read of the same thing with the same answer is one row, be it mixed with others', () => {
  const mixed = log(['order.status', 'a'], ['order.status', 'b'], ['order.status', 'a'], ['order.status', 'b'])
  expect(shape(mixed)).toEqual([
    [4, 2],
    [3, 2],
  ])
})

test('another answer ends a group, and so does a write to the thing', () => {
  const moved = log(
    ['order.status', 'a', 'INITIAL'],
    ['order.status', 'a', 'SUCCESS'],
    ['order.status', 'a', 'INITIAL'],
  )
  expect(shape(moved)).toEqual([
    [3, 1],
    [2, 1],
    [1, 1],
  ])
  const written = log(['order.status', 'a'], ['order.refund', 'a'], ['order.status', 'a'], ['order.refund', 'b'])
  expect(shape(written)).toEqual([
    [4, 1],
    [3, 1],
    [2, 1],
    [1, 1],
  ])
  expect(shape(log(['order.status', 'a'], ['order.refund', 'b'], ['order.status', 'a']))).toEqual([
    [3, 2],
    [2, 1],
  ])
})

test('writes, requests that a fault struck and paths that mean nothing are never folded', () => {
  for (const seen of [
    ['order.refund', 'a'],
    ['order.status', 'a', 'answered', 'reset after'],
    [null, null],
  ] as const) {
    expect(shape(log(seen, seen))).toHaveLength(2)
  }
})

test('a group keeps its name while newer polls join it', () => {
  const before = foldPolls(log(['order.status', 'a'], ['order.status', 'a']))
  const after = foldPolls(log(['order.status', 'a'], ['order.status', 'a'], ['order.status', 'a']))
  expect([before, after].map(([first]) => first && groupName(first))).toEqual(['1', '1'])
})

test('no request is lost, none stands twice, and the newest of each group keeps the order of the log', () => {
  const seen = fc.tuple(
    fc.constantFrom('order.status', 'order.refund', 'payout.balance', null),
    fc.constantFrom('a', 'b', null),
    fc.constantFrom('INITIAL', 'SUCCESS'),
    fc.constantFrom(null, null, 'reset after'),
  )
  fc.assert(
    fc.property(fc.array(seen, { maxLength: 30 }), (all) => {
      const requests = log(...all)
      const groups = foldPolls(requests)
      const ids = groups.flat().map(({ row }) => row.request_id)
      expect(ids.toSorted((one, other) => other - one)).toEqual(requests.map(({ row }) => row.request_id))
      const firsts = groups.map(([first]) => first.row.request_id)
      expect(firsts).toEqual(firsts.toSorted((one, other) => other - one))
    }),
  )
})
