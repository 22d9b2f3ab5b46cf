/** Plans that a person may take for another one: the same rows of another client, the same name in another case. */
import { type Plan, speaksFor, totalsInWords } from '../plan/plan.ts'
import type { Plans } from './plans.ts'

/** Warnings about a plan that was just made. `hasKeyless`: some of its rows are named by its name. */
export async function relativesOf(
  plans: Pick<Plans, 'list'>,
  plan: Plan,
  hasKeyless: boolean,
): Promise<readonly string[]> {
  const others = (await plans.list()).filter(({ planId }) => planId !== plan.planId)
  return others.flatMap((other) => aboutOther(other, plan, hasKeyless) ?? [])
}

function aboutOther(other: Plan, plan: Plan, hasKeyless: boolean): string | null {
  const { planId, name, profile, clientId } = other
  if (!speaksFor(plan, other)) {
    const isSame = name === plan.name && totalsInWords(other.totals) === totalsInWords(plan.totals)
    if (!isSame || profile !== plan.profile || other.rows !== plan.rows || plan.environment === 'sandbox') return null
    return `${planId} is the same file for the client ${clientId}, which this profile was: here its rows have OTHER ids, and what was executed there is paid once more`
  }
  if (!hasKeyless || name === plan.name || name.toLowerCase() !== plan.name.toLowerCase()) return null
  return `${planId} is named ${name}, and this plan ${plan.name}: names that differ in case are two, and rows without a key are paid under each`
}
