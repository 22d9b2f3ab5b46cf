/** The limit of one figure. */
import type { Place } from './place.mts'

interface Limit {
  /** The value that the house wants. */
  readonly target: number
  /** The last value. It may only fall; at the target it stays. */
  readonly ceiling: number
}

/** Sizes are those of `src` and `scripts`; names and comments those of `src`; the rest is counted in tests and pages too. */
export const limits = {
  'files in the fullest folder': { target: 15, ceiling: 15 },
  'folders over 15 files': { target: 0, ceiling: 0 },
  'lines of the longest file': { target: 200, ceiling: 200 },
  'files over 200 lines': { target: 0, ceiling: 0 },
  'lines of the longest function': { target: 60, ceiling: 60 },
  'functions over 60 lines': { target: 0, ceiling: 0 },
  'names with several meanings': { target: 0, ceiling: 0 },
  'forced casts': { target: 0, ceiling: 0 },
  suppressions: { target: 0, ceiling: 0 },
  'comments with a question word first': { target: 0, ceiling: 0 },
  'citations of what is not there': { target: 0, ceiling: 0 },
  'operations named outside': { target: 0, ceiling: 0 },
  'statuses named outside': { target: 0, ceiling: 0 },
} as const satisfies Readonly<Record<string, Limit>>

export type FigureName = keyof typeof limits

export interface Figure {
  readonly name: FigureName
  readonly value: number
  /** Places to mend, worst first. */
  readonly places: readonly Place[]
}

const listed = (places: readonly Place[]) => places.map(({ at, what }) => `\n  ${at}  ${what}`).join('')

/** The breach of a figure, with its places; null while it stands at its limit. */
export function breach({ name, value, places }: Figure, { target, ceiling }: Limit): string | null {
  const allowed = Math.max(target, ceiling)
  if (value > allowed)
    return `${name}: ${value}, allowed are ${allowed} (target ${target}). Mend what was added; counted are:${listed(places)}`
  const next = Math.max(target, value)
  if (next === ceiling) return null
  const change = `Set its ceiling in scripts/house/limits.mts from ${ceiling} to ${next}`
  return `${name}: ${value} now. ${change}; left are:${listed(places)}`
}
