/**
 * The times in which a limit counts: a day of Asia/Tbilisi, which is UTC+4 the whole year, and the last 60 minutes. All of them are
 * milliseconds since 1970.
 */

const zone = 4 * 60 * 60 * 1000
const day = 24 * 60 * 60 * 1000

export const hourLength = 60 * 60 * 1000
export const minuteLength = 60 * 1000

/** The midnight in Tbilisi that was last. */
export function dayStart(now: number): number {
  return Math.floor((now + zone) / day) * day - zone
}

/** The day in Tbilisi of a moment: "2026-11-21". */
export function tbilisiDay(moment: number): string {
  return new Date(moment + zone).toISOString().slice(0, 10)
}

export function dayEnd(now: number): number {
  return dayStart(now) + day
}

/** "2026-11-21 00:00 Tbilisi time", to the minute, rounded up: what fits then does fit. */
export function tbilisiTime(moment: number): string {
  const minute = Math.ceil(moment / minuteLength) * minuteLength
  return `${new Date(minute + zone).toISOString().slice(0, 16).replace('T', ' ')} Tbilisi time`
}
