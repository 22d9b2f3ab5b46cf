import fc from 'fast-check'
import { expect, test } from 'vitest'
import { momentAt, zonedTime, zoneIn } from '../../../../src/lib/cli/time/zoned-time.ts'

test('a zone is that of TZ where Node knows it, else that of the machine', () => {
  expect(zoneIn({ TZ: 'Asia/Tbilisi' })).toBe('Asia/Tbilisi')
  expect(zoneIn({ TZ: ':/etc/localtime' })).toBeNull()
  expect(zoneIn({})).toBeNull()
})

test('a moment is found again by what the clocks show of it, but for an hour that they show twice', () => {
  const zones = ['Asia/Tbilisi', 'UTC', 'America/St_Johns', 'Pacific/Kiritimati', 'Asia/Kathmandu', 'Europe/Berlin']
  const moments = fc.integer({ min: Date.parse('2000-01-01') / 1000, max: Date.parse('2060-01-01') / 1000 })
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), (seconds, zone) => {
      const { date, time } = zonedTime(seconds * 1000, zone)
      const found = momentAt(date, time, zone) ?? Number.NaN
      expect(zonedTime(found, zone)).toMatchObject({ date, time })
      expect(Math.abs(found - seconds * 1000)).toBeLessThanOrEqual(3_600_000)
    }),
  )
})
