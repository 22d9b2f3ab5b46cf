import { expect, test } from 'vitest'
import { judgeRatios, median, spread, tooNoisy } from '../../scripts/bench/judge.mts'

const around = (middle: number, stray: number) =>
  [1 - stray, 1, 1 + stray, 1, 1 - stray, 1 + stray, 1].map((each) => each * middle)

test('the median is the one in the middle, in whatever order they come', () => {
  expect(median([9, 1, 5])).toBe(5)
})

test('a spread counts to both sides, and one stray run among many is none', () => {
  expect(spread(around(2, 0.1))).toBeCloseTo(0.1)
  expect(spread([1, 1, 1, 1, 0.4, 0.4, 0.4])).toBeCloseTo(0.6)
  expect(spread([1, 1, 1, 1, 1, 1, 1, 9])).toBe(0)
})

test('the noisiest row speaks for the machine', () => {
  expect(tooNoisy([0.05, 0.25])).toBeNull()
  expect(tooNoisy([0.05, 0.41, 0.1])).toBe('too noisy to judge: a run in four strays by 41 % or more')
})

test.each([
  [around(0.8, 0.05), 'ok', 0],
  [around(0.79, 0.05), 'TOO SLOW', 1],
  // What was measured is the machine, be it for or against.
  [around(0.9, 0.4), 'too noisy to judge: a run in four strays by 40 % or more', 2],
  [around(0.5, 0.4), 'too noisy to judge: a run in four strays by 40 % or more', 2],
])('ratios beside a bare handler: %j: %s', (ratios, verdict, exit) => {
  expect(judgeRatios(ratios, 0.8)).toEqual({ verdict, exit })
})
