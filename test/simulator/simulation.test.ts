import { expect, test } from 'vitest'
import { changing, plays } from './plays.ts'
import { simulate } from './simulation.ts'

/** `npm run simulate` plays as many as you like. */
const seeds = 80

test(`simulator: in ${seeds} seeded stories no payment is made twice, lost or misreported`, {
  timeout: 600_000,
}, async () => {
  const counts: Record<string, number> = {}
  const played: Record<string, number> = {}
  for (let seed = 1; seed <= seeds; seed += 1) {
    const story = await simulate(seed)
    for (const [code, count] of Object.entries(story.counts)) counts[code] = (counts[code] ?? 0) + count
    for (const play of story.plays) played[play] = (played[play] ?? 0) + 1
  }
  // The stories must reach what they are about: success, refusal, conflict, the unknown, the unsent, kills, ^C.
  for (const code of ['0', '5', '7', '9', 'killed']) expect(counts[code], `stories with ${code}`).toBeGreaterThan(8)
  expect((counts['130'] ?? 0) + (counts['143'] ?? 0), 'stories with a signal').toBeGreaterThan(0)
  for (const play of plays) {
    expect(played[play], `stories with ${play}`).toBeGreaterThan(changing.includes(play) ? 0 : 8)
  }
})

const teams = 12

test(`simulator: in ${teams} stories of teams each row is paid once, whatever the store loses`, {
  timeout: 600_000,
}, async () => {
  const counts: Record<string, number> = {}
  for (let seed = 1; seed <= teams; seed += 1) {
    const story = await simulate(seed, seed % 2 ? ['team'] : ['team', 'asleep'])
    for (const [code, count] of Object.entries(story.counts)) counts[code] = (counts[code] ?? 0) + count
  }
  for (const code of ['0', 'killed']) expect(counts[code], `commands with ${code}`).toBeGreaterThan(3)
})

test('simulator: a seed replays byte for byte, whatever is traded and played', { timeout: 300_000 }, async () => {
  const traded = new Set<string>()
  const played = new Set<string>()
  for (const seed of [7, 77, 777, 7777, 77777, 1, 2, 3, 4, 5, 6, 8, -7, -8]) {
    const allowed = seed < 0 ? (['team', 'asleep'] as const) : plays
    const story = await simulate(seed, allowed)
    expect((await simulate(seed, allowed)).trace).toEqual(story.trace)
    traded.add(story.trade)
    for (const play of story.plays) played.add(play)
  }
  expect([...traded].toSorted()).toEqual(['fleets', 'orders', 'pairs', 'payouts', 'wallet'])
  expect([...played].toSorted()).toEqual([...plays].toSorted())
})
