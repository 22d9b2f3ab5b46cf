/** The line that goes on with a plan, with its consent: it can be pasted as it is. */

import { type PastedLine, paste } from '../hint.ts'
import { type Plan, totalsInWords } from './plan/plan.ts'

export type Resumable = Pick<Plan, 'planId' | 'environment' | 'totals'>

export function resumeLine({ planId, environment, totals }: Resumable): PastedLine {
  const consent = environment === 'sandbox' ? ['--yes'] : ['--confirm', totalsInWords(totals)]
  return paste('batch resume', planId, ...consent)
}
