/** Runs that may not begin, in words. */
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { Plan } from '../plan/plan.ts'

/** A plan that may send nothing new: locked (12). Rows whose outcome is unknown are resolved all the same. */
export function stalePlan({ planId, file, discardedAt }: Plan, why: string): Failure {
  const renew = hint`Plan ${file} again: the plan keeps its id, and its rows theirs.`
  return new Failure('locked', `the plan ${planId} sends no row any more: ${why}`, {
    hints: [
      hint`\`${paste('batch resume', planId)}\` resolves rows whose outcome is unknown.`,
      ...(discardedAt ? [] : [renew]),
    ],
  })
}
