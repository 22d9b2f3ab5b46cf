import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { periodOf, readDuration } from '../../../../src/lib/cli/flags/times.ts'
import { newHome, paydesk } from '../../../kit/program.ts'

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['30', 30_000],
  ['1.5s', 1_500],
  ['0.25', 250],
  ['0', 0],
])('%s is %i milliseconds', (text, milliseconds) => {
  expect(readDuration(text)).toBe(milliseconds)
})

test('a whole number and a unit are their product, up to what a timer can wait', () => {
  const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, '': 1_000 }
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])), (count, unit) => {
      const product = count * units[unit]
      expect(readDuration(`${count}${unit}`)).toBe(product < 2 ** 31 ? product : null)
    }),
  )
})

test.each([
  ...['', ' ', '-1s', '+1s', '1e3', '0x10', '1,5s', '5 s', 's', '1d', '1S', '1sec', '1m30s', '.5s', '5.'],
  ...['Infinity', '١s', '99999999999999999999h', '1s\n'],
])('%j is no time', (text) => {
  expect(readDuration(text)).toBeNull()
})

test('text of any kind is a time only if a timer can wait for it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.smh -e') }), (text) => {
      const milliseconds = readDuration(text)
      if (milliseconds === null) return
      expect(Number.isInteger(milliseconds) && milliseconds >= 0 && milliseconds < 2 ** 31).toBe(true)
    }),
  )
})

test('a time that is none is one sentence, without what the parser writes around it', async () => {
  const ended = await paydesk(['payout', 'balance', '--timeout', 'soon', '--json'], { home: newHome() })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.error.message).toBe('--timeout takes a time like 500ms, 30s or 2m, not "soon"')
})

const noDay = { today: false, yesterday: false }

describe('the period of a list', () => {
  test.each([
    ['Asia/Tbilisi', '2026-11-19T20:00:00.000Z', '2026-11-20T20:00:00.000Z'],
    ['UTC', '2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
    ['America/New_York', '2026-11-20T05:00:00.000Z', '2026-11-21T05:00:00.000Z'],
  ])('today in %s', (zone, since, until) => {
    const now = Date.parse('2026-11-20T12:00:00Z')
    expect(periodOf({ ...noDay, today: true }, now, zone)).toEqual({ since, until })
  })

  test.each([
    ['2026-03-29T12:00:00Z', 23],
    ['2026-10-25T12:00:00Z', 25],
    ['2026-06-01T12:00:00Z', 24],
  ])('the day of %s in Berlin has %i hours', (now, hours) => {
    const { since, until } = periodOf({ ...noDay, today: true }, Date.parse(now), 'Europe/Berlin')
    expect((Date.parse(String(until)) - Date.parse(String(since))) / 3_600_000).toBe(hours)
  })

  test('yesterday ends where today begins, and now is today, in every zone', () => {
    const zones = ['Asia/Tbilisi', 'UTC', 'America/St_Johns', 'Pacific/Kiritimati', 'Europe/Berlin', 'Asia/Kathmandu']
    const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(days, fc.constantFrom(...zones), (date, zone) => {
        const now = date.getTime()
        const today = periodOf({ ...noDay, today: true }, now, zone)
        const yesterday = periodOf({ ...noDay, yesterday: true }, now, zone)
        expect(yesterday.until).toBe(today.since)
        expect(Date.parse(String(today.since))).toBeLessThanOrEqual(now)
        expect(Date.parse(String(today.until))).toBeGreaterThan(now)
      }),
    )
  })

  test.each([
    ['2d', '2026-11-18T12:00:00.000Z'],
    ['90m', '2026-11-20T10:30:00.000Z'],
    ['1w', '2026-11-13T12:00:00.000Z'],
    ['2026-11-20', '2026-11-19T20:00:00.000Z'],
    ['2026-11-20 09:30', '2026-11-20T05:30:00.000Z'],
    ['2026-11-20T09:30:15', '2026-11-20T05:30:15.000Z'],
    ['2026-11-20T09:30Z', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20T09:30+02:00', '2026-11-20T07:30:00.000Z'],
  ])('since %s', (since, moment) => {
    const now = Date.parse('2026-11-20T12:00:00Z')
    expect(periodOf({ ...noDay, since }, now, 'Asia/Tbilisi')).toEqual({ since: moment, until: null })
  })

  test.each(['', '2', '2y', '-1d', '2026-02-30', '2026-11-20T24:61', '9999999d', '2026-11-20T10:00+99:00'])(
    '"%s" is no time',
    (since) => {
      expect(() => periodOf({ ...noDay, since }, Date.now(), 'UTC')).toThrow('--since takes')
    },
  )
})
