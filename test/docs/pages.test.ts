/** Claims of the pages below docs/internals about the code, compared with the code. */
import { expect, test } from 'vitest'
import * as assumed from '../../src/lib/contract/assumed.ts'
import { orderCodes, payoutCodes } from '../../src/lib/contract/codes/code-book.ts'
import { permissions } from '../../src/lib/contract/core/permission.ts'
import { operations } from '../../src/lib/contract/operations.ts'
import { orderStatuses } from '../../src/lib/contract/order/status.ts'
import { payoutStatuses } from '../../src/lib/contract/payout/status.ts'
import { anchors, plain, tableBelow } from '../kit/docs/page.ts'

test('the table of assumptions has every constant once, with its value', () => {
  const rows = tableBelow('service.md', 'every-assumption')
  expect(rows).toHaveLength(Object.keys(assumed).length)
  const told = Object.fromEntries(rows.map(([name, value]) => [plain(name), JSON.parse(plain(value))]))
  expect(told).toEqual({ ...assumed })
})

test('every assumption says what it decides, and in which section', () => {
  for (const [name, , decides = '', section = ''] of tableBelow('service.md', 'every-assumption')) {
    expect(decides, name).not.toBe('')
    const [, anchor = ''] = /\]\((#[\w-]+)\)/.exec(section) ?? []
    expect(anchors, name).toContain(`service.md${anchor}`)
  }
})

test.each([
  ['payout-codes', payoutCodes],
  ['order-codes', orderCodes],
])('service.md#%s has every code, with its group and the attempts that it proves not executed', (anchor, codes) => {
  const rows = tableBelow('service.md', anchor).map(([code, group, , proves]) => [Number(code), group, proves])
  const known = [...codes.values()].map(({ code, group, ran, bodyOnly }) => {
    return [
      code,
      group === null ? '–' : String(group),
      ran === 'unknown' ? 'none' : bodyOnly ? 'every attempt' : 'this attempt',
    ]
  })
  expect(rows).toEqual(known)
})

test.each([
  ['payout-statuses', payoutStatuses],
  ['order-statuses', orderStatuses],
])('service.md#%s has every status, and how a payment in it ended', (anchor, statuses) => {
  const rows = tableBelow('service.md', anchor).map(([status, ended]) => [plain(status), ended])
  const ends = Object.entries(statuses).map(([status, { end }]) => [status, end ?? 'not ended'])
  expect(rows).toEqual(ends)
})

test('service.md#permissions has every permission with its code', () => {
  const rows = tableBelow('service.md', 'permissions').map(([code, words]) => [Number(code), words])
  expect(rows).toEqual(Object.values(permissions).map(({ code, words }) => [code, words]))
})

test('money-safety.md#what-may-be-repeated has a row for every write, as the contract has it', () => {
  const rows = tableBelow('money-safety.md', 'what-may-be-repeated').map((cells) => cells.map(plain))
  const writes = operations.flatMap((operation) => (operation.effect === 'write' ? [operation] : []))
  const row = (name: string, { unanswered, busy, renewsToken }: ReturnType<(typeof writes)[number]['repeats']>) => [
    name,
    unanswered,
    busy,
    renewsToken ? 'sign in once more, repeat once' : 'stop',
  ]
  const known = writes.flatMap(({ name, repeats }) => {
    const usual = row(name, repeats({}))
    const charge = row(`${name} with cardToken`, repeats({ cardToken: 'x' }))
    return usual.slice(1).join() === charge.slice(1).join() ? [usual] : [usual, charge]
  })
  expect(rows).toEqual(known)
})
