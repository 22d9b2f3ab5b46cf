/** Sizes of the house, counted on small sources. */
import { expect, test } from 'vitest'
import { bySize, median } from '../../scripts/house/place.mts'
import { files, folders, functions } from '../../scripts/house/sizes.mts'
import { sourceOf } from '../../scripts/house/source.mts'

const sizesOf = (text: string) =>
  functions([sourceOf('src/a.ts', text)]).map(({ at, what }) => `${at.replace('src/a.ts:', '')} ${what}`)

test('a folder counts its own files and not those of its folders, the fullest first', () => {
  const counted = folders(['src/a/one.ts', 'src/b/one.ts', 'src/b/two.md', 'src/b/c/three.ts'])
  expect(counted.map(({ at, size }) => [at, size])).toEqual([
    ['src/b', 2],
    ['src/a', 1],
    ['src/b/c', 1],
  ])
})

test.each([
  ['const a = 1\nconst b = 2\n', 2],
  ['const a = 1\nconst b = 2', 2],
  ['\n\n', 2],
])('%j has %i lines', (text, lines) => {
  expect(files([sourceOf('src/a.ts', text)])).toEqual([{ at: 'src/a.ts', size: lines, what: `${lines} lines` }])
})

test('functions, methods and arrows are counted from their first line to their last', () => {
  expect(sizesOf('const a = 1\nfunction one() {\n  return 1\n}\n')).toEqual(['2 one: 3 lines'])
  expect(sizesOf('const two = () =>\n  2\n')).toEqual(['1 two: 2 lines'])
  expect(sizesOf('class A {\n  three() {\n    return 3\n  }\n}\n')).toEqual(['2 three: 3 lines'])
  expect(sizesOf('const all = { four: () => 4 }\n')).toEqual(['1 four: 1 lines'])
  expect(sizesOf('export default () => 5\n')).toEqual(['1 a function: 1 lines'])
})

test('a function inside another counts in both, the longest first', () => {
  expect(sizesOf('function outer() {\n  const inner = () => 1\n  return inner\n}\n')).toEqual([
    '1 outer: 4 lines',
    '2 inner: 1 lines',
  ])
})

test('an overload has no length', () => {
  expect(sizesOf('function f(a: string): void\nfunction f(a: unknown): void {\n}\n')).toEqual(['2 f: 2 lines'])
})

test.each([
  [[], 0],
  [[3], 3],
  [[1, 9, 2], 2],
  [[1, 4, 9, 2], 3],
])('the median of %j is %d', (numbers, middle) => {
  expect(median(numbers.map((size) => ({ at: '', what: '', size })))).toBe(middle)
})

test('of the same size, the name decides', () => {
  const sizes = ['b', 'a'].map((at) => ({ at, what: '', size: 1 }))
  expect(bySize(sizes).map(({ at }) => at)).toEqual(['a', 'b'])
})
