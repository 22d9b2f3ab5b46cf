/** Goes as soon as its last users have a sample of their own. */
export const isWhole = false

export function slice<Item>(_all: readonly Item[], some: readonly NoInfer<Item>[]): readonly Item[] {
  return some
}

export function many(_all: number, some: number): number {
  return some
}

export function turn<Item>(all: readonly Item[], oneIn: number, shift = 0, _whole = 1): readonly Item[] {
  return all.filter((_, at) => at % oneIn === shift % oneIn)
}
