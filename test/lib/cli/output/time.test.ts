import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import {
  momentAt,
  momentInWords,
  showTimes,
  timesInColumn,
  zonedTime,
  zoneIn,
} from '../../../../src/lib/cli/output/time.ts'

const tbilisi = 'Asia/Tbilisi'

describe('a time', () => {
  test.each([
    ['2026-11-20T10:03:25.123Z', '2026-11-20 14:03:25 (UTC+04:00)'],
    ['2026-11-20T22:30Z', '2026-11-21 02:30:00 (UTC+04:00)'],
    ['until 2026-11-20T10:03:25Z, then not', 'until 2026-11-20 14:03:25 (UTC+04:00), then not'],
    [
      'from 2026-11-20T10:03:25Z to 2026-11-20T10:04:00Z',
      'from 2026-11-20 14:03:25 (UTC+04:00) to 2026-11-20 14:04:00 (UTC+04:00)',
    ],
  ])('of paydesk is told on the clock of the zone: %s', (text, told) => {
    expect(showTimes(text, tbilisi)).toBe(told)
  })

  test.each(['2026-11-20T10:00:00.123456789', '2026-11-20T10:00', '2026-11-20 10:00:00'])(
    'of the service without a zone is marked: %s',
    (text) => {
      expect(showTimes(text, tbilisi)).toBe(`${text} (zone unknown)`)
    },
  )

  test.each([
    ...['2026-11-20T10:00:00+04:00', '`paydesk sandbox clock set 2026-11-20T10:00:00Z`', '2026-11-20'],
    ...['GEL 12.50', '2026-99-99T10:00:00Z', 'x2026-11-20T10:00:00Z', '2026-11-20T10:00:00Zoe'],
  ])('that is none, has its zone, or stands in a line to paste stays: %s', (text) => {
    expect(showTimes(text, tbilisi)).toBe(text)
  })

  test('is the same moment in every zone', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
        fc.constantFrom('Asia/Tbilisi', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Auckland', 'UTC'),
        (date, zone) => {
          const [, day, clock, offset] = /^(\S+) (\S+) \(UTC(\S+)\)$/.exec(showTimes(date.toISOString(), zone)) ?? []
          expect(Date.parse(`${day}T${clock}${offset}`)).toBe(Math.floor(date.getTime() / 1000) * 1000)
        },
      ),
    )
  })
})

describe('the zone of this machine', () => {
  const { TZ: before } = process.env
  afterEach(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })

  test.each(['Asia/Tbilisi', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Auckland', 'UTC'])('is %s', (zone) => {
    process.env.TZ = zone
    const dates = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    const isAsNamed = (date: Date) => {
      expect(zonedTime(date.getTime(), null)).toEqual(zonedTime(date.getTime(), zone))
    }
    fc.assert(fc.property(dates, isAsNamed))
  })
})

describe('a column of times', () => {
  test('says its zone once, in the head', () => {
    const cells = ['2026-11-20T10:00:00.123Z', '', '2026-11-20T11:00:00.000Z']
    expect(timesInColumn('made', cells, tbilisi)).toEqual([
      'made (UTC+04:00)',
      ['2026-11-20 14:00:00', '', '2026-11-20 15:00:00'],
    ])
    expect(timesInColumn('made', ['2026-11-20T10:00:00'], tbilisi)[0]).toBe('made (zone unknown)')
  })

  test('says it of each where the clocks were changed in between, and other columns stay', () => {
    const [head, cells] = timesInColumn('made', ['2026-07-01T00:00:00Z', '2026-12-01T00:00:00Z'], 'Europe/Berlin')
    expect(head).toBe('made')
    expect(cells).toEqual(['2026-07-01 02:00:00 (UTC+02:00)', '2026-12-01 01:00:00 (UTC+01:00)'])
    expect(timesInColumn('sum', ['1.00', ''], tbilisi)).toEqual(['sum', ['1.00', '']])
    expect(timesInColumn('sum', [], tbilisi)).toEqual(['sum', []])
  })
})

test('a moment in words has seconds and its zone, as every time on a screen', () => {
  const iso = '2026-11-20T10:03:25.123Z'
  expect(momentInWords(iso, tbilisi)).toBe('2026-11-20 14:03:25 (UTC+04:00)')
  expect(momentInWords(iso, tbilisi)).toBe(showTimes(iso, tbilisi))
})

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
