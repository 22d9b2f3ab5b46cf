/** A place that a figure counts, in words for the person who is to mend it. */
export interface Place {
  /** A folder, a file, or a file and its line. */
  readonly at: string
  readonly what: string
}

/** A size that is too large, and its number. */
export interface Sized extends Place {
  readonly size: number
}

/** One place a line, however many findings stand in it. */
export function byLine(places: readonly Place[]): readonly Place[] {
  const lines = new Map<string, Set<string>>()
  for (const { at, what } of places) lines.set(at, (lines.get(at) ?? new Set()).add(what))
  return [...lines].map(([at, all]) => ({ at, what: [...all].join(', ') }))
}

/** The largest first. */
export function bySize(sizes: readonly Sized[]): readonly Sized[] {
  return sizes.toSorted((one, other) => other.size - one.size || one.at.localeCompare(other.at))
}

export function median(sizes: readonly Sized[]): number {
  const sorted = sizes.map(({ size }) => size).toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1)
  return (low + high) / 2
}
