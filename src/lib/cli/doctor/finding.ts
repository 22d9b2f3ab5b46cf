/** One finding of `doctor`. */
import type { Failure } from '../../failure.ts'
import { type Hint, hintInWords, type Naming } from '../../hint.ts'
import type { ResultOf } from '../../result.ts'
import type { doctorResult } from './result.ts'
import { withShownPaths } from './shown-path.ts'

export type Report = ResultOf<typeof doctorResult>
export type Finding = Report['findings'][number]

/** A finding before its advice is put into words. */
export interface OpenFinding extends Omit<Finding, 'next'> {
  readonly next: readonly Hint[]
}

export function finding(
  about: Finding['about'],
  verdict: Finding['verdict'],
  says: string,
  ...next: readonly Hint[]
): OpenFinding {
  return { about, verdict, says, next }
}

export function inWords({ says, next, ...finding }: OpenFinding, naming: Naming): Finding {
  return { ...finding, says: withShownPaths(says), next: next.map((each) => withShownPaths(hintInWords(each, naming))) }
}

/** A failure that was met while looking. */
export function failed(
  about: Finding['about'],
  { message, facts }: Failure,
  verdict: Finding['verdict'] = 'bad',
): OpenFinding {
  return finding(about, verdict, message, ...(facts.hints ?? []))
}
