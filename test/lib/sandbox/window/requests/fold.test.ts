import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folded, type Gisted, groupName } from '../../../../../src/lib/sandbox/console/requests.ts'

type Seen = readonly [operation: string | null, about: string | null, verdict?: string, fault?: string | null]

/** Requests, the oldest first, as they would be read: the newest first. */
function log(...seen: readonly Seen[]): Gisted[] {
  const rows = seen.map(([operation, id, verdict = 'answered', fault = null], at): Gisted => {
    const row = {
      ...{ request_id: at + 1, time: at, milliseconds: 1, method: 'GET', path: '/', operation, identifier: 'we' },
      ...{ plain: null, outline: null, http: 200, code: null, verdict, rule: null, answer: null, remarks: '[]', fault },
    }
    return { row, gist: { amount: null, payee: null, id, entry: null } }
  })
  return rows.toReversed()
}

const shape = (requests: readonly Gisted[]) => folded(requests).map((alike) => [alike[0].row.request_id, alike.length])

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
  const before = folded(log(['order.status', 'a'], ['order.status', 'a']))
  const after = folded(log(['order.status', 'a'], ['order.status', 'a'], ['order.status', 'a']))
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
      const groups = folded(requests)
      const ids = groups.flat().map(({ row }) => row.request_id)
      expect(ids.toSorted((one, other) => other - one)).toEqual(requests.map(({ row }) => row.request_id))
      const firsts = groups.map(([first]) => first.row.request_id)
      expect(firsts).toEqual(firsts.toSorted((one, other) => other - one))
    }),
  )
})
