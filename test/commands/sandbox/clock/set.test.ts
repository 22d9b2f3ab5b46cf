import { expect, test } from 'vitest'
import { hurriedClock } from '../../../kit/clock.ts'
import { newHome, paydesk } from '../../../kit/program.ts'

const begin = () => ({ home: newHome(), clock: hurriedClock(Date.UTC(2026, 10, 20, 8)) })

test.each([
  ['2026-12-31 23:59:30', '2026-12-31T19:59:30.000Z'],
  ['2026-12-31T19:59:30Z', '2026-12-31T19:59:30.000Z'],
  ['2026-12-31T19:59:30+04:00', '2026-12-31T15:59:30.000Z'],
])('sandbox clock set: %s sets the clock to %s', async (moment, utc) => {
  const ended = await paydesk(['sandbox', 'clock', 'set', moment, '--json'], begin())
  expect(ended, ended.stderr).toMatchObject({ code: 0 })
  expect(ended.json.utc).toBe(utc)
})

test('sandbox clock set: a past moment is refused (2) with the advice to reset the sandbox', async () => {
  const around = begin()
  await paydesk(['sandbox', 'clock', 'set', '2026-12-31 00:00:00'], around)
  const ended = await paydesk(['sandbox', 'clock', 'set', '2026-12-30 00:00:00', '--json'], around)
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.error.hints).toEqual([expect.stringContaining('sandbox reset')])
  expect((await paydesk(['sandbox', 'clock', 'show', '--json'], around)).json.service).toMatch(/^2026-12-31T00:00:/)
})

test.each([['tomorrow'], ['2026-12-31'], ['2026-02-30 00:00:00'], ['2026-12-31T10:00:00']])(
  'sandbox clock set: "%s" is refused (2)',
  async (moment) => {
    expect(await paydesk(['sandbox', 'clock', 'set', moment], begin())).toMatchObject({ code: 2, stdout: '' })
  },
)

test('sandbox reset: the clock is back at the present time', async () => {
  const around = begin()
  await paydesk(['sandbox', 'clock', 'set', '2099-12-31 00:00:00'], around)
  await paydesk(['sandbox', 'reset', '--yes'], around)
  expect((await paydesk(['sandbox', 'clock', 'show', '--json'], around)).json).toMatchObject({ aheadMilliseconds: 0 })
})
