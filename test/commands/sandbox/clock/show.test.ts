import { expect, test } from 'vitest'
import { hurriedClock } from '../../../kit/clock.ts'
import { newHome, paydesk } from '../../../kit/program.ts'

const noon = Date.UTC(2026, 10, 20, 8)

test('sandbox clock show: tells the time in UTC and at the service', async () => {
  const around = { home: newHome(), clock: hurriedClock(noon) }
  const { code, stderr, json } = await paydesk(['sandbox', 'clock', 'show', '--json'], around)
  expect([code, stderr]).toEqual([0, ''])
  expect(json).toEqual({
    utc: expect.stringMatching(/^2026-11-20T08:00:0\d\.\d{3}Z$/),
    service: expect.stringMatching(/^2026-11-20T12:00:0\d\.\d{6}$/),
    aheadMilliseconds: 0,
  })
})

test('sandbox clock show: tells a person how far ahead the clock is, only when it is', async () => {
  const home = newHome()
  expect((await paydesk(['sandbox', 'clock', 'show'], { home })).stdout).not.toContain('ahead')
  await paydesk(['sandbox', 'clock', 'advance', '90s'], { home })
  const { stdout } = await paydesk(['sandbox', 'clock', 'show'], { home })
  expect(stdout).toContain('90 seconds ahead of this machine')
})
