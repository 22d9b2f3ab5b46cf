/** The due times of a plan's charges: days of the service's calendar, counted from the first. */
import { serviceZoneHours } from '../../contract/assumed.ts'

const zone = serviceZoneHours * 3_600_000
const week = 7 * 24 * 3_600_000

/** The same day of a later month, or its last one: January 31 is followed by February 28. */
function monthsLater(moment: number, months: number): number {
  const local = new Date(moment + zone)
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const timeOfDay = (moment + zone) % (24 * 3_600_000)
  return Date.UTC(year, month, Math.min(local.getUTCDate(), lastDay)) + timeOfDay - zone
}

/** The moment of a charge, counted from 0. Always from the anchor, so that a short month does not shift those after it. */
export function chargeTime(anchor: number, interval: string, intervalCount: number, at: number): number {
  const intervals = intervalCount * at
  return interval === 'WEEKLY' ? anchor + intervals * week : monthsLater(anchor, intervals)
}
