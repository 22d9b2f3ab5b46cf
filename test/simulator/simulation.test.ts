import { expect, test } from 'vitest'
import { many } from '../kit/whole.ts'
import { simulate } from './simulation.ts'

/** A slice for every day; `npm run simulate` runs as many as you like. */
const seeds = many(300, 150)

test(`in ${seeds} seeded stories no payment is made twice, lost or misreported`, { timeout: 120_000 }, async () => {
  const counts: Record<string, number> = {}
  for (let seed = 1; seed <= seeds; seed += 1) {
    const story = await simulate(seed)
    for (const [code, count] of Object.entries(story.counts)) counts[code] = (counts[code] ?? 0) + count
  }
  // The stories must reach what they are about: success, refusal, conflict, the unknown, the unsent, kills.
  for (const code of ['0', '5', '7', '9', 'killed']) expect(counts[code], `stories with ${code}`).toBeGreaterThan(15)
})

test('a seed replays byte for byte, whatever is traded', async () => {
  const traded = new Set<string>()
  for (const seed of [7, 77, 777, 7777, 77777]) {
    const story = await simulate(seed)
    expect((await simulate(seed)).trace).toEqual(story.trace)
    traded.add(story.trade)
  }
  expect([...traded].toSorted()).toEqual(['orders', 'payouts', 'wallet'])
})
