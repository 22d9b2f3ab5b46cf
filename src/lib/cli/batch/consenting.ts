/** Consent to a run of a plan: always to its totals, beside what is still to go. */

import type { Count } from '../../batch/count.ts'
import { type Plan, totalsInWords } from '../../batch/plan.ts'
import { howMany } from '../../contract/core/count.ts'
import type { Invocation } from '../invocation.ts'
import { terminalAsker } from '../prompts/ask.ts'
import { type Consent, confirmed } from '../prompts/confirm.ts'

/** Always the totals of the plan, however much of it is left: those words were agreed to. */
export async function consentToPlan(invocation: Invocation, plan: Plan, count: Count, flags: Consent): Promise<void> {
  const { canAsk, edge, signal } = invocation
  const asker = canAsk && flags.confirm === undefined ? terminalAsker(edge, signal) : null
  const phrase = totalsInWords(plan.totals)
  const lines = [...toPay(plan, count, phrase), `as ${plan.profile} (${plan.environment})`]
  const live = plan.environment !== 'sandbox'
  await confirmed({ live, strict: `a ${plan.environment} profile`, lines, phrase }, flags, asker)
}

/** The payments of a run in words: those that are still to go, and the whole where that is more. */
function toPay({ rows, file }: Plan, { toGo, resolvable: open }: Count, whole: string): readonly string[] {
  const first = `Pay ${toGo.rows} of ${howMany(rows, 'row')} of ${file}`
  const has = open.rows === 1 ? 'has' : 'have'
  const again = `${open.rows} of them ${has} no definite answer (${totalsInWords(open.totals)}): they keep their ids, so that none is paid twice`
  return [
    toGo.rows === rows
      ? `${first}: ${whole} in all`
      : `${first}: ${totalsInWords(toGo.totals)}; the whole plan is ${whole}`,
    ...(open.rows > 0 ? [again] : []),
  ]
}
