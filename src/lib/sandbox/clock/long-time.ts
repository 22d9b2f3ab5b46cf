/** A stretch of time as people type it to move a clock: `90s`, `5m`, `24h`, `35d`, `8w`. A bare number is seconds. */

const factors: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Milliseconds; null where the text is none. */
export function readLongTime(text: string): number | null {
  const [, count, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|[smhdw])?$/.exec(text.trim()) ?? []
  return count === undefined ? null : Math.round(Number(count) * (factors[unit] ?? 1000))
}
