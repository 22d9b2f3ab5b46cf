/** The verdict of measured figures, and whether there can be one: a machine that others use measures the others. */

const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)
const at = (numbers: readonly number[], share: number) => sorted(numbers)[Math.floor(numbers.length * share)] ?? 0

export const median = (numbers: readonly number[]): number => at(numbers, 0.5)

/** The distance of a quartile from the median, as a share of it: the longer one. */
export function spread(numbers: readonly number[]): number {
  const middle = median(numbers)
  return Math.max(at(numbers, 0.75) / middle - 1, 1 - at(numbers, 0.25) / middle)
}

const mostSpread = 0.25

/** The words for a run that measured the machine; null for a quiet one. */
export function tooNoisy(spreads: readonly number[]): string | null {
  const noise = Math.max(...spreads)
  if (noise <= mostSpread) return null
  return `too noisy to judge: a run in four strays by ${Math.round(noise * 100)} % or more`
}

export interface Judgement {
  readonly verdict: string
  /** 2 where nothing can be said. */
  readonly exit: 0 | 1 | 2
}

/** Ratios of neighbours, taken in turns: what slows the machine for long slows both. */
export function judgeRatios(ratios: readonly number[], least: number): Judgement {
  const noise = tooNoisy([spread(ratios)])
  if (noise !== null) return { verdict: noise, exit: 2 }
  return median(ratios) >= least ? { verdict: 'ok', exit: 0 } : { verdict: 'TOO SLOW', exit: 1 }
}
