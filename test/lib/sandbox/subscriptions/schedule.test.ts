import { expect, test } from 'vitest'
import { chargeTime } from '../../../../src/lib/sandbox/areas/subscriptions.ts'
import { localMoment, startOfDay } from '../../../../src/lib/sandbox/clock.ts'

const days = (anchor: string, interval: string, count: number, times: number) =>
  Array.from({ length: times }, (_, at) =>
    localMoment(chargeTime(startOfDay(anchor) + 3_600_000, interval, count, at)).slice(0, 13),
  )

test('months keep their day, and short ones end earlier without shifting those after them', () => {
  expect(days('2027-01-31', 'MONTHLY', 1, 5)).toEqual([
    '2027-01-31T01',
    '2027-02-28T01',
    '2027-03-31T01',
    '2027-04-30T01',
    '2027-05-31T01',
  ])
  expect(days('2027-11-30', 'MONTHLY', 1, 4)).toEqual([
    '2027-11-30T01',
    '2027-12-30T01',
    '2028-01-30T01',
    '2028-02-29T01',
  ])
})

test('every second month, every third week', () => {
  expect(days('2026-11-20', 'MONTHLY', 2, 3)).toEqual(['2026-11-20T01', '2027-01-20T01', '2027-03-20T01'])
  expect(days('2026-11-20', 'WEEKLY', 3, 3)).toEqual(['2026-11-20T01', '2026-12-11T01', '2027-01-01T01'])
})

test('the calendar is the service’s: late in the evening in UTC it is tomorrow', () => {
  const anchor = Date.UTC(2027, 0, 30, 21)
  expect(localMoment(anchor)).toBe('2027-01-31T01:00:00.000000')
  expect(localMoment(chargeTime(anchor, 'MONTHLY', 1, 1))).toBe('2027-02-28T01:00:00.000000')
})
