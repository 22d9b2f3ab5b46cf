import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayEnd, dayStart, tbilisiDay, tbilisiTime } from '../../../src/lib/spending/window.ts'

const inTbilisi = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Tbilisi',
  ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
})

/** "2026-11-21 00:00" as the system's table of zones has it. */
function wallClock(moment: number): string {
  return inTbilisi.format(moment).replace(', ', ' ')
}

// Georgia has had no summer time since 2006.
const moments = fc.integer({ min: Date.UTC(2006, 0, 1), max: Date.UTC(2060, 0, 1) })

test('a day is one of Asia/Tbilisi: it begins at its midnight and has one date', () => {
  fc.assert(
    fc.property(moments, (now) => {
      const [start, end] = [dayStart(now), dayEnd(now)]
      expect(start).toBeLessThanOrEqual(now)
      expect(now).toBeLessThan(end)
      expect(wallClock(start).slice(11)).toBe('00:00')
      expect(tbilisiDay(now)).toBe(wallClock(now).slice(0, 10))
      expect(wallClock(start).slice(0, 10)).toBe(wallClock(now).slice(0, 10))
      expect(wallClock(end - 1).slice(0, 10)).toBe(wallClock(now).slice(0, 10))
      expect(wallClock(end).slice(0, 10)).not.toBe(wallClock(now).slice(0, 10))
    }),
  )
})

test('tbilisiDay: midnight in Tbilisi, which is 20:00 UTC, begins the next day', () => {
  expect(tbilisiDay(Date.parse('2026-11-20T19:59:59.999Z'))).toBe('2026-11-20')
  expect(tbilisiDay(Date.parse('2026-11-20T20:00:00Z'))).toBe('2026-11-21')
})

test('a time is told as clocks in Tbilisi show it, to the minute, never too early', () => {
  fc.assert(
    fc.property(moments, (now) => {
      const told = tbilisiTime(now)
      expect(told).toBe(`${wallClock(Math.ceil(now / 60_000) * 60_000)} Tbilisi time`)
    }),
  )
  expect(tbilisiTime(Date.parse('2026-11-20T20:00:00Z'))).toBe('2026-11-21 00:00 Tbilisi time')
  expect(tbilisiTime(Date.parse('2026-11-20T20:00:00.001Z'))).toBe('2026-11-21 00:01 Tbilisi time')
})
