/** The turns of a worker's rows at the rate of its fleet. */
import { expect, test } from 'vitest'
import type { Clock } from '../../../src/lib/edge.ts'
import { SharedRate } from '../../../src/lib/fleet/rate-limiter.ts'

const { signal } = new AbortController()

/** SharedRate of one worker, ten a second, from a database that counts all it has given away. */
function worker() {
  let [now, next] = [1_000, 0]
  const clock: Clock = {
    now: () => now,
    steady: () => null,
    sleep: async (milliseconds) => {
      now += milliseconds
    },
  }
  const fleet = {
    turns: async (_plan: string, rows: number) => {
      const first = Math.max(now, next)
      next = first + rows * 100
      return { first, between: 100 }
    },
    giveBack: async (_plan: string, rows: number) => {
      next -= rows * 100
    },
  }
  const turns = new SharedRate(fleet, 'b-1', 10, clock)
  /** The moments at which so many rows leave. */
  const left = async (rows: number): Promise<readonly number[]> => {
    const moments: number[] = []
    for (let row = 0; row < rows; row += 1) {
      await turns.pass(signal)
      moments.push(now)
    }
    return moments
  }
  return {
    turns,
    left,
    skip: (milliseconds: number) => {
      now += milliseconds
    },
    next: () => next,
  }
}

test('rows leave one after the other at the rate', async () => {
  expect(await worker().left(7)).toEqual([1_000, 1_100, 1_200, 1_300, 1_400, 1_500, 1_600])
})

test('a row that is late by little is made up for', async () => {
  const { left, skip } = worker()
  await left(1)
  skip(250)
  expect(await left(4)).toEqual([1_250, 1_250, 1_300, 1_400])
})

test('turns that a pause has passed over are given up: behind it the rows leave at the rate again', async () => {
  const { left, skip } = worker()
  await left(2)
  skip(3_000)
  expect(await left(4)).toEqual([4_100, 4_200, 4_300, 4_400])
})

test('turns that were not used go back at the end', async () => {
  const { turns, left, next } = worker()
  await left(2)
  await turns.end()
  expect(next()).toBe(1_200)
})
