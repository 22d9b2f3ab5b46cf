/** The figures of the house against their limits (`npm run house` prints them): they may only fall, to the target. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contractIn } from '../../scripts/house/contract.mts'
import { figuresOf } from '../../scripts/house/figures.mts'
import { breach, type FigureName, limits } from '../../scripts/house/limits.mts'
import { treeOf } from '../../scripts/house/tree.mts'
import { operations } from '../../src/lib/contract/operations.ts'
import { orderStatuses } from '../../src/lib/contract/order/status.ts'
import { payoutStatuses } from '../../src/lib/contract/payout/status.ts'
import { walletResults, walletStatuses } from '../../src/lib/contract/wallet/status.ts'

const tree = treeOf(join(import.meta.dirname, '..', '..'))
const figures = figuresOf(tree)

test.each(figures.map((figure) => [figure.name, figure] as const))('%s: not above the limit', (name, figure) => {
  const found = breach(figure, limits[name])
  expect(found, found ?? '').toBeNull()
})

test('every limit has its figure', () => {
  expect(figures.map(({ name }) => name)).toEqual(Object.keys(limits))
})

test('the operations and statuses that are looked for are those of the contract', () => {
  const contract = contractIn(tree.src)
  expect([...contract.operations.values()].toSorted()).toEqual(operations.map(({ name }) => name).toSorted())
  const known = [orderStatuses, payoutStatuses, walletStatuses, walletResults].flatMap(Object.keys)
  expect([...contract.statuses]).toEqual(expect.arrayContaining(known))
})

const name: FigureName = 'files over 200 lines'
const places = [{ at: 'src/long.ts', what: '300 lines' }]

test.each([
  ['above the ceiling', 3, { target: 0, ceiling: 2 }, /3, allowed are 2 \(target 0\).*src\/long\.ts {2}300 lines/s],
  ['below the ceiling', 1, { target: 0, ceiling: 2 }, /Set its ceiling .* from 2 to 1;.*src\/long\.ts/s],
  ['below the target, with a ceiling above', 1, { target: 5, ceiling: 9 }, /from 9 to 5/],
  ['with a ceiling that is below the target', 4, { target: 5, ceiling: 3 }, /from 3 to 5/],
])('a figure %s is a breach', (_where, value, limit, words) => {
  expect(breach({ name, value, places }, limit)).toMatch(words)
})

test.each([
  ['at the ceiling', 2, { target: 0, ceiling: 2 }],
  ['at the target', 5, { target: 5, ceiling: 5 }],
  ['below the target', 4, { target: 5, ceiling: 5 }],
])('a figure %s is none', (_where, value, limit) => {
  expect(breach({ name, value, places }, limit)).toBeNull()
})
