import { expect, test } from 'vitest'
import { hurriedClock } from '../../../kit/clock.ts'
import { newHome, paydesk } from '../../../kit/program.ts'

const start = Date.UTC(2026, 10, 20, 8)

test('sandbox clock advance: adds up, and the next command sees the new time', async () => {
  const around = { home: newHome(), clock: hurriedClock(start) }
  const first = await paydesk(['sandbox', 'clock', 'advance', '31d', '--json'], around)
  expect(first, first.stderr).toMatchObject({ code: 0 })
  expect(first.json).toMatchObject({ aheadMilliseconds: 31 * 86_400_000 })
  expect(first.json.utc).toMatch(/^2026-12-21T08:00:/)
  const second = await paydesk(['sandbox', 'clock', 'advance', '30', '--json'], around)
  expect(second.json).toMatchObject({ aheadMilliseconds: 31 * 86_400_000 + 30_000 })
  expect((await paydesk(['sandbox', 'clock', 'show', '--json'], around)).json).toMatchObject({
    aheadMilliseconds: 31 * 86_400_000 + 30_000,
  })
})

test.each([['soon'], ['1y'], ['1,5h'], ['99999999w']])('sandbox clock advance: "%s" is refused (2)', async (time) => {
  const home = newHome()
  const ended = await paydesk(['sandbox', 'clock', 'advance', time, '--json'], { home })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.error).toMatchObject({ name: 'usage', moneyMoved: 'no' })
  expect((await paydesk(['sandbox', 'clock', 'show', '--json'], { home })).json).toMatchObject({
    aheadMilliseconds: 0,
  })
})

test('sandbox clock advance: a negative time is refused (2)', async () => {
  const ended = await paydesk(['sandbox', 'clock', 'advance', '--json', '--', '-5m'], { home: newHome() })
  expect(ended.code).toBe(2)
})
