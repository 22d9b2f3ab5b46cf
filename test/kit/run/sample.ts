/** The fixed part of a large matrix that every run of the tests takes. */

/**
 * Pairs of two lists: the first of one with the first of the other, and so on, each list from its start again when it
 * ends.
 */
export function diagonal<One, Other>(
  one: readonly One[],
  other: readonly Other[],
  count: number,
): readonly (readonly [One, Other])[] {
  return Array.from({ length: count }, (_, at) => [cycled(one, at), cycled(other, at)] as const)
}

/** The value at a place of a list that begins again when it ends. */
export function cycled<Value>(values: readonly Value[], at: number): Value {
  const value = values[at % values.length]
  if (value === undefined) throw new Error('an empty list has no sample')
  return value
}
