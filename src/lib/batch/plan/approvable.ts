/** A plan as others approve it. */
import { plannedOperation } from '../../contract/payout/ruled.ts'
import type { ApprovablePlan } from '../../journal/approvals/subject.ts'
import type { Plan } from './plan.ts'

const known = new WeakMap<Plan, ApprovablePlan>()

/** One object for each plan that was read: rows that bear the same are opened together. */
export function approvable(plan: Plan): ApprovablePlan {
  const { planId, hash, profile, file, rows, totals, service, serviceId, environment, clientId } = plan
  const place = { service, serviceId, environment, clientId }
  const made = known.get(plan) ?? { planId, hash, profile, file, rows, totals, ...place, operation: plannedOperation }
  known.set(plan, made)
  return made
}
